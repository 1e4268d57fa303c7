import JSON
import Speakers

/// Names a strip, or a send, for as long as the session lives, wherever it moves in its list.
public struct StripID: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The sum of all.
    public static let master = StripID(rawValue: 0)
    /// What is on solo, where that is played on ports of its own.
    public static let monitor = StripID(rawValue: -2)
    /// What has the MIDI ports: their pairs stand in the places of its channels.
    public static let midi = StripID(rawValue: -3)
    /// The send from a strip to what is on solo.
    public static func toMonitor(from id: StripID) -> StripID {
        StripID(rawValue: monitor.rawValue - 2 - id.rawValue)
    }
}

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

/// Where a strip's sound goes.
public enum Output: Hashable, Sendable {
    /// The sum of all.
    case master
    /// Nowhere; its sends work all the same.
    case none
    /// Ports of its own.
    case ports
    /// A bus.
    case bus(StripID)
}

/// A strip's sound on its way into a bus, beside its output.
public struct Send: Equatable, Sendable {
    /// Given by the session.
    public internal(set) var id = StripID(rawValue: -1)
    /// The bus that it goes to.
    public internal(set) var bus: StripID
    /// Its level, linear, 0 to 4.
    public var volume: Double
    /// Balance from -1 (left) to 1 (right).
    public var pan = 0.0
    /// Silences it.
    public var mute = false
    /// It leaves before the strip's automation, fader, mute and pan; else behind them.
    public var isPre = false
    /// It is heard only while somebody talks back by it.
    public var isTalkback = false
    /// What goes from which channel to which; nil: as the layouts say (`SpeakerLayout.parts`). It has the
    /// channels of the bus as rows and those of the strip as columns.
    public var matrix: SendMatrix?
    /// What the timeline says of its volume, pan and mute: `[automation:]`.
    var lanes = Lanes()
    /// What hands do to all of that.
    public var writing = WriteModes()
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// Nothing of it is heard by itself: it is muted, or waits for somebody to talk.
    public var isClosed: Bool { mute || isTalkback }

    /// A send at that level, behind the fader. `Session.setSend` puts it on a strip.
    public init(to bus: StripID, volume: Double = 1) { (self.bus, self.volume) = (bus, volume) }
}

/// A fader that several others hang on: it multiplies their faders, and its mute silences them.
@dynamicMemberLookup
public struct DCA: Equatable, Sendable {
    /// Its name, fader, mute and automation; the rest of a strip it has not.
    public var strip: Strip
    /// The tracks and buses that hang on it, or the master.
    public var members: [StripID] = []

    /// One that nothing hangs on.
    public init(name: String) { strip = Strip(name: name) }

    /// What the strip has.
    public subscript<Value>(dynamicMember path: KeyPath<Strip, Value>) -> Value { strip[keyPath: path] }
    /// What the strip has.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Strip, Value>) -> Value {
        get { strip[keyPath: path] }
        set { strip[keyPath: path] = newValue }
    }
}

/// The kinds of strips. Each counts its own from 1.
public enum StripKind: String, CaseIterable, Sendable {
    /// A strip with clips.
    case track
    /// A sum of strips.
    case bus
    /// A fader that others hang on.
    case dca
    /// The sum of all that goes nowhere else.
    case master
}

/// Which strip of a session, by its number.
public enum StripPlace: Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    case track(Int)
    /// From 1.
    case bus(Int)
    /// From 1.
    case dca(Int)
    /// There is one.
    case master

    /// What it is.
    public var kind: StripKind {
        switch self {
        case .track: .track
        case .bus: .bus
        case .dca: .dca
        case .master: .master
        }
    }

    /// "track 2", as messages say it.
    public var description: String {
        switch self {
        case .track(let number): "track \(number)"
        case .bus(let number): "bus \(number)"
        case .dca(let number): "DCA \(number)"
        case .master: "the master"
        }
    }
}

/// What a strip may be called.
public enum StripName {
    /// In bytes of UTF-8.
    public static let maximumLength = 100

    /// Whether there is anything in a name that a terminal would obey.
    public static func hasControlCharacters(_ name: String) -> Bool {
        name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// What patterns are written with: whoever means the track `*` would mean them all.
    private static let ofPatterns: Set<Character> = ["*", "?", "[", "]", "{", "}"]

    /// The name with an _ for each such letter.
    public static func withoutPattern(_ name: String) -> String {
        String(name.map { ofPatterns.contains($0) ? "_" : $0 })
    }

    /// Why `name` cannot be given to a strip, or nil. Sessions may have such strips from before.
    public static func problem(ofNew name: String) -> String? {
        if let letter = name.first(where: ofPatterns.contains) {
            return "a new name has no \(letter), which makes a pattern"
        }
        if [StripKind.bus, .dca].contains(where: { name.hasPrefix("\($0.rawValue):") }) {
            return "\"\(name)\" would be taken for a strip's number"
        }
        if ["none", "ports"].contains(name) {
            return "\"\(name)\" says where a strip goes, and cannot name one"
        }
        if name == "monitor" { return "\"monitor\" is the name of the ports that play what is monitored" }
        return problem(name)
    }

    /// Why `name` cannot name a strip, or nil: it must not be taken for a number, for the master, or for
    /// nothing.
    public static func problem(_ name: String) -> String? {
        if name.isEmpty { return "a name must not be empty" }
        if name.utf8.count > maximumLength { return "a name has at most \(maximumLength) bytes" }
        if name == "master" { return "\"master\" is the name of the sum of all tracks" }
        if Int(name) != nil { return "\"\(name)\" would be taken for a track's number" }
        if name.contains("/") { return "a name has no /, which parts an OSC address" }
        if hasControlCharacters(name) { return "a name has no control characters" }
        return nil
    }

    /// What stands between a track's name and the number of a port by which it hears others.
    public static let inputSuffix = "_in"

    /// What the ports of a strip begin with, those by which it is heard and those by which it hears.
    public static func ports(_ name: String, hasInput: Bool) -> Set<String> {
        hasInput ? [ofPorts(name), ofPorts(name) + inputSuffix] : [ofPorts(name)]
    }

    /// One of a strip's ports, as "voice_1" or "mic_in_1".
    public static func port(_ name: String, isInput: Bool, side: Int) -> String {
        "\(ofPorts(name))\(isInput ? inputSuffix : "")_\(side)"
    }

    /// What the ports that play what is monitored are called: "monitor", or the next that is free where a
    /// session from before has a strip of that name.
    static func ofMonitor(besides names: some Sequence<String>) -> String {
        let taken = Set(names.map(ofPorts))
        var (name, number) = ("monitor", 1)
        while taken.contains(name) {
            number += 1
            name = "monitor-\(number)"
        }
        return name
    }

    /// The name as it stands in a port's, where a colon parts a client's name from it. Strips whose ports
    /// would be called alike cannot be told apart there.
    public static func ofPorts(_ name: String) -> String {
        name.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "-")
    }
}
