import Remote
import Timeline

/// What has changed on the mixer.
public enum DeskChange: Hashable, Sendable {
    /// Of sends by the numbers of their buses.
    case control(StripPlace, Control)
    case muteGroups
    case transport
    /// Another scene was recalled or stored.
    case scene
    /// Strips or scenes came or went, or it is looked at for the first time.
    case everything
}
