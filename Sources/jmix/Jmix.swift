import ArgumentParser
import Glibc
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
        } catch let error as Failure {
            note("jmix: \(error.message)")
            Glibc.exit(error.code)
        } catch {
            let code = exitCode(for: error)
            let text = fullMessage(for: error)
            if code == .success { print(text) } else { note(text) }
            Glibc.exit(code == .success ? 0 : 2)
        }
    }
}

/// Ends the program with a message and a code.
struct Failure: Error {
    let message: String
    let code: Int32

    init(_ message: String, code: Int32 = 1) {
        self.message = message
        self.code = code
    }
}

/// A line for the person at the terminal, apart from what the program prints as its result.
func note(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(2, line, line.count)
}
