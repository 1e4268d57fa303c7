import Files
import JSON
import Speakers

/// The document: tracks with their clips and automation, buses, DCAs, ducks, and the master. A plain value;
/// it knows no threads, files or sockets.
public struct Session: Equatable, Sendable {
    /// Frames per second, 8000 to 384000: what `96000f` counts and what a render writes.
    public var sampleRate: Int32 = 48000
    /// The channel strips, in the order of their numbers.
    public var tracks: [Track] = []
    /// Sums of strips, in the order of their numbers: strips without clips.
    public internal(set) var buses: [Strip] = []
    /// Faders that several others hang on, in the order of their numbers.
    public internal(set) var dcas: [DCA] = []
    /// Buttons that silence several strips at once, in the order in which they were made.
    public var muteGroups: [MuteGroup] = []
    /// What solo does.
    public var soloMode = SoloMode.inPlace
    /// Whether all tracks and buses have ports of their own; nil: as the program was told at its start.
    public var directOuts: DirectOutMode?
    /// What is heard in the control room.
    public var monitoring = Monitoring()
    /// Which tracks make way for which.
    public var ducks: [Duck] = []
    /// The sum of all that goes nowhere else.
    public var master = Strip(name: "master")
    /// Named snapshots of all faders, pans, mutes, sends and processors.
    public var scenes: [Scene] = []
    /// Places with names, in the order of their times: `setMarker`.
    public var markers: [Marker] = []
    /// The movie that it belongs to.
    public var video: Video?
    /// What MIDI moves.
    public var midi = MIDIMap()
    /// What remotes of other desks have set of what the mixer has not, for each dialect by its name: as they
    /// address it.
    public var deskMemory: [String: JSONObject] = [:]
    /// What its ports are connected to.
    public var connections: [PortLink] = []
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()
    private var ids = StripIDs()

    /// The rates that a session may have.
    public static let sampleRates: ClosedRange<Int32> = 8000...384_000
    /// More tracks than a large desk has; a bound for what a remote control may make the mixer hold.
    public static let maximumTracks = 16384
    /// The same for buses.
    public static let maximumBuses = 256
    /// The same for DCAs.
    public static let maximumDCAs = 64
    /// The same for the sends of a strip.
    public static let maximumSends = 64
    /// Tracks that are armed at once: for each some seconds of sound are kept in memory.
    public static let maximumArmed = 128
    /// The same for clips and for events of automation, of all tracks together.
    public static let maximumClips = 100_000
    /// Points and ramps of all strips together.
    public static let maximumEvents = 1_000_000

    /// An empty session at 48000 Hz.
    public init() { (master.id, master.output) = (.master, .ports) }

    /// Adds `track` at the end, with an id of its own.
    @discardableResult
    public mutating func append(_ track: Track) -> StripID {
        var track = track
        track.strip.id = newID()
        tracks.append(track)
        return track.id
    }

    /// Removes a track, the ducks that name it, and its place in DCAs and scenes.
    public mutating func removeTrack(at index: Int) {
        forget(tracks.remove(at: index).id)
    }

    mutating func newID() -> StripID { ids.next() }

    /// This session comes in the place of another. Strips that are added to it from now on get ids that no
    /// strip of that one had, so that nobody takes them for those.
    public mutating func takePlace(of session: Session) {
        ids.last = max(ids.last, session.ids.last)
    }

    /// Where a track stands in `tracks`; nil for one that is not there.
    public func index(of id: StripID) -> Int? { tracks.firstIndex { $0.id == id } }

    /// What the names of a strip's ports begin with.
    public func ports(of id: StripID) -> Set<String> {
        guard let place = place(of: id) else { return [] }
        return StripName.ports(
            self[place].name, hasInput: index(of: id).map { tracks[$0].input != nil } ?? false)
    }

    /// What the ports are called that play what is monitored.
    public var monitorName: String { StripName.ofMonitor(besides: strips.map(\.name)) }

