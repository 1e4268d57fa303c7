import JSON
import Speakers

/// A strip's sound on its way into a bus, beside its output.
public struct Send: Equatable, Sendable {
    /// Given by the session.
    public internal(set) var id = StripID(rawValue: -1)
    /// The bus that it goes to.
    public internal(set) var bus: StripID
    /// Its level, linear, 0 to 4.
    public var volume: Double
    /// Balance from -1 (left) to 1 (right).
    public var pan = 0.0
    /// Silences it.
    public var mute = false
    /// It leaves before the strip's automation, fader, mute and pan; else behind them.
    public var isPre = false
    /// It is heard only while somebody talks back by it.
    public var isTalkback = false
    /// What goes from which channel to which; nil: as the layouts say (`SpeakerLayout.parts`). It has the
    /// channels of the bus as rows and those of the strip as columns.
    public var matrix: SendMatrix?
    /// What the timeline says of its volume, pan and mute: `[automation:]`.
    var lanes = Lanes()
    /// What hands do to all of that.
    public var writing = WriteModes()
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// Nothing of it is heard by itself: it is muted, or waits for somebody to talk.
    public var isClosed: Bool { mute || isTalkback }

    /// A send at that level, behind the fader. `Session.setSend` puts it on a strip.
    public init(to bus: StripID, volume: Double = 1) { (self.bus, self.volume) = (bus, volume) }
}
