import ArgumentParser
import Dialects
import Web

/// As which desks the mixer lets itself be driven.
struct DeskArguments: ParsableArguments {
    @Option(
        name: .customLong("x32"),
        help: ArgumentHelp(
            """
            Let remotes of an X32 or M32 drive the mixer, by UDP on this port (\(DeskModel.x32.port) unless \
            told), where and for whom --osc-bind and --osc-allow say.
            """,
            valueName: "port"))
    var x32: UInt16?

    @Option(
        name: .customLong("xair"),
        help: ArgumentHelp(
            "The same for remotes of an X-Air (\(DeskModel.xair.port) unless told).", valueName: "port"))
    var xair: UInt16?

    /// The ports of those that are asked for.
    var ports: [(model: DeskModel, port: UInt16)] {
        [(DeskModel.x32, x32), (.xair, xair)].compactMap { model, port in port.map { (model, $0) } }
    }
}

/// Options that mean their usual port where none follows: ArgumentParser has no options whose value may be
/// left out.
enum PortOptions {
    private static let standards = [
        "--web": WebOptions.standardPort, "--x32": DeskModel.x32.port, "--xair": DeskModel.xair.port,
    ]

    static func withPorts(_ words: [String]) -> [String] {
        words.indices.flatMap { index in
            let next = words.indices.contains(index + 1) ? words[index + 1] : ""
            let hasPort = !next.isEmpty && next.allSatisfy(\.isNumber)
            guard let port = standards[words[index]], !hasPort else { return [words[index]] }
            return [words[index], String(port)]
        }
    }
}
