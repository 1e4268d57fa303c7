import JSON
import OSC

/// How a collection of the session's files fares.
public enum CollectionState: Equatable, Sendable {
    case none
    /// The share that is copied, 0 to 1.
    case running(Double)
    /// What lies where, in words.
    case done(String)
    case failed(String)

    /// What is said where there is none.
    public static let nothing = "nothing has been collected"
}

extension Answer {
    public static let collection = AnswerKind(
        "/session/collect", .collection, .object([JSONSchema.Property("collected", .text)])
    ) {
        [$0.isDone ? "collected" : "collect": .string($0.text)]
    } lines: {
        [$0.text]
    }
}

extension CollectionState {
    fileprivate var isDone: Bool { if case .done = self { true } else { false } }

    /// What it comes to, in words.
    fileprivate var text: String {
        switch self {
        case .none: Self.nothing
        case .running(let share): "\(percent(share)) is copied"
        case .done(let text), .failed(let text): text
        }
    }
}

extension AnswerCoding<CollectionState> {
    /// A word, the share that is copied, and where it is or why it is not.
    fileprivate static let collection = AnswerCoding("sfs", .text) { state in
        let (word, share, text): (String, Double, String) =
            switch state {
            case .none: ("none", 0, CollectionState.nothing)
            case .running(let share): ("running", share, "")
            case .done(let what): ("done", 1, what)
            case .failed(let reason): ("failed", 0, reason)
            }
        return [.string(word), .float(Float(share)), .string(text)]
    } read: { arguments in
        guard arguments.count == 3, let share = arguments[1].double, let text = arguments[2].text else {
            return nil
        }
        return switch arguments[0].text {
        case "none": CollectionState.none
        case "running": .running(share)
        case "done": .done(text)
        case "failed": .failed(text)
        default: nil
        }
    }
}
