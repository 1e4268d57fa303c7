import JSON
import Speakers

/// What every channel has, be it a track, a bus, a DCA or the master: what hands move, where its sound goes,
/// and what the timeline says of that.
public struct Strip: Equatable, Sendable {
    /// Given by the session that it is added to.
    public internal(set) var id = StripID(rawValue: -1)
    /// As `StripName` allows; unlike any other's.
    public var name: String
    /// The channels that it has: `Session.setLayout`.
    public internal(set) var layout = SpeakerLayout.stereo
    /// What its sound is multiplied by before all else, linear, 0 to 4.
    public var trim = 1.0
    /// Whether its sound is turned upside down.
    public var polarity = false
    /// What lowers it where it is quiet; nil: nothing.
    public var gate: Gate?
    /// What its sound is filtered by, behind that; nil: nothing.
    public var equaliser: Equaliser?
    /// What lowers it where it is loud, behind that; nil: nothing.
    public var compressor: Compressor?
    /// How much later it is heard, behind that: 0 to 2 s.
    public var delay = MediaTime.zero
    /// What keeps its peaks under a level, last of all; nil: nothing.
    public var limiter: Limiter?
    /// Of a bus: what it shares out among those that go there; nil: nothing.
    public var automix: Automix?
    /// How it takes part in the automix of the bus that it goes to.
    public var automixing = Automix.Member()
    /// So many strips have one at the most: each costs time on the audio thread.
    public static let maximumLimiters = 64
    /// The live level, linear, 0 to 4.
    public var fader = 1.0
    /// Balance from -1 (left) to 1 (right); 0 leaves both sides untouched.
    public var pan = 0.0
    /// Silences it.
    public var mute = false
    /// What that silences.
    public var muteMode = MuteMode.main
    /// Silences what is not on solo, unless that feeds this or is fed by it.
    public var solo = false
    /// Another's solo does not silence it.
    public var soloSafe = false
    /// Where its sound goes.
    public var output = Output.master
    /// Where it goes beside its output, each with a level of its own; one for each bus at the most.
    public internal(set) var sends: [Send] = []
    /// What the timeline says of its controls: `[automation:]`.
    var lanes = Lanes()
    /// What hands do to all of that.
    public var writing = WriteModes()
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// One at unity, in the centre, heard, on its way to the master.
    public init(name: String) { self.name = name }
}

extension Strip {
    /// The longest delay.
    public static let longestDelay = MediaTime(value: 2, timescale: 1)
    /// So many strips of a session have a delay at the most: each takes room for all of that.
    public static let maximumDelays = 64
    /// In metres a second, in air of 20 degrees: what a delay in metres or feet goes by.
    public static let speedOfSound = 343.2
}
