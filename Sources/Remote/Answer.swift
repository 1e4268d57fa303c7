import JSON
import Timeline

/// Everything that the mixer says to whoever asks. How it travels, as OSC or as JSON, is the affair of the
/// edge that asked.
public enum Answer: Equatable, Sendable {
    case control(StripPlace, Control, ControlValue)
    case automation(StripPlace, Control, Automation)
    /// Tracks count from 1.
    case clips(track: Int, [PlacedClip])
    /// A new strip, of a kind that counts from 1.
    case added(StripPlace)
    case buses([BusSummary])
    case dcas([DCASummary])
    case sends(StripPlace, [SendSummary])
    /// nil: there is none.
    case equaliser(StripPlace, Equaliser?)
    /// In LUFS over 400 ms, over 3 s and since the reset, and in dBTP; negative infinity for silence.
    case loudness(StripPlace, momentary: Double, shortTerm: Double, integrated: Double, truePeak: Double)
    /// In LU.
    case loudnessRange(StripPlace, Double)
    /// In dB, from 20 Hz on, a sixth of an octave apart.
    case spectrum(StripPlace, [Float])
    /// The highest absolute sample since the reset, linear, and how often it was above full scale.
    case peak(StripPlace, Float, overs: Int)
    /// As the session's file has it; null without one.
    case dynamics(StripPlace, DynamicsKind, JSONValue)
    case soloMode(SoloMode)
    case directOuts(DirectOutMode)
    case muteGroups([MuteGroupSummary])
    case monitoring(MonitorControl, ControlValue)
    /// nil: it shares nothing out.
    case automix(StripPlace, AutomixSummary?)
    /// Inputs are replaced by what they have recorded.
    case soundcheck(Bool)
    /// A panic holds.
    case silenced(Bool)
    /// A new track with an input; it counts from 1.
    case addedInput(track: Int)
    /// nil: none.
    case input(track: Int, Input?)
    /// What armed tracks record while the transport rolls, in seconds where that is less than all.
    case record(isOn: Bool, ClosedRange<Double>?)
    /// In seconds; nil: no loop.
    case loop(ClosedRange<Double>?)
    /// The frame is at the session's rate.
    case position(frame: Int64, seconds: Double)
    case state(isRolling: Bool)
    case stopsAtEnd(Bool)
    case connections([PortConnection])
    case ports([ServerPort])
    case tracks([TrackSummary])
    case status(MixerStatus)
    case version
    case sessions([String])
    /// As the session's file has it.
    case midi(JSONValue)
    /// As in the session's file.
    case ducks(JSONValue)
    /// The message that has come.
    case learned(MIDISource)
    case scenes([String])
    /// nil: there is none.
    case video(Video?)
    case markers([Marker])
    case collection(CollectionState)
    case missing([MissingFile])
    /// What was taken back, and what was made again.
    case undone(String)
    case redone(String)
    /// Oldest first; those taken back come last.
    case history([HistoryStep])
    /// A number that grows whenever the timeline, the markers, the scenes or the strips change, and what undo
    /// would take back and redo make again; empty for nothing.
    case edition(Int, undo: String, redo: String)
    case pong(Int32?)
    /// What else whoever asked should know: the command is done, but not all of it, or more than it says.
    case note(String)
}

/// A mute group at a glance: its members by their names.
public struct MuteGroupSummary: Equatable, Sendable {
    public let name: String
    public let members: [String]
    public let isOn: Bool

    public init(name: String, members: [String], isOn: Bool) {
        (self.name, self.members, self.isOn) = (name, members, isOn)
    }
}

/// A clip with where it ends; nil where that cannot be known.
public struct PlacedClip: Equatable, Sendable {
    public let clip: Clip
    /// nil: nobody knows.
    public let end: MediaTime?
    /// The end is a guess: the file is still being decoded.
    public let isEstimated: Bool

    public init(_ clip: Clip, end: MediaTime?, isEstimated: Bool = false) {
        (self.clip, self.end, self.isEstimated) = (clip, end, isEstimated)
    }
}

/// A track at a glance.
public struct TrackSummary: Equatable, Sendable {
    public let number: Int
    public let track: Track
    /// Where the fader stands at this moment, which a fade may be moving.
    public let fader: Double
    /// Where its sound goes: a bus by its name, `master`, `none` or `ports`.
    public let output: String

    public init(number: Int, track: Track, fader: Double, output: String) {
        (self.number, self.track, self.fader, self.output) = (number, track, fader, output)
    }
}

/// A bus at a glance.
public struct BusSummary: Equatable, Sendable {
    public let number: Int
    public let strip: Strip
    /// Where the fader stands at this moment.
    public let fader: Double
    /// Where its sound goes.
    public let output: String

    public init(number: Int, strip: Strip, fader: Double, output: String) {
        (self.number, self.strip, self.fader, self.output) = (number, strip, fader, output)
    }
}

/// A DCA at a glance.
public struct DCASummary: Equatable, Sendable {
    public let number: Int
    public let dca: DCA
    /// Where the fader stands at this moment.
    public let fader: Double
    /// The names of what hangs on it.
    public let members: [String]

