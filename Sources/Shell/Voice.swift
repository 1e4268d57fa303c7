import Files
import Glibc
import JSON

/// What the shell says on standard error: lines for people, or with `--json` an object a line.
package struct Voice {
    private let json: Bool

    package init(json: Bool) { self.json = json }

    /// Why something is not done.
    /// - Returns: `code`.
    package func refuse(_ reason: String, code: Int32) -> Int32 {
        if json {
            Self.write(JSONValue.object(["error": .string(reason), "code": .number(code)]).compactText)
        } else {
            complain(reason)
        }
        return code
    }

    /// What else whoever asked should know.
    package func note(_ text: String) {
        if json { Self.write(JSONValue.object(["note": .string(text)]).compactText) } else { complain(text) }
    }

    fileprivate static func write(_ text: String) {
        let line = Array("\(text)\n".utf8)
        _ = Glibc.write(2, line, line.count)
    }
}

/// Says on standard error what went wrong, in the name of the program.
package func complain(_ text: String) { Voice.write("\(Path.name(of: CommandLine.arguments[0])): \(text)") }