    /// A name that no strip has yet: `wanted`, with _ for what a pattern is written with, else `wanted-2` and
    /// on.
    public func freeName(_ wanted: String) -> String {
        // As they stand in the names of ports, which are to be told apart too.
        let taken = Set(strips.map(\.id).flatMap { ports(of: $0) })
        let plain = StripName.withoutPattern(wanted)
        var base = StripName.problem(ofNew: plain) == nil ? plain : "track"
        if !taken.contains(StripName.ofPorts(base)) { return base }
        // With room for the number.
        while base.utf8.count > StripName.maximumLength - 8 { base.removeLast() }
        var number = 2
        while taken.contains(StripName.ofPorts("\(base)-\(number)")) { number += 1 }
        return "\(base)-\(number)"
    }
}

/// Whether all tracks and buses have ports of their own beside where they go, and what those give.
public enum DirectOutMode: String, CaseIterable, Sendable {
    /// They have none, but for those whose output is `ports`.
    case off
    /// As they leave by pre sends: before automation, fades, ducks, fader, mute, solo and pan.
    case pre
    /// As they go on: behind all of these.
    case post
}

/// What putting a strip on solo does.
public enum SoloMode: String, CaseIterable, Sendable {
    /// The mix is heard with nothing but what is on solo, what feeds that and what it feeds.
    case inPlace = "in-place"
    /// What is on solo is played on ports of its own, `monitor_1` and `monitor_2`, as it goes into the mix;
    /// that stays as it is.
    case afl
    /// The same as it is before automation, fader, mute and pan.
    case pfl
}

/// A channel strip with clips one after another, which are its source, and an input beside them.
@dynamicMemberLookup
public struct Track: Equatable, Sendable {
    /// What it has as every strip has.
    public var strip: Strip
    /// From the start of the first clip; zero for none.
    public var fadeIn = MediaTime.zero
    /// To the end of the last clip; zero for none.
    public var fadeOut = MediaTime.zero
    /// In order of their starts; they overlap only by a crossfade.
    public var clips: [Clip] = []
    /// Ports by which it hears others; nil: none. It has at least as many channels.
    public var input: Input? { didSet { widen() } }
    /// Which of both it plays.
    public var monitor = Monitor.auto
    /// What comes in is recorded while that is asked and the transport rolls.
    public var isArmed = false

    /// An empty track at unity.
    public init(name: String, layout: SpeakerLayout = .stereo) {
        strip = Strip(name: name)
        strip.layout = layout
    }

    /// What the strip has.
    public subscript<Value>(dynamicMember path: KeyPath<Strip, Value>) -> Value { strip[keyPath: path] }
    /// What the strip has.
    public subscript<Value>(dynamicMember path: WritableKeyPath<Strip, Value>) -> Value {
        get { strip[keyPath: path] }
        set { strip[keyPath: path] = newValue }
    }
}

/// A range of a file, placed on a track.
public struct Clip: Equatable, Sendable {
    /// As written in the session: relative to its folder, or absolute.
    public var file: FilePath
    /// Where it begins on the timeline.
    public var at = MediaTime.zero
    /// Where in the file begins what it plays, in the file's time.
    public var from = MediaTime.zero
    /// How much of the file it plays, in the file's time; nil is to the end of the file.
    public var duration: MediaTime?
    /// Which channels of the file are left and right, from 1; nil takes a mono file to both sides, a stereo
    /// one as it is.
    public var channels: ChannelPair?
    /// Which sound of its file, from 1: a movie may have several.
    public var stream = 1
    /// How fast it plays its file, one of `speeds`, in millionths.
    public var speed: Double {
        get { Double(millionths) / 1_000_000 }
        set {
            millionths =
                newValue.isNaN
                ? 1_000_000
                : Int32(
                    (min(max(newValue, Self.speeds.lowerBound), Self.speeds.upperBound) * 1_000_000).rounded()
                )
        }
    }
    /// The same, as it is counted.
    public private(set) var millionths: Int32 = 1_000_000
    /// By how many semitones it is higher than its file, one of `pitches`.
    public var pitch = 0.0
    /// Its pitch goes with its speed, as a tape's does.
    public var isTape = false
    /// What it plays of its file is heard from the end to the beginning.
    public var isReversed = false
    /// What changes its speed and its pitch, unless that is a tape.
    public var stretcher = Stretcher.soundtouch
    /// What its samples are multiplied by before all else: linear, 0 to 4.
    public var gain = 1.0
    /// From silence, beginning where the clip begins.
    public var fadeIn = ClipFade()
    /// To silence, ending where the clip ends.
    public var fadeOut = ClipFade()
    /// By how much later on the timeline it was heard live than it lies: of a take, which lies where the
    /// sound was played to that it came in with. Zero for what was not recorded here.
    public var aired = MediaTime.zero
    /// No latency is longer.
    public static let longestAired = MediaTime(seconds: 20)
    /// By how much it overlaps the clip before it, which falls while this one rises; zero: it does not.
    public var crossfade = ClipFade(curve: .equalpower)
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// All of a file, from zero on.
    public init(file: FilePath) { self.file = file }
    public init(file: String) { self.init(file: FilePath(file)) }
}

