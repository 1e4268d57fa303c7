import ArgumentParser
import Files
import Glibc
import Loop
import Remote
import Shell

/// The mixer: `jmix run`, `jmix new`, `jmix edit`, `jmix render`, `jmix join`, `jmix check`, `jmix inspect`,
/// `jmix plot`, `jmix collect`, `jmix export`, `jmix import`, `jmix layout`.
@main
struct Jmix: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jmix",
        abstract: "A scriptable audio mixer for JACK.",
        discussion: "Drive it with jmixctl or any OSC controller while it runs.",
        version: programVersion,
        subcommands: [
            Run.self, New.self, Edit.self, Render.self, Join.self, Check.self, Inspect.self, Plot.self,
            Collect.self, ExportCommand.self, ImportCommand.self, Layout.self, Manual.self,
        ],
        defaultSubcommand: Run.self)
    // Each command says its name: to find it out by its type took ArgumentParser a tenth of the time that
    // jmix takes to begin.

    /// Exit codes: 0 done, 1 refused, 2 usage, 3 no JACK server. ArgumentParser's own code for usage is 64.
    static func main() {
        let voice = CommandLine.arguments.contains("--json") ? Voice(json: true) : nil
        OpenFiles.raiseLimit()
        do {
            try checkWord()
            var command = try parseAsRoot(
                PortOptions.withPorts(
                    Edit.withWords(OutputOptions.withLimit(Array(CommandLine.arguments.dropFirst())))))
            try command.run()
            TerminalOutput.shared.flush()
        } catch let status as ExitStatus {
            TerminalOutput.shared.flush()
            Glibc.exit(status.code)
        } catch let error as Failure {
            if let voice {
                TerminalOutput.shared.flush()
                Glibc.exit(voice.refuse(error.message, code: error.code))
            }
            inform("jmix: \(error.message)")
            TerminalOutput.shared.flush()
            Glibc.exit(error.code)
        } catch {
            end(with: error, voice)
        }
    }

    /// Says what is wrong with the command line, or what was asked for, and ends.
    private static func end(with error: any Error, _ voice: Voice?) -> Never {
        let code = exitCode(for: error)
        let text = fullMessage(for: error)
        if code != .success, let voice { Glibc.exit(voice.refuse(message(for: error), code: 2)) }
        if code == .success { print(text) } else { inform(text) }
        TerminalOutput.shared.flush()
        Glibc.exit(code == .success ? 0 : 2)
    }

    /// A first word that is neither a command nor there as a session is a slip more often than a session to
    /// be made.
    private static func checkWord() throws(Failure) {
        guard let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), !word.contains("/"),
            !word.contains("."), !Path.exists(word)
        else { return }
        let names = configuration.subcommands.map { $0._commandName }
        guard !names.contains(word), word != "help", let meant = Verb.nearest(to: word, among: names) else {
            return
        }
        throw Failure("there is no command and no session \"\(word)\": did you mean jmix \(meant)?", code: 2)
    }
}
