import ArgumentParser
import Glibc
import MixerControl
import Remote

/// The mixer: `jmix run`, `jmix render`, `jmix check`, `jmix inspect`, `jmix plot`, `jmix collect`, `jmix layout`.
@main
struct Jmix: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jmix",
        abstract: "A scriptable audio mixer for JACK.",
        discussion: "Drive it with jmixctl or any OSC controller while it runs.",
        version: programVersion,
        subcommands: [Run.self, Render.self, Check.self, Inspect.self, Plot.self, Collect.self, Layout.self, Manual.self],
        defaultSubcommand: Run.self)

    /// Exit codes: 0 done, 1 refused, 2 usage, 3 no JACK server. ArgumentParser's own code for usage is 64.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
            TerminalOutput.shared.flush()
        } catch let error as Failure {
            note("jmix: \(error.message)")
            TerminalOutput.shared.flush()
            Glibc.exit(error.code)
        } catch {
            let code = exitCode(for: error)
            let text = fullMessage(for: error)
            if code == .success { print(text) } else { note(text) }
            TerminalOutput.shared.flush()
            Glibc.exit(code == .success ? 0 : 2)
        }
    }
}
