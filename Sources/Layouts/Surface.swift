import Remote
import Timeline

/// What a tablet shows of a session, whatever app draws it: a strip for each track and the master, and the transport.
public struct Surface: Sendable {
    /// One channel strip.
    public struct Strip: Sendable {
        public let name: String
        let place: StripPlace

        /// Where a control of it is set and told.
        func address(of control: Control) -> String { place.address(of: control) }

        /// What its addresses begin with.
        var address: String { place.address }

        func has(_ control: Control) -> Bool { control.entry.kinds.contains(place.kind) }
    }

    public let strips: [Strip]
    public let master: Strip
    /// The names of scenes to be recalled.
    let scenes: [String]

    public init(_ session: Session) {
        scenes = session.scenes.prefix(Self.maximumScenes).map(\.name)
        strips = session.tracks.enumerated().map { Strip(name: $1.name, place: .track($0 + 1)) }
        master = Strip(name: "master", place: .master)
    }

    /// Buttons of the transport: what they say and send.
    static let transport = [("Play", "/transport/play"), ("Stop", "/transport/stop"), ("Panic", "/panic"), ("Undo", "/session/undo"), ("Redo", "/session/redo")]
    /// A switch of the transport.
    static let loop = ("Loop", "/transport/loop")
    static let recall = "/scene/recall"
    /// As many as there is room for.
    private static let maximumScenes = 8
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

    /// Meters go from here to +6 dB.
    static let lowestLevel = -60
    static let highestLevel = 6
}
