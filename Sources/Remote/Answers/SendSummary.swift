import JSON
import Timeline

/// A send at a glance.
public struct SendSummary: Equatable, Sendable, JSONForm {
    /// The names of the strip that it leaves, and of the bus that it goes to.
    public private(set) var strip = ""
    public private(set) var bus = ""
    /// Where its level stands at this moment.
    public private(set) var volume = 1.0
    public private(set) var pan = 0.0
    public private(set) var mute = false
    /// It leaves before the fader.
    public private(set) var isPre = false
    /// How many points and ramps its level has.
    public private(set) var events = 0
    /// Somebody talks by it.
    public private(set) var isTalkback = false
    /// As it is written; nil: the standard one.
    public private(set) var matrix: String?

    public init() {}

    public init(strip: String, bus: String, send: Send, volume: Double) {
        (self.strip, self.bus, self.volume) = (strip, bus, volume)
        (pan, mute, isPre) = (send.pan, send.mute, send.isPre)
        (events, isTalkback) = (send.automation.events.count, send.isTalkback)
        matrix = send.matrix?.text
    }

    public static let fields: [JSONField<Self>] = [
        JSONField("from", \.strip), JSONField("to", \.bus), JSONField("volume", \.volume),
        JSONField("pan", \.pan), JSONField("mute", \.mute), JSONField("pre", \.isPre),
        JSONField("events", \.events), JSONField("talkback", \.isTalkback, omitted: false),
        JSONField("matrix", \.matrix, omitted: nil),
    ]
}
