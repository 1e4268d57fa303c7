import Files
import JSON
import Speakers

/// Whether all tracks and buses have ports of their own beside where they go, and what those give.
public enum DirectOutMode: String, CaseIterable, Sendable {
    /// They have none, but for those whose output is `ports`.
    case off
    /// As they leave by pre sends: before automation, fades, ducks, fader, mute, solo and pan.
    case pre
    /// As they go on: behind all of these.
    case post
}
