import OSC
import Speakers
import Timeline

/// By how much a clip overlaps the one before it, which falls while this one rises.
public struct Crossfade: Equatable, Sendable {
    public let duration: TimeSpec
    public let curve: Curve

    public init(_ duration: TimeSpec, curve: Curve) { (self.duration, self.curve) = (duration, curve) }
}
