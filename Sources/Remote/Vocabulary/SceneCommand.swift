import OSC
import Speakers
import Timeline

/// Scenes: where all faders, pans, mutes, sends and processors stand, under a name.
public enum SceneCommand: Equatable, Sendable {
    case list
    case store(String)
    /// At once, or as a fade; nil parts are all of them, nil strips too.
    case recall(String, over: TimeSpec?, parts: Set<ScenePart>? = nil, strips: [StripReference]? = nil)
    case remove(String)
}
