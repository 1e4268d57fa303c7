import Timeline

/// What a strip is set to.
public struct StripSettings: Equatable, Sendable {
    /// The live level, linear, 0 to 4.
    public var fader = 1.0
    /// Neither muted nor silenced by another's solo.
    public var isHeard = true
    /// -1 (left) to 1 (right): a balance that leaves both sides untouched at 0.
    public var pan = 0.0
    /// What its sound is multiplied by before all else: -4 to 4, below zero upside down.
    public var trim = 1.0
    /// What lowers it where it is quiet; nil: nothing.
    public var gate: Gate?
    /// What its sound is filtered by, behind that; nil: nothing.
    public var equaliser: Equaliser?
    /// What lowers it where it is loud, behind that; nil: nothing.
    public var compressor: Compressor?
    /// What keeps its peaks under a level, last of all; nil: nothing.
    public var limiter: Limiter?
    /// How much later all that is heard, 0 to 2 s.
    public var delay = MediaTime.zero

    /// What a hand lowers it to for a while.
    public var duck = HandDuck()

    /// What a hand lowers a strip to: nothing unless told.
    public struct HandDuck: Equatable, Sendable {
        /// Linear.
        public var level = 1.0
        /// How long the whole way there takes.
        public var duration = MediaTime.zero
        /// How far that is.
        public var way = 0.0

        /// Nothing.
        public init() {}
    }

    /// A setting of some strips or sends that is moved even where it stays the same: a fade that is under way
    /// ends.
    public struct Moved: Sendable {
        /// Which setting.
        public enum Part: Sendable {
            /// The live level.
            case fader
            /// The balance.
            case pan
            /// What the sound is multiplied by before all else.
            case trim
        }
        let part: Part
        let ids: Set<StripID>

        /// - Parameter ids: of strips and sends.
        public init(_ part: Part, of ids: Set<StripID>) { (self.part, self.ids) = (part, ids) }
    }

    /// At unity, heard, in the centre unless told.
    public init(fader: Double = 1, isHeard: Bool = true, pan: Double = 0, trim: Double = 1) {
        (self.fader, self.isHeard, self.pan, self.trim) = (fader, isHeard, pan, trim)
    }

    var left: Double { pan > 0 ? 1 - pan : 1 }
    var right: Double { pan < 0 ? 1 + pan : 1 }
}