    public init(number: Int, dca: DCA, fader: Double, members: [String]) {
        (self.number, self.dca, self.fader, self.members) = (number, dca, fader, members)
    }
}

/// A send at a glance.
public struct SendSummary: Equatable, Sendable {
    /// The names of the strip that it leaves, and of the bus that it goes to.
    public let strip: String
    public let bus: String
    public let send: Send
    /// Where its level stands at this moment.
    public let volume: Double

    public init(strip: String, bus: String, send: Send, volume: Double) {
        (self.strip, self.bus, self.send, self.volume) = (strip, bus, send, volume)
    }
}

/// A port of the mixer and what it plays into.
public struct PortConnection: Equatable, Sendable {
    public let port: String
    public let other: String
    /// Else it will be when the other port is there.
    public let isMade: Bool

    public init(port: String, other: String, isMade: Bool) {
        (self.port, self.other, self.isMade) = (port, other, isMade)
    }
}

/// A port on the JACK server.
public struct ServerPort: Equatable, Sendable {
    public enum Medium: String, Sendable { case sound, midi }
    /// As JACK says it: an output gives, an input takes.
    public enum Direction: String, Sendable { case output, input }

    /// As `connect` takes it: of the mixer's own without the client's name.
    public let name: String
    public let direction: Direction
    public let medium: Medium
    public let isOwn: Bool
    /// The address of the strip whose port it is, or `/monitor`; nil for MIDI's, and for other programs'.
    public var owner: String?

    public init(name: String, direction: Direction, medium: Medium, isOwn: Bool) {
        (self.name, self.direction, self.medium, self.isOwn) = (name, direction, medium, isOwn)
    }
}

/// How a collection of the session's files fares.
public enum CollectionState: Equatable, Sendable {
    case none
    /// The share that is copied, 0 to 1.
    case running(Double)
    case done(path: String, files: Int)
    case failed(String)
}

/// A file that is missing, and where files of its name are.
public struct MissingFile: Equatable, Sendable {
    public let file: String
    public let found: [String]

    public init(file: String, found: [String]) { (self.file, self.found) = (file, found) }
}

/// A step that can be taken back, or made again.
public struct HistoryStep: Equatable, Sendable {
    public let name: String
    /// It can be taken back; else it can be made again.
    public let isDone: Bool

    public init(name: String, isDone: Bool) { (self.name, self.isDone) = (name, isDone) }
}

/// The mixer at a glance.
public struct MixerStatus: Equatable, Sendable {
    /// How the audio thread keeps time.
    public struct Callback: Equatable, Sendable {
        public var periods = 0
        public var late = 0
        public var medianMicroseconds = 0
        public var percentile999Microseconds = 0
        public var longestMicroseconds = 0.0

        public init() {}
    }

    /// The JACK server that it plays on.
    public struct Server: Equatable, Sendable {
        public var isRunning = false
        public var name = ""
        public var sampleRate: Int32 = 0
        public var period = 0
        public var xruns = 0
        public var callback = Callback()
        /// Frames until what leaves the ports is heard.
        public var latency = 0
        /// The audio thread goes before others.
        public var isRealtime = false

        public init() {}
    }

    /// How a track's stream fares.
    public struct Stream: Equatable, Sendable {
        public let dropouts: Int
        /// The fewest frames that were read ahead when they were wanted.
        public let lowestFill: Int

        public init(dropouts: Int, lowestFill: Int) {
            (self.dropouts, self.lowestFill) = (dropouts, lowestFill)
        }
    }

    /// A file whose sound is still being decoded.
    public struct Decoding: Equatable, Sendable {
        public let path: String
        /// What can be played by now, 0 to 1.
        public let share: Double

        public init(path: String, share: Double) { (self.path, self.share) = (path, share) }
    }

    public var server = Server()
    public var decoding: [Decoding] = []
    /// Edits that wait until it is known how long those files are.
    public var waitingEdits = 0
    public var isRolling = false
    /// At the session's rate.
    public var frame: Int64 = 0
    public var seconds = 0.0
    public var dropouts = 0
    public var isMemoryLocked = false
    /// nil: not saved yet.
    public var session: String?
    public var hasUnsavedChanges = false
    /// Where the last clip ends, in seconds.
    public var end = 0.0
    public var sessionRate: Int32 = 0
    public var buses = 0
    public var dcas = 0
    /// Armed tracks record while it rolls.
    public var isRecording = false
    /// A panic holds the mix silent.
    public var isSilenced = false
    /// What inputs have recorded is heard in their place.
    public var isSoundcheck = false
    /// Frames that could not be recorded because the disk was late.
    public var lostFrames = 0
    /// Samples that came in and were no numbers: silence is in their place.
    public var silencedSamples = 0
    /// What the disk has left that takes go to; nil: it has not said so yet.
    public var freeBytes: Int64?
    /// How long what is armed can be recorded there, or else all inputs; nil without inputs.
    public var recordingSeconds: Double?
    /// One for each track.
    public var streams: [Stream] = []

    public init() {}
}
