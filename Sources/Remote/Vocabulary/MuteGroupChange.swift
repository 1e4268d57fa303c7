import OSC
import Speakers
import Timeline

/// What becomes of a mute group.
public enum MuteGroupChange: Equatable, Sendable {
    /// It silences its members, or does no more.
    case turn(Bool)
    /// It silences these from now on, and is made if there is none.
    case members([StripReference])
    case remove
}
