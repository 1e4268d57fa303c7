import OSC
import Speakers
import Timeline

/// Which of several is meant.
public enum Selector: Hashable, Sendable {
    /// From 1.
    case number(Int)
    case name(String)
    /// An OSC pattern over numbers and names: all that match.
    case pattern(String)

    /// As someone wrote it: digits are a number, pattern characters a pattern, all else a name.
    public init(_ text: some StringProtocol) {
        if let number = Int(text) {
            self = .number(number)
        } else {
            self = OSCPattern.isPattern(text) ? .pattern(String(text)) : .name(String(text))
        }
    }

    public var text: String {
        switch self {
        case .number(let number): String(number)
        case .name(let text), .pattern(let text): text
        }
    }
}
