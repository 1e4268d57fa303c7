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
    /// A talkback uses it at present.
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
        JSONField("from", \.strip), JSONField("to", \.bus), .volume("volume", \.volume),
        .number("pan", \.pan, in: -1...1), JSONField("mute", \.mute), JSONField("pre", \.isPre),
        JSONField("events", \.events), JSONField("talkback", \.isTalkback, omitted: false),
        JSONField("matrix", ifAny: \.matrix),
    ]
}

extension Answer {
    public static let sends = AnswerKind("sends", .document, lines: SendSummary.lines)
}

extension SendSummary {
    /// As a person reads them, of one strip or of several.
    public static func lines(_ sends: [SendSummary]) -> [String] {
        if sends.isEmpty { return ["there are no sends"] }
        let hasMatrices = sends.contains { $0.matrix != nil }
        return table(
            ["from", "to", "volume", "level", "pan", "mute", "tap"] + (hasMatrices ? ["matrix"] : []),
            sends.map { send in
                [
                    send.strip, send.bus, send.volume.rounded3, Readable.level(gain: send.volume),
                    send.pan.short, send.mute.word, send.isPre ? "pre" : "post",
                ] + (hasMatrices ? [send.matrix ?? SendMatrix.standardWord] : [])
            })
    }
}
