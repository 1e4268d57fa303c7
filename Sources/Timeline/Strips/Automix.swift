import JSON

/// What a bus shares out among those that go there, so that many open microphones are together as loud as
/// one: gain sharing, as Dan Dugan has it.
///
/// A member's level is the greatest of its channels behind its processors, before its automation and its
/// fader; what it stands at, e, follows the level x by e = a e + (1 - a) x with a = exp(-1 / (time rate)),
/// the attack's while x > e, else the release's. Its gain is its share of all,
///
///     gain i = w i (e i + floor) / sum over j of w j (e j + floor),
///     w = weight x 10^priority x the gates of its mute, its DCAs' and others' solos
///
/// with a floor of 10^-6 (-120 dB), by which all of them share where nobody is heard. All gains together are
/// 1 at every frame, unless nobody has a weight: then nobody is heard. It stands where ducks stand: before
/// the fader.
public struct Automix: Equatable, Sendable {
    /// It shares; off, it is kept and changes nothing.
    public var isOn = true
    /// The time constant at which what a member stands at grows.
    public var attack = MediaTime(value: 10, timescale: 1000)
    /// The time constant at which it goes back.
    public var release = MediaTime(value: 200, timescale: 1000)
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// On.
    public init() {}

    /// In milliseconds, of both times.
    public static let times = 0.0...10_000

    /// Whether one of its times may be so long.
    package static func allows(_ time: MediaTime) -> Bool {
        time >= .zero && time.seconds * 1000 <= times.upperBound
    }

    /// What a member has by which it takes more than others, or less.
    public struct Member: Equatable, Sendable {
        /// It takes part in the automix of the bus that it goes to, if there is one.
        public var isIn = true
        /// 0 to 100.
        public var weight = 1.0
        /// A whole number, 0 to 4: each step counts as 20 dB.
        public var priority = 0.0
        /// Fields of the file that this version does not know, kept for the next save.
        public var unknown = JSONObject()

        /// One as others.
        public init() {}

        /// 0 is nothing.
        public static let weights = 0.0...100
        /// Whole numbers.
        public static let priorities = 0.0...4
    }
}

extension Session {
    /// The buses that share out, each with those that take part, in the order of their numbers.
    public var automixes: [(bus: StripID, automix: Automix, members: [Strip])] {
        let strips = tracks.map(\.strip) + buses
        return buses.compactMap { bus in
            guard let automix = bus.automix, automix.isOn else { return nil }
            return (bus.id, automix, strips.filter { $0.output == .bus(bus.id) && $0.automixing.isIn })
        }
    }
}

extension SessionFile {
    /// `"automix": { "attack": "10ms", "release": "200ms" }` of a bus, and
    /// `"automixing": { "weight": 2, "priority": 1 }` of what goes there.
    static let automix = Field<Strip>(name: "automix") { reader, strip in
        guard let object = reader.object("automix") else { return }
        var (fields, automix) = (
            FieldReader(object, place: reader.place(of: "automix"), sampleRate: reader.sampleRate), Automix()
        )
        automixTable.read(&fields, into: &automix)
        for (name, path) in [("attack", \Automix.attack), ("release", \Automix.release)]
        where !Automix.allows(automix[keyPath: path]) {
            fields.fault(name, "\(automix[keyPath: path]) is out of range: it goes from 0 to 10 s")
            automix[keyPath: path] = Automix()[keyPath: path]
        }
        reader.absorb(fields)
        strip.automix = automix
    } write: {
        $0.automix.map(automixTable.json)
    }

    static let automixing = Field<Strip>(name: "automixing") { reader, strip in
        guard let object = reader.object("automixing") else { return }
        var fields = FieldReader(object, place: reader.place(of: "automixing"), sampleRate: reader.sampleRate)
        memberTable.read(&fields, into: &strip.automixing)
        let priority = strip.automixing.priority
        if priority != priority.rounded() {
            fields.fault("priority", "\(priority) is no whole number")
            strip.automixing.priority = 0
        }
        reader.absorb(fields)
    } write: {
        $0.automixing == Automix.Member() ? nil : memberTable.json($0.automixing)
    }

    private static let automixTable = FieldTable<Automix>(
        fields: [.flag("on", \.isOn, omitted: true), .time("attack", \.attack), .time("release", \.release)],
        unknown: \.unknown)

    private static let memberTable = FieldTable<Automix.Member>(
        fields: [
            .flag("in", \.isIn, omitted: true),
            .number("weight", \.weight, in: Automix.Member.weights, omitted: 1),
            .number("priority", \.priority, in: Automix.Member.priorities, omitted: 0),
        ], unknown: \.unknown)
}
