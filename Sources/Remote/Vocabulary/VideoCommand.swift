import OSC
import Speakers
import Timeline

/// The movie that the session belongs to.
public enum VideoCommand: Equatable, Sendable {
    case ask
    /// A movie, a time of the timeline, and the time of the movie that is seen there.
    case set(String, at: TimeSpec?, from: TimeSpec?)
    case remove
}
