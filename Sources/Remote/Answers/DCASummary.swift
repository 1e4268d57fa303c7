import JSON
import Timeline

/// A DCA at a glance.
public struct DCASummary: Equatable, Sendable, JSONForm {
    public private(set) var number = 0
    public private(set) var name = ""
    /// Where the fader stands at this moment.
    public private(set) var fader = 1.0
    public private(set) var mute = false
    public private(set) var solo = false
    /// The names of what hangs on it.
    public private(set) var members: [String] = []
    /// How many points and ramps its volume has.
    public private(set) var events = 0

    public init() {}

    public init(number: Int, dca: DCA, fader: Double, members: [String]) {
        (self.number, self.fader, self.members) = (number, fader, members)
        (name, mute, solo, events) = (dca.name, dca.mute, dca.solo, dca.automation.events.count)
    }

    public static let fields: [JSONField<Self>] = [
        JSONField("number", \.number), JSONField("name", \.name), JSONField("fader", \.fader),
        JSONField("mute", \.mute), JSONField("solo", \.solo), JSONField("members", \.members),
        JSONField("events", \.events),
    ]
}
