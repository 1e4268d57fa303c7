import JSON
import Timeline

/// A bus at a glance.
public struct BusSummary: Equatable, Sendable, JSONForm {
    public private(set) var number = 0
    public private(set) var name = ""
    /// Where the fader stands at this moment.
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
    public private(set) var channels = 0
    /// How many points and ramps its volume has.
    public private(set) var events = 0

    public init() {}

    public init(number: Int, bus: Strip, fader: Double, output: String) {
        (self.number, self.fader, self.output) = (number, fader, output)
        (name, pan, mute, solo) = (bus.name, bus.pan, bus.mute, bus.solo)
        (sends, trim, polarity, soloSafe) = (bus.sends.count, bus.trim, bus.polarity, bus.soloSafe)
        (channels, events) = (bus.layout.channels, bus.automation.events.count)
    }

    public static let fields: [JSONField<Self>] = [
        JSONField("number", \.number), JSONField("name", \.name), JSONField("fader", \.fader),
        JSONField("pan", \.pan), JSONField("mute", \.mute), JSONField("solo", \.solo),
        JSONField("output", \.output), JSONField("sends", \.sends), JSONField("trim", \.trim),
        JSONField("polarity", \.polarity), JSONField("soloSafe", \.soloSafe),
        JSONField("channels", \.channels), JSONField("events", \.events),
    ]
}
