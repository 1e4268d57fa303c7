import Files
import JSON
import Speakers

/// A channel strip with clips one after another, which are its source, and an input beside them.
@dynamicMemberLookup
public struct Track: Equatable, Sendable {
    /// What it has as every strip has.
    public var strip: Strip
    /// From the start of the first clip; zero for none.
    public var fadeIn = MediaTime.zero
    /// To the end of the last clip; zero for none.
    public var fadeOut = MediaTime.zero
    /// In order of their starts; they overlap only by a crossfade.
    public var clips: [Clip] = []
    /// Ports by which it hears others; nil: none. It has at least as many channels.
    public var input: Input? { didSet { widen() } }
    /// Which of both it plays.
    public var monitor = Monitor.auto
    /// What comes in is recorded while that is asked and the transport rolls.
    public var isArmed = false

    /// An empty track at unity.
    public init(name: String, layout: SpeakerLayout = .stereo) {
        strip = Strip(name: name)
        strip.layout = layout
    }

    /// What the strip has.
    public subscript<Value>(dynamicMember path: KeyPath<Strip, Value>) -> Value { strip[keyPath: path] }
    /// What the strip has.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Strip, Value>) -> Value {
        get { strip[keyPath: path] }
        // In its place: a copy of many events for each that is added would take the square of the time.
        _modify { yield &strip[keyPath: path] }
    }
}
