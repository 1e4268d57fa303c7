import Timeline

/// What a tablet shows of a session, whatever app draws it: a strip for each track and the master, and the transport.
public struct Surface: Sendable {
    /// One channel strip.
    public struct Strip: Sendable {
        public let name: String
        /// What its addresses begin with.
        public let address: String
        /// Whether it has solo and pan.
        public let isTrack: Bool
    }

    public let strips: [Strip]
    public let master: Strip

    public init(_ session: Session) {
        strips = session.tracks.enumerated().map { Strip(name: $1.name, address: "/track/\($0 + 1)", isTrack: true) }
        master = Strip(name: "master", address: "/master", isTrack: false)
    }

    /// Buttons of the transport: what they say and send.
    static let transport = [("Play", "/transport/play"), ("Stop", "/transport/stop"), ("Undo", "/session/undo"), ("Redo", "/session/redo")]
    static let start = ("Start", "/transport/locate")
    static let position = "/transport/position"

    /// A subscription lasts 10 s; it is renewed well before.
    static let renewalMilliseconds = 4000
    /// Where the faders' law has unity gain.
    static let unityPosition = FaderLaw.position(gain: 1)
    /// Meters go from here to +6 dB.
    static let lowestLevel = -60
    static let highestLevel = 6
}
