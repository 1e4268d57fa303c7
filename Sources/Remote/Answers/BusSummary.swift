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
