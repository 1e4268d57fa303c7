import Files
import JSON
import Speakers

/// A fade of a clip: how long it takes, and its shape. Zero for none.
public struct ClipFade: Equatable, Sendable {
    /// Zero or more.
    public var duration: MediaTime
    /// Never exponential, which does not reach silence.
    public var curve: Curve

    /// Linear and of no length unless told.
    public init(_ duration: MediaTime = .zero, curve: Curve = .linear) {
        (self.duration, self.curve) = (duration, curve)
    }
}
