import OSC
import Speakers
import Timeline

/// Markers: places on the timeline with names.
public enum MarkerCommand: Equatable, Sendable {
    case list
    /// Where the playhead stands unless told.
    case add(String, at: TimeSpec?)
    case remove(String)
}
