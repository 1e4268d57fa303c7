import Remote
import Timeline

/// What a tablet shows of a session, whatever app draws it: a strip for each track, bus and DCA and the
/// master, sends on faders, and the transport.
public struct Surface: Sendable {
    /// One channel strip.
    public struct Strip: Sendable {
        public let name: String
        let place: StripPlace
        /// It is the strip's send to that bus; nil: the strip itself.
        var bus: String?

        /// Where a control of it is set and told.
        func address(of control: Control) -> String {
            place.address(of: bus.flatMap { Self.send(control, $0) } ?? control)
        }

        /// What its addresses begin with.
        var address: String { bus.map { "\(place.address)/send/\($0)" } ?? place.address }

        /// The same of a send.
        private static func send(_ control: Control, _ bus: String) -> Control? {
            switch control {
            case .volumePosition: .send(.name(bus), .volumePosition)
            case .pan: .send(.name(bus), .pan)
            case .mute: .send(.name(bus), .mute)
            default: nil
            }
        }

        func has(_ control: Control) -> Bool {
            bus.map { Self.send(control, $0) != nil } ?? control.entry.kinds.contains(place.kind)
        }
    }

    public let strips: [Strip]
    /// For each bus the sends to it, as strips.
    let sends: [(bus: String, strips: [Strip])]
    public let master: Strip
    /// Strips that have a page of their own with their processors: as many as there is room for, and first
    /// those that have some.
    let pages: [ProcessorPage]
    /// The names of scenes to be recalled.
    let scenes: [String]

    public init(_ session: Session) {
        scenes = session.scenes.prefix(Self.maximumScenes).map(\.name)
        strips = session.places.filter { $0 != .master }.map { Strip(name: session[$0].name, place: $0) }
        master = Strip(name: "master", place: .master)
        let sounding = session.places.filter { $0.kind != .dca }
        let worked =
            sounding.filter { !session[$0].processors.isEmpty }
            + sounding.filter { session[$0].processors.isEmpty }
        pages = worked.prefix(Self.maximumPages).map {
            ProcessorPage(Strip(name: session[$0].name, place: $0))
        }
        // One of thousands nobody finds.
        let keyed = session.keys
        sends = session.buses.prefix(Self.maximumSendPages).map { bus in
            let places = Self.feeding(bus, session, keyed).prefix(Self.maximumSends)
            return (bus.name, places.map { Strip(name: session[$0].name, place: $0, bus: bus.name) })
        }
    }

    /// Strips that can have a send to a bus: one that is not there yet comes with its first move, if it makes
    /// no loop.
    private static func feeding(
        _ bus: Timeline.Strip, _ session: Session, _ keyed: [StripID: [StripID]]
    ) -> [StripPlace] {
        session.places.filter { place in
            let id = session[place].id
            if id == bus.id || place.kind != .track && place.kind != .bus { return false }
            // A track that goes by no other's level leads from nowhere.
            if place.kind == .track, keyed[id] == nil { return true }
            var next = session
            next.setSend(of: place, to: bus.id) { _ in }
            return Routing(next).loop == nil
        }
    }

    /// Buttons of the transport: what they say and send.
    static let transport = [
        ("Play", "/transport/play"), ("Stop", "/transport/stop"), ("Panic", "/panic"),
        ("Undo", "/session/undo"), ("Redo", "/session/redo"),
    ]
    /// A switch of the transport.
    static let loop = ("Loop", "/transport/loop")
    static let recall = "/scene/recall"
    /// As many as there is room for.
    private static let maximumScenes = 8
    private static let maximumSendPages = 16
    private static let maximumSends = 64
    private static let maximumPages = 32
    static let start = ("Start", "/transport/locate")
    static let position = "/transport/position"

    /// A subscription lasts 10 s; it is renewed well before.
    static let renewalMilliseconds = 4000
    /// Where the faders' law has unity gain.
    static let unityPosition = FaderLaw.position(gain: 1)
    /// From end to end of a control that is a number.
    static func range(of control: Control) -> ClosedRange<Double> {
        if case .number(let range) = control.entry.kind { range } else { 0...1 }
    }

    static func page(of strip: Strip, in pages: [ProcessorPage]) -> ProcessorPage? {
        strip.bus == nil ? pages.first { $0.strip.place == strip.place } : nil
    }

    /// Meters go from here to +6 dB.
    static let lowestLevel = -60
    static let highestLevel = 6
}
