import JSON
import OSC
import Timeline

/// What the mixer says to whoever asks. How it travels, as OSC or as JSON, is the affair of the edge that
/// asked.
public enum Answer: Equatable, Sendable {
    /// Where a control stands.
    case control(StripPlace, Control, ControlValue)
    /// What moves a control on the timeline.
    case automation(StripPlace, Control, Automation)
    /// All others. Each kind is a constant of `Answer`: `.version("jmix 1")` makes one,
    /// `answer[Answer.version]` reads its value.
    case said(Said)

    /// A value, of which kind it is, and the strip that it is about.
    public struct Said: Equatable, Sendable {
        let kind: any AnyAnswerKind
        /// nil: it is of the whole.
        let place: StripPlace?
        let value: any Equatable & Sendable

        public static func == (a: Said, b: Said) -> Bool {
            func isSame<Value: Equatable>(_ value: Value) -> Bool { value == b.value as? Value }
            return a.kind.path == b.kind.path && a.place == b.place && isSame(a.value)
        }
    }

    /// The value of an answer of that kind; nil for any other.
    public subscript<Value>(_ kind: AnswerKind<Value>) -> Value? {
        guard case .said(let said) = self, said.kind.path == kind.path else { return nil }
        return said.value as? Value
    }

    /// The strip that it is about; nil for what is of the whole.
    public var place: StripPlace? {
        switch self {
        case .control(let place, _, _), .automation(let place, _, _): place
        case .said(let said): said.place
        }
    }
}
