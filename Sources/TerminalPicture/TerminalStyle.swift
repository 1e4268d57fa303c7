import Glibc
import Timeline

/// Colours where a terminal has them and `$NO_COLOR` does not forbid them.
package struct TerminalStyle {
    enum Zone { case safe, caution, danger }

    package let hasColours: Bool

    package init(hasColours: Bool) { self.hasColours = hasColours }

    /// What the terminal and its user want.
    package static var present: TerminalStyle {
        TerminalStyle(
            hasColours: (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
                && getenv("TERM").map { String(cString: $0) } != "dumb")
    }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }
    func alert(_ text: String) -> String { text.contains { $0 != " " } ? wrap(text, "33") : text }

    func meter(_ text: String, zone: Zone) -> String {
        if text == " " { return text }
        switch zone {
        case .safe: return wrap(text, "32")
        case .caution: return wrap(text, "33")
        case .danger: return wrap(text, "31")
        }
    }

    private func wrap(_ text: String, _ code: String) -> String {
        hasColours ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
