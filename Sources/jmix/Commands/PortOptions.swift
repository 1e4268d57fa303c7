import ArgumentParser
import Dialects
import Web

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
