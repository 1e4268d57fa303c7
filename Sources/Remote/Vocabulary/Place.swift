import OSC
import Speakers
import Timeline

/// Where a locate leads, and where a clip is laid.
public enum Place: Equatable, Sendable {
    case time(TimeSpec)
    /// Where the playhead stands, unless a marker has that name.
    case here
    /// From where the playhead stands; for a clip that is moved, from where it lies.
    case later(TimeSpec)
    /// The same, back; never before the start.
    case earlier(TimeSpec)
    /// Where the last clip ends.
    case end
    /// The marker of that name.
    case marker(String)

    /// It is counted from the playhead.
    package var needsPlayhead: Bool {
        switch self {
        case .here, .later, .earlier: true
        case .time, .end, .marker: false
        }
    }

    /// As someone wrote it: a time, `here`, `+5s`, `-5s`, `end`, or the name of a marker.
    /// - Throws: `CommandError` for what is none of these.
    init(parsing text: String) throws(CommandError) {
        switch text.first {
        case "+": self = .later(try Words.time(String(text.dropFirst())))
        case "-": self = .earlier(try Words.time(String(text.dropFirst())))
        default:
            // What can be read as a time is none of a marker's names.
            self =
                text == "end"
                ? .end
                : text == "here"
                    ? .here : Marker.problem(text) == nil ? .marker(text) : .time(try Words.time(text))
        }
    }
}
