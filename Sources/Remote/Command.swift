import OSC
import Speakers
import Timeline

/// Everything that a person or a controller can ask of the mixer. The shell, the REPL and OSC only translate
/// to and from it.
public enum Command: Equatable, Sendable {
    // The controls of strips.
    case ask(StripReference, Control)
    case set(StripReference, Control, ControlValue)
    /// The fader glides, or another control that can.
    case fade(StripReference, Control, to: Double, over: TimeSpec, curve: Curve)
    /// The same to where a step leads from where it stands.
    case fadeBy(StripReference, Control, Step, over: TimeSpec, curve: Curve)
    /// A control moves from where it stands, to the end of its range at the most.
    case nudge(StripReference, Control, by: Step)

    // The timeline: points and ramps of a control.
    case point(StripReference, Control, value: Double, at: TimeSpec, replace: Bool)
    case ramp(
        StripReference, Control, from: Double, to: Double, start: TimeSpec, end: TimeSpec, curve: Curve,
        replace: Bool)
    case automation(StripReference, Control)
    /// Without times: all of it.
    case clearAutomation(StripReference, Control, from: TimeSpec?, to: TimeSpec?)
    /// The event of that number, from 1.
    case removeEvent(StripReference, Control, Int)
    case moveEvent(StripReference, Control, Int, to: TimeSpec, replace: Bool)
    case duck(StripReference, under: StripReference, to: Double, attack: TimeSpec?, release: TimeSpec?)
    /// The same by the level of a strip.
    case duckBySignal(StripReference, under: StripReference, to: Double, SignalDuckWords)
    /// A button that lowers it: the control `duck`.
    case duckByHand(StripReference, to: Double, attack: TimeSpec?, release: TimeSpec?)

    // Buses, sends, DCAs.
    case buses
    /// A bus of that name, with those channels.
    case addBus(String, SpeakerLayout)
    case sends(StripReference)
    /// Some of the level, the tap and the matrix of a send at once.
    case send(StripReference, Selector, [SendSetting])
    case removeSend(StripReference, Selector)
    case askEqualiser(StripReference)
    case equalise(StripReference, EqualiserChange)
    /// What a bus or the master measures; or from now on.
    case askLoudness(StripReference)
    case resetLoudness(StripReference)
    /// In LU, between soft and loud parts.
    case askLoudnessRange(StripReference)
    /// Levels at frequencies a sixth of an octave apart.
    case askSpectrum(StripReference)
    /// The highest peak since the reset, and how often it was above full scale.
    case askPeak(StripReference)
    case resetPeak(StripReference)
    case askDynamics(StripReference, DynamicsKind)
    case setDynamics(StripReference, DynamicsKind, DynamicsChange)
    case dcas
    /// What solo does; nil asks.
    case soloMode(SoloMode?)
    case directOuts(DirectOutMode?)
    case muteGroups
    case ducks
    /// One of that name.
    case muteGroup(String, MuteGroupChange)
    case askAutomix(StripReference)
    /// These settings of a bus, or of what goes there, as one step.
    case automix(StripReference, member: StripReference?, [AutomixSetting])
    case clearAutomix(StripReference)
    /// The sound in the control room; nil asks.
    case monitoring(MonitorControl, ControlValue?)
    case nudgeMonitor(MonitorControl, by: Step)
    /// Whether inputs are replaced by what they have recorded; nil asks.
    case soundcheck(Bool?)
    /// A DCA of that name, with what hangs on it.
    case addDCA(String, [StripReference])
    /// Hangs strips on a DCA, or takes them off.
    case assign(StripReference, [StripReference], Bool)

    // Inputs.
    /// A track of that name that hears these ports.
    case addInput(String, InputPorts)
    case askInput(StripReference)
    /// nil takes it away.
    case input(StripReference, InputPorts?)
    /// Whether armed tracks record; nil asks.
    case record(Recording?)

    // Tracks and clips.
    case add(file: String, at: Place?)
    /// With `push` what lies there and behind makes room.
    case insert(
        StripReference, file: String, at: Place, from: TimeSpec?, duration: TimeSpec?, push: Bool,
        crossfade: Crossfade?)
    case clips(StripReference, ClipCommand)
    case remove(StripReference)

    // The transport.
    case play
    /// With a time the sum of all fades to silence first; the faders stay.
    case stop(over: TimeSpec?)
    /// The same, and what waits for its time is forgotten.
    case panic(over: TimeSpec?)
    /// Whether a panic holds; false ends it, nil asks.
    case silenced(Bool?)
    case locate(Place)
    case loop(from: TimeSpec, to: TimeSpec)
    /// From the start of the timeline to the end of the last clip.
    case loopOn
    case loopOff
    case askLoop
    /// Whether it stops where the last clip ends; nil asks.
    case stopAtEnd(Bool?)
    case position
    case state