/// A fade of a clip: how long it takes, and its shape. Zero for none.
public struct ClipFade: Equatable, Sendable {
    /// Zero or more.
    public var duration: MediaTime
    /// Never exponential, which does not reach silence.
    public var curve: Curve

    /// Linear and of no length unless told.
    public init(_ duration: MediaTime = .zero, curve: Curve = .linear) {
        (self.duration, self.curve) = (duration, curve)
    }
}

/// Two channels of a file, counted from 1.
public struct ChannelPair: Hashable, Sendable {
    /// The channel that is heard on the left.
    public var left: Int
    /// The channel that is heard on the right.
    public var right: Int

    /// Both from 1 up.
    public init(left: Int, right: Int) {
        self.left = left
        self.right = right
    }
}

/// Lowers one strip while another has a clip, or is heard.
///
/// By signal it opens at a frame where the other's level, the greatest of its channels before its automation
/// and its fader, is at the threshold, and closes where that was so for the last time more than `hold` ago.
/// While it is open the gain goes towards `to` by (1 - to) / attack in each frame, from the opening one on;
/// else back towards 1 by (1 - to) / release. With a look-ahead it goes at each frame by what is heard of the
/// other so much later.
public struct Duck: Equatable, Sendable {
    /// Who is lowered.
    public var track: StripID
    /// Whose clips lower it, or whose level; by hand itself.
    public var under: StripID
    /// What lowers it.
    public var trigger = Trigger.clips
    /// The volume under the other, linear, 0 to 4.
    public var to: Double
    /// How long it goes down: up to where a clip begins, or from where the other is loud enough.
    public var attack = Duck.defaultTime
    /// How long it comes back: from where a clip ends, or from where the other has been quiet for `hold`.
    public var release = Duck.defaultTime
    /// In dB: the level from which on a duck by signal is open.
    public var threshold = -40.0
    /// For so long a duck by signal stays open.
    public var hold = MediaTime(value: 300, timescale: 1000)
    /// By clips: tracks beside `under`. It is one duck, which holds while any of them has a clip.
    public var others: [StripID] = []
    /// All that it goes under.
    public var keys: [StripID] { [under] + others }
    /// By so much a duck by signal hears the other earlier than it is heard.
    public var lookahead = MediaTime.zero

    /// What lowers it.
    public enum Trigger: String, CaseIterable, Sendable {
        /// Where the other has a clip.
        case clips
        /// Where the other is loud.
        case signal
        /// While a hand says so: the gain goes in the same way, by (1 - to) / attack in each frame, and back
        /// by (1 - to) / release.
        case hand
    }

    /// It goes by signal from now on, with the attack of such ducks unless told.
    public mutating func goBySignal() { (trigger, attack) = (.signal, Self.signalAttack) }

    /// 10 ms: speech is under way when it is heard first.
    public static let signalAttack = MediaTime(value: 10, timescale: 1000)
    /// In dB.
    public static let thresholds = -120.0...24.0
    /// The longest look-ahead.
    public static let longestLookahead = MediaTime(value: 1, timescale: 1)
    /// So many ducks by signal may lower one strip: each costs time on the audio thread.
    public static let maximumBySignal = 16
    /// So many tracks one duck may go under.
    public static let maximumKeys = 64
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// Half a second.
    public static let defaultTime = MediaTime(value: 500, timescale: 1000)

    /// With the default times.
    public init(track: StripID, under: StripID, to: Double) {
        self.track = track
        self.under = under
        self.to = to
    }
}

/// Gives each strip an id that no other has had. How many were given is not what makes one session another.
private struct StripIDs: Equatable, Sendable {
    var last = 0

    mutating func next() -> StripID {
        last += 1
        return StripID(rawValue: last)
    }

    static func == (_: Self, _: Self) -> Bool { true }
}
