import Glibc
import Remote

/// Reads verbs line by line, from a person or from a script.
struct Repl {
    private let shell: Shell
    private let isTerminal = isatty(0) == 1

    init(_ shell: Shell) { self.shell = shell }

    /// - Returns: 0, or for a script the code of its first line that failed: it ends there.
    func run() -> Int32 {
        if isTerminal { print("help lists the verbs, quit ends.") }
        var number = 0
        while true {
            if isTerminal {
                print("jmix> ", terminator: "")
                fflush(nil)
            }
            guard let line = readLine() else { return 0 }
            number += 1
            let code: Int32
            do throws(CommandError) {
                let words = try LineWords.split(line)
                guard let first = words.first else { continue }
                if ["quit", "exit"].contains(first) { return 0 }
                code = shell.run(words)
            } catch {
                complain("\(error)")
                code = 2
            }
            if code != 0, !isTerminal {
                complain("line \(number): \(line)")
                return code
            }
        }
    }
}