    // The ports on the server.
    case connections
    case ports
    /// A port of the mixer, as "master_1", to another client's: now, or when that is there.
    case connect(port: String, to: String)
    /// From one other port, or from all.
    case disconnect(port: String, from: String?)

    // The whole.
    case tracks
    case status
    case version
    case save(String?)
    case load(String)
    /// The sessions beside this one.
    case sessions
    /// An empty session, not saved yet.
    case new
    /// Copies the session and all its files to a folder; nil asks how far that is.
    case collect(String?)
    /// Files that are missing, and where files of their names are.
    case missing
    /// Every clip of the first file plays the second.
    case relink(String, to: String)
    /// The mixer ends, as it does by Ctrl-C.
    case quit
    case undo
    case redo
    /// The steps that can be taken back or made again.
    case history
    /// Which state of the timeline this is, and what undo and redo would do.
    case edition
    case scene(SceneCommand)
    case marker(MarkerCommand)
    case video(VideoCommand)
    case midi(MIDICommand)
    /// Answered when all that came before it is done.
    case ping(Int32?)
    /// Changes of what matches the pattern go to whoever asks, for a while; without a pattern all.
    case subscribe(pattern: String, rate: Int)
    /// Without a pattern: all subscriptions of whoever asks.
    case unsubscribe(pattern: String?)
    /// Forgets what waits for its time.
    case clear
    /// What an address is for; without one all of them.
    case help(String?)
    case miniMix(MiniMixCommand)
    /// A button was let go.
    case nothing

    // Only for scripts: the shell itself carries them out.
    case wait(TimeSpec)
    /// Until the playhead is there.
    case waitUntil(TimeSpec)
}

/// What becomes of a mute group.
public enum MuteGroupChange: Equatable, Sendable {
    /// It silences its members, or does no more.
    case turn(Bool)
    /// It silences these from now on, and is made if there is none.
    case members([StripReference])
    case remove
}

/// Where a locate leads, and where a clip is laid.
public enum Place: Equatable, Sendable {
    case time(TimeSpec)
    /// Where the playhead stands, unless a marker has that name.
    case here
    /// From where the playhead stands; for a clip that is moved, from where it lies.
    case later(TimeSpec)
    /// The same, back; never before the start.
    case earlier(TimeSpec)
    /// Where the last clip ends.
    case end
    /// The marker of that name.
    case marker(String)

    /// It is counted from the playhead.
    package var needsPlayhead: Bool {
        switch self {
        case .here, .later, .earlier: true
        case .time, .end, .marker: false
        }
    }

    /// As someone wrote it: a time, `here`, `+5s`, `-5s`, `end`, or the name of a marker.
    /// - Throws: `CommandError` for what is none of these.
    init(parsing text: String) throws(CommandError) {
        switch text.first {
        case "+": self = .later(try Words.time(String(text.dropFirst())))
        case "-": self = .earlier(try Words.time(String(text.dropFirst())))
        default:
            // What can be read as a time is none of a marker's names.
            self =
                text == "end"
                ? .end
                : text == "here"
                    ? .here : Marker.problem(text) == nil ? .marker(text) : .time(try Words.time(text))
        }
    }
}

/// What an input is connected to, port by port.
public struct InputPorts: Equatable, Sendable {
    /// One is heard on both sides, two are left and right, more are those of a layout.
    public let channels: Int
    public let connect: [String]

    public init(channels: Int, connect: [String]) { (self.channels, self.connect) = (channels, connect) }

    /// As someone wrote it: ports, one for each channel, or a word for how many there are before or behind
    /// them.
    init(parsing words: [String], layout: SpeakerLayout? = nil) throws(CommandError) {
        let named = words.compactMap { SpeakerLayout($0) }
        let layouts = named + (layout.map { [$0] } ?? [])
        let ports = words.filter { SpeakerLayout($0) == nil }
        if Set(layouts).count > 1 {
            let names = layouts.map(\.name).joined(separator: " and ")
            throw CommandError("an input has one number of channels, not two: \(names)", isUsage: true)
        }
        guard let layout = layouts.first ?? SpeakerLayout(rawValue: max(1, ports.count)),
            !layouts.isEmpty || ports.count <= 2
        else {
            throw CommandError(
                "an input has one port, mono, or two, stereo; --channels N gives it more", isUsage: true)
        }
        if ports.count > layout.channels {
            let most = layout.channels == 1 ? "one port" : "\(layout.channels) ports"
            throw CommandError("what is \(layout.name) has \(most), not \(ports.count)", isUsage: true)
        }
        self.init(channels: layout.channels, connect: ports)
    }
}

