import OSC
import Speakers
import Timeline

/// An end of a clip.
public enum ClipEdge: String, Sendable {
    case fadeIn = "fadein"
    case fadeOut = "fadeout"
}
