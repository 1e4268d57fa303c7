import JSON
import Timeline

/// A duck as a session's file has it, its strips by their names.
public struct DuckSummary: Equatable, Sendable, JSONForm {
    public private(set) var track = ""
    /// Empty for one by hand.
    public private(set) var under: [String] = []
    /// Linear.
    public private(set) var to = 1.0
    /// What triggers it.
    public private(set) var trigger = Duck.Trigger.clips
    /// In dB, of one by signal.
    public private(set) var threshold: String?
    public private(set) var attack = MediaTime.zero
    /// Of one by signal.
    public private(set) var hold: MediaTime?
    public private(set) var release = MediaTime.zero
    public private(set) var lookahead = MediaTime.zero
    public private(set) var unknown = JSONObject()

    public init() {}

    public static let fields: [JSONField<Self>] = [
        JSONField("track", \.track), under, .volume("to", \.to),
        JSONField("by", \.trigger, omitted: .clips), JSONField("threshold", ifAny: \.threshold),
        JSONField("attack", \.attack), JSONField("hold", ifAny: \.hold),
        JSONField("release", \.release), JSONField("lookahead", \.lookahead, omitted: .zero),
    ]

    public static let unknown: (WritableKeyPath<Self, JSONObject> & Sendable)? = \Self.unknown

    /// One by itself, or a list of several.
    private static let under = JSONField<Self>(
        "under", .any(of: [.text, .list(of: .text)]), isOptional: true
    ) { duck in
        duck.under.isEmpty ? nil : duck.under.count == 1 ? duck.under[0].json : duck.under.json
    } read: { json, duck in
        guard let names = [String](json: json) ?? String(json: json).map({ [$0] }) else { return false }
        duck.under = names
        return true
    }
}

extension Duck.Trigger: JSONCoded {}

extension Answer {
    public static let ducks = AnswerKind("/ducks", .document) { (ducks: [DuckSummary]) in
        if ducks.isEmpty { return ["there are no ducks"] }
        return table(
            ["strip", "under", "to", "by", "attack", "release"],
            ducks.map { duck in
                [
                    duck.track, duck.under.isEmpty ? "a hand" : duck.under.joined(separator: ", "),
                    Readable.level(gain: duck.to), duck.trigger.rawValue, "\(duck.attack)", "\(duck.release)",
                ]
            })
    }
}
