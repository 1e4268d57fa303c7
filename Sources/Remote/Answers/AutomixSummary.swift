import JSON
import Timeline

/// The automix of a bus, and its members.
public struct AutomixSummary: Equatable, Sendable, JSONForm {
    public private(set) var isOn = true
    public private(set) var attack = MediaTime.zero
    public private(set) var release = MediaTime.zero
    public private(set) var members: [Member] = []

    public init() {}

    public init(_ automix: Automix, _ members: [Member]) {
        (isOn, attack, release) = (automix.isOn, automix.attack, automix.release)
        self.members = members
    }

    public static let fields: [JSONField<Self>] = [
        JSONField("on", \.isOn), JSONField("attack", \.attack), JSONField("release", \.release),
        JSONField("members", \.members),
    ]

    /// A strip that goes to the bus.
    public struct Member: Equatable, Sendable, JSONForm {
        public private(set) var name = ""
        /// It has a part in the sharing.
        public private(set) var isIn = true
        public private(set) var weight = 0.0
        public private(set) var priority = 0.0
        /// Its share at present, linear.
        public private(set) var gain = 1.0

        public init() {}

        public init(name: String, _ member: Automix.Member, gain: Double) {
            (self.name, self.gain) = (name, gain)
            (isIn, weight, priority) = (member.isIn, member.weight, member.priority)
        }

        public static let fields: [JSONField<Self>] = [
            JSONField("name", \.name), JSONField("in", \.isIn),
            .number("weight", \.weight, in: Automix.Member.weights),
            .number("priority", \.priority, in: Automix.Member.priorities),
            .number("gain", \.gain, in: 0...1).described("Its share at present."),
        ]
    }
}

extension Answer {
    /// nil: the bus has no automix.
    public static let automix = AnswerKind("automix", .document) { (automix: AutomixSummary?) in
        guard let automix else { return ["no automix"] }
        return ["\(automix.isOn.word)  attack \(automix.attack)  release \(automix.release)"]
            + automix.members.map { member in
                """
                \(member.name.padded(20)) \(member.isIn ? Readable.level(gain: member.gain) : "out")  \
                weight \(member.weight.short)  priority \(member.priority.short)
                """
            }
    }
}
