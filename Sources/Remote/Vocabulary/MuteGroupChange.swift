import OSC
import Speakers
import Timeline

/// What becomes of a mute group.
public enum MuteGroupChange: Equatable, Sendable {
    /// It silences its members, or does no more.
    case turn(Bool)
    /// It silences these from now on, and is made if there is none; and is turned, or stays as it is.
    case members([StripReference], isOn: Bool? = nil)
    case remove
}