/// When armed tracks record.
public enum Recording: Equatable, Sendable {
    case off
    /// Whenever the transport rolls.
    case on
    /// While it rolls between two times.
    case range(TimeSpec, TimeSpec)
    /// Between the ends of the loop.
    case loop
}

/// What can be done with the clips of a track; they count from 1.
public enum ClipCommand: Equatable, Sendable {
    case list
    /// Where the track ends.
    case append(file: String, from: TimeSpec?, duration: TimeSpec?, crossfade: Crossfade?)
    /// One file behind the other, where the track ends; a folder is all files in it that can be played.
    case playlist([String], crossfade: Crossfade?)
    case split(Place)
    case move(Int, to: Place, push: Bool, crossfade: Crossfade?)
    /// What its samples are multiplied by before all else.
    case gain(Int, Double)
    /// How it plays its file: it begins where it did.
    case pace(Int, ClipPace, ControlValue)
    /// Moves its gain, speed or pitch from where it stands.
    case step(Int, ClipNumber, Step)
    /// Takes it away; what lies behind stays.
    case remove(Int)
    /// Has it begin and end elsewhere; what is heard in between stays where it is.
    case trim(Int, from: TimeSpec, to: TimeSpec)
    case fade(Int, ClipEdge, TimeSpec, Curve)
    /// Takes out the pauses.
    case stripSilence(StripSilence)
    /// Plays it so many times more, each where the one before ends.
    case `repeat`(Int, times: Int, push: Bool)
    /// Opens a silence; what lies behind moves back.
    case silence(at: TimeSpec, duration: TimeSpec)
    /// Takes out a range; what lies behind closes the gap unless that is kept. Of all tracks it is taken out
    /// of automation and markers too, unless those are kept.
    case removeRange(from: TimeSpec, to: TimeSpec, keepsGap: Bool, keepsAutomation: Bool)
}

/// What counts as a pause: what stays below a linear level for at least so long, but for a little on either
/// side.
public struct StripSilence: Equatable, Sendable {
    public let threshold: Double
    public let minimum: TimeSpec
    public let pad: TimeSpec
    /// What lies behind a pause closes up.
    public let closes: Bool

    /// -40 dB, half a second and 50 ms where it is not told.
    public init(threshold: Double?, minimum: TimeSpec?, pad: TimeSpec?, closes: Bool = false) {
        self.closes = closes
        self.threshold = threshold ?? 0.01
        self.minimum = minimum ?? .time(.milliseconds(500))
        self.pad = pad ?? .time(.milliseconds(50))
    }
}

/// By how much a clip overlaps the one before it, which falls while this one rises.
public struct Crossfade: Equatable, Sendable {
    public let duration: TimeSpec
    public let curve: Curve

    public init(_ duration: TimeSpec, curve: Curve) { (self.duration, self.curve) = (duration, curve) }
}

/// An end of a clip.
public enum ClipEdge: String, Sendable {
    case fadeIn = "fadein"
    case fadeOut = "fadeout"
}

/// Scenes: where all faders, pans, mutes, sends and processors stand, under a name.
public enum SceneCommand: Equatable, Sendable {
    case list
    case store(String)
    /// At once, or as a fade; nil parts are all of them, nil strips too.
    case recall(String, over: TimeSpec?, parts: Set<ScenePart>? = nil, strips: [StripReference]? = nil)
    case remove(String)
}

/// The movie that the session belongs to.
public enum VideoCommand: Equatable, Sendable {
    case ask
    /// A movie, a time of the timeline, and the time of the movie that is seen there.
    case set(String, at: TimeSpec?, from: TimeSpec?)
    case remove
}

/// Markers: places on the timeline with names.
public enum MarkerCommand: Equatable, Sendable {
    case list
    /// Where the playhead stands unless told.
    case add(String, at: TimeSpec?)
    case remove(String)
}

/// What JackMiniMix understands; channels are tracks, from 1.
public enum MiniMixCommand: Equatable, Sendable {
    case count
    /// In dB; nil asks.
    case gain(Int, Double?)
    case label(Int, String?)
}

/// Which of several is meant.
public enum Selector: Hashable, Sendable {
    /// From 1.
    case number(Int)
    case name(String)
    /// An OSC pattern over numbers and names: all that match.
    case pattern(String)

    /// As someone wrote it: digits are a number, pattern characters a pattern, all else a name.
    public init(_ text: some StringProtocol) {
        if let number = Int(text) {
            self = .number(number)
        } else {
            self = OSCPattern.isPattern(text) ? .pattern(String(text)) : .name(String(text))
        }
    }

