import JSON
import Timeline

/// What a track and a bus have in common, at a glance.
public struct StripSummary: Equatable, Sendable {
    public private(set) var number = 0
    public private(set) var name = ""
    /// Where the fader stands at this moment, which a fade may be moving.
    public private(set) var fader = 1.0
    public private(set) var pan = 0.0
    public private(set) var mute = false
    public private(set) var solo = false
    /// Where its sound goes: a bus by its name, `master`, `none` or `ports`.
    public private(set) var output = ""
    /// How many sends it has.
    public private(set) var sends = 0
    public private(set) var trim = 1.0
    public private(set) var polarity = false
    public private(set) var soloSafe = false
    public internal(set) var channels = 0
    /// How many points and ramps its volume has.
    public internal(set) var events = 0

    init() {}

    init(number: Int, strip: Strip, fader: Double, output: String) {
        (self.number, self.fader, self.output) = (number, fader, output)
        (name, pan, mute, solo) = (strip.name, strip.pan, strip.mute, strip.solo)
        (sends, trim, polarity, soloSafe) = (strip.sends.count, strip.trim, strip.polarity, strip.soloSafe)
        (channels, events) = (strip.layout.channels, strip.automation.events.count)
    }

    /// Those that stand first, in a summary of any kind of strip.
    static let fields: [JSONField<Self>] = [
        JSONField("number", \.number).saying(.integer(from: 1)), JSONField("name", \.name),
        .volume("fader", \.fader),
        .number("pan", \.pan, in: -1...1), JSONField("mute", \.mute), JSONField("solo", \.solo),
        JSONField("output", \.output), JSONField("sends", \.sends), .volume("trim", \.trim),
        JSONField("polarity", \.polarity), JSONField("soloSafe", \.soloSafe),
    ]
}

extension JSONField {
    /// A linear gain.
    static func volume(_ name: String, _ path: WritableKeyPath<Form, Double> & Sendable) -> JSONField {
        number(name, path, in: Volume.range)
    }

    static func number(
        _ name: String, _ path: WritableKeyPath<Form, Double> & Sendable, in range: ClosedRange<Double>
    ) -> JSONField {
        JSONField(name, path).saying(.number(in: range))
    }
}
