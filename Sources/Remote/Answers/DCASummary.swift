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
        JSONField("number", \.number).saying(.integer(from: 1)), JSONField("name", \.name),
        .volume("fader", \.fader),
        JSONField("mute", \.mute), JSONField("solo", \.solo), JSONField("members", \.members),
        JSONField("events", \.events),
    ]
}

extension Answer {
    public static let dcas = AnswerKind("/dcas", .document) { (dcas: [DCASummary]) in
        if dcas.isEmpty { return ["there are no DCAs"] }
        return table(
            ["#", "name", "fader", "level", "mute", "solo", "members"],
            dcas.map { dca in
                faderColumns(dca.number, dca.name, dca.fader) + [
                    dca.mute.word, dca.solo.word, dca.members.joined(separator: ", "),
                ]
            })
    }
}