    public var text: String {
        switch self {
        case .number(let number): String(number)
        case .name(let text), .pattern(let text): text
        }
    }
}

/// Which strips are meant.
public enum StripReference: Equatable, Sendable {
    /// Tracks by their numbers or a pattern; a name may be that of any strip.
    case track(Selector)
    case bus(Selector)
    case dca(Selector)
    case master
    /// Strips of every kind but the master, by a pattern.
    case any(Selector)

    /// As someone wrote it: `master`, `bus:1`, `dca:1`; digits are a track's number, all else a name, or a
    /// pattern over strips of every kind.
    public init(_ text: some StringProtocol) {
        if text == "master" {
            self = .master
        } else if text.hasPrefix("bus:") {
            self = .bus(Selector(text.dropFirst(4)))
        } else if text.hasPrefix("dca:") {
            self = .dca(Selector(text.dropFirst(4)))
        } else {
            let selector = Selector(text)
            self = if case .pattern = selector { .any(selector) } else { .track(selector) }
        }
    }

    /// One strip by its number.
    public init(_ place: StripPlace) {
        self =
            switch place {
            case .track(let number): .track(.number(number))
            case .bus(let number): .bus(.number(number))
            case .dca(let number): .dca(.number(number))
            case .master: .master
            }
    }

    /// One of a kind; of the master there is but one.
    init(_ kind: StripKind, _ selector: Selector) {
        self =
            switch kind {
            case .track: .track(selector)
            case .bus: .bus(selector)
            case .dca: .dca(selector)
            case .master: .master
            }
    }

    /// Of which kind; a name may be that of any strip all the same.
    public var kind: StripKind {
        switch self {
        case .track, .any: .track
        case .bus: .bus
        case .dca: .dca
        case .master: .master
        }
    }

    /// Which of its kind; nil for the master.
    public var selector: Selector? {
        switch self {
        case .track(let selector), .bus(let selector), .dca(let selector), .any(let selector): selector
        case .master: nil
        }
    }

    /// As it can be written.
    public var text: String {
        switch self {
        case .track(let selector), .any(let selector): selector.text
        case .bus(let selector): "bus:\(selector.text)"
        case .dca(let selector): "dca:\(selector.text)"
        case .master: "master"
        }
    }

    /// What addresses begin with that mean strips of every kind.
    static let anyRoot = "strip"

    /// What its addresses begin with.
    var address: String {
        switch self {
        case .track(let selector): "/track/\(selector.text)"
        case .bus(let selector): "/bus/\(selector.text)"
        case .dca(let selector): "/dca/\(selector.text)"
        case .any(let selector): "/\(StripReference.anyRoot)/\(selector.text)"
        case .master: "/master"
        }
    }
}

extension Command {
    /// The strips that it takes something away from.
    public var stripsThatLose: StripReference? {
        switch self {
        case .remove(let track), .clearAutomation(let track, _, _, _), .removeEvent(let track, _, _),
            .clips(let track, .removeRange), .clips(let track, .stripSilence):
            track
        default: nil
        }
    }

    /// Sets or, without a value, asks.
    static func control(_ strip: StripReference, _ control: Control, _ value: ControlValue?) -> Command {
        value.map { .set(strip, control, $0) } ?? .ask(strip, control)
    }
}

/// How a fader's value is told beside as a gain.
public enum FaderScale: String, CaseIterable, Sendable {
    /// In dB, from negative infinity.
    case db
    /// Where a physical fader stands, from 0 to 1: `FaderLaw`.
    case position

    public func value(gain: Double) -> Double {
        switch self {
        case .db: Volume.level(gain: gain)
        case .position: FaderLaw.position(gain: gain)
        }
    }

    /// - Throws: `CommandError` for what is not on the scale: refused, never clamped.
    public func gain(_ value: Double) throws(CommandError) -> Double {
        switch self {
        case .db:
            guard value <= Volume.level(gain: Volume.range.upperBound) else {
                throw CommandError("\(value) dB is not a volume: it goes from -inf to +12 dB")
            }
            return Volume.gain(level: value)
        case .position:
            guard (0...1).contains(value) else {
                throw CommandError("\(value) is not a fader's position: it goes from 0 to 1")
            }
            return FaderLaw.gain(position: value)
        }
    }
}

/// Why a command is refused: what was asked, why not, what to do.
public struct CommandError: Error, Equatable, CustomStringConvertible {
    public let description: String
    /// How the command was put together is wrong, not what it asks for.
    public let isUsage: Bool

    public init(_ description: String, isUsage: Bool = false) {
        self.description = description
        self.isUsage = isUsage
    }
}

/// The version of both programs.
public let programVersion = "0.1.0"
