import JSON
import Timeline

/// A bus at a glance.
@dynamicMemberLookup
public struct BusSummary: Equatable, Sendable, JSONForm {
    private var strip = StripSummary()

    public init() {}

    public init(number: Int, bus: Strip, fader: Double, output: String) {
        strip = StripSummary(number: number, strip: bus, fader: fader, output: output)
    }

    public subscript<Value>(dynamicMember path: KeyPath<StripSummary, Value>) -> Value {
        strip[keyPath: path]
    }

    public static let fields: [JSONField<Self>] =
        StripSummary.fields.map { $0.of(\.strip) } + [
            JSONField("channels", \.strip.channels), JSONField("events", \.strip.events),
        ]
}

extension Answer {
    public static let buses = AnswerKind("/buses", .document) { (buses: [BusSummary]) in
        if buses.isEmpty { return ["there are no buses"] }
        return table(
            ["#", "name", "fader", "level", "pan", "mute", "solo", "events", "output", "sends"],
            buses.map { bus in
                faderColumns(bus.number, bus.name, bus.fader) + [
                    bus.pan.short, bus.mute.word, bus.solo.word, "\(bus.events)", bus.output, "\(bus.sends)",
                ]
            })
    }
}
