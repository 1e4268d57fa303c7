import OSC
import Speakers
import Timeline

/// When armed tracks record.
public enum Recording: Equatable, Sendable {
    case off
    /// Whenever the transport rolls.
    case on
    /// While it rolls between two times.
    case range(TimeSpec, TimeSpec)
    /// Between the ends of the loop.
    case loop
}
