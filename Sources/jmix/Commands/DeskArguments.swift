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
