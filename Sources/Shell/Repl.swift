import Glibc
import Remote

/// Reads verbs line by line, from a person or from a script.
package struct Repl {
    private let shell: Shell
    private let script: String?
    private let keepsGoing: Bool
    private let editor: LineEditor?
    private var isTerminal: Bool { editor != nil }

    /// - Parameters:
    ///   - sources: what Tab knows.
    ///   - script: a file; nil is standard input.
    ///   - keepsGoing: a script goes on after a line that failed.
    package init(_ shell: Shell, script: String?, keepsGoing: Bool, sources: Completion.Sources) {
        self.shell = shell
        self.script = script
        self.keepsGoing = keepsGoing
        editor = script == nil && isatty(0) == 1 && isatty(1) == 1 ? LineEditor(sources) : nil
    }

    /// - Returns: 0, or for a script the code of its first line that failed; there it ends unless it keeps
    ///   going.
    package func run() -> Int32 {
        if let code = takeScript() { return code }
        if isTerminal {
            print("help lists the verbs, Tab completes, quit ends.")
            _ = shell.greet()
        }
        var (number, result) = (0, Int32(0))
        while true {
            guard let line = editor.map({ $0.line(prompt: "jmix> ") }) ?? readLine() else {
                if isTerminal { print() }
                return result
            }
            number += 1
            guard let code = run(line) else { return result }
            if code != 0, !isTerminal {
                shell.voice.note("\(script.map { "\($0), " } ?? "")line \(number): \(line)")
                if result == 0 { result = code }
                if !keepsGoing { return result }
            }
        }
    }

    /// - Returns: the code of what the line says; nil: it says that this ends.
    private func run(_ line: String) -> Int32? {
        do throws(CommandError) {
            let words = try LineWords.split(line)
            guard let first = words.first else { return 0 }
            return ["quit", "exit"].contains(first) ? nil : shell.run(words)
        } catch {
            return shell.voice.refuse("\(error)", code: 2)
        }
    }

    /// Has a script be what is read.
    /// - Returns: the exit code where it cannot be.
    private func takeScript() -> Int32? {
        guard let script else { return nil }
        let descriptor = open(script, O_RDONLY)
        guard descriptor >= 0 else {
            return shell.voice.refuse("\(script): \(String(cString: strerror(errno)))", code: 2)
        }
        dup2(descriptor, 0)
        close(descriptor)
        return nil
    }
}
