import JSON

/// The document: tracks with their clips and automation, ducks, and the master. A plain value; it knows no threads, files or sockets.
public struct Session: Equatable, Sendable {
    /// Frames per second, 8000 to 384000: what `96000f` counts and what a render writes.
    public var sampleRate: Int32 = 48000
    /// The channel strips, in the order of their numbers.
    public var tracks: [Track] = []
    /// Which tracks make way for which.
    public var ducks: [Duck] = []
    /// The sum of all tracks.
    public var master = Master()
    /// Named snapshots of all faders, pans and mutes.
    public var scenes: [Scene] = []
    /// Places with names, in the order of their times: `setMarker`.
    public var markers: [Marker] = []
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()
    private var lastID = 0

    /// The rates that a session may have.
    public static let sampleRates: ClosedRange<Int32> = 8000...384_000
    /// More tracks than a large desk has; a bound for what a remote control may make the mixer hold.
    public static let maximumTracks = 16384
    /// The same for clips and for events of automation, of all tracks together.
    public static let maximumClips = 100_000
    /// Points and ramps of all tracks together.
    public static let maximumEvents = 1_000_000

    /// An empty session at 48000 Hz.
    public init() {}

    /// Adds `track` at the end, with an id of its own.
    @discardableResult
    public mutating func append(_ track: Track) -> TrackID {
        lastID += 1
        var track = track
        track.id = TrackID(rawValue: lastID)
        tracks.append(track)
        return track.id
    }

    /// Removes a track and the ducks that name it.
    public mutating func removeTrack(at index: Int) {
        let id = tracks.remove(at: index).id
        ducks.removeAll { $0.track == id || $0.under == id }
        for place in scenes.indices { scenes[place].strips[id] = nil }
    }

    /// Where a track stands in `tracks`; nil for one that is not there.
    public func index(of id: TrackID) -> Int? { tracks.firstIndex { $0.id == id } }

    /// "track 2", as messages say it.
    public func place(of index: Int) -> String { "track \(index + 1)" }

    /// A name that no track has yet: `wanted`, with _ for what a pattern is written with, else `wanted-2` and on.
    public func freeName(_ wanted: String) -> String {
        let taken = Set(tracks.map(\.name))
        let plain = TrackName.withoutPattern(wanted)
        let base = TrackName.problem(plain) == nil ? plain : "track"
        if !taken.contains(base) { return base }
        var number = 2
        while taken.contains("\(base)-\(number)") { number += 1 }
        return "\(base)-\(number)"
    }

    /// Whether the track is heard, by mute and by every solo.
    public func isAudible(_ track: Track) -> Bool {
        !track.mute && (track.solo || !tracks.contains { $0.solo })
    }
}

/// Names a track for as long as the session lives, wherever it moves in the list.
public struct TrackID: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// A channel strip: clips one after another, the volume they are heard at, and where.
public struct Track: Equatable, Sendable {
    /// Given by the session that it is added to.
    public internal(set) var id = TrackID(rawValue: 0)
    /// As `TrackName` allows; unlike any other's.
    public var name: String
    /// The live level, linear, 0 to 4.
    public var fader = 1.0
    /// Balance from -1 (left) to 1 (right); 0 leaves both sides untouched.
    public var pan = 0.0
    /// Silences it.
    public var mute = false
    /// Silences every track that is not on solo.
    public var solo = false
    /// From the start of the first clip; zero for none.
    public var fadeIn = MediaTime.zero
    /// To the end of the last clip; zero for none.
    public var fadeOut = MediaTime.zero
    /// In order of their starts; they overlap only by a crossfade.
    public var clips: [Clip] = []
    /// The volume on the timeline.
    public var automation = VolumeAutomation()
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// An empty track at unity.
    public init(name: String) { self.name = name }
}

/// A range of a file, placed on a track.
public struct Clip: Equatable, Sendable {
    /// As written in the session: relative to its folder, or absolute.
    public var file: String
    /// Where it begins on the timeline.
    public var at = MediaTime.zero
    /// Where it begins in the file.
    public var from = MediaTime.zero
    /// How long it lasts; nil is to the end of the file.
    public var duration: MediaTime?
    /// Which channels of the file are left and right, from 1; nil takes a mono file to both sides, a stereo one as it is.
    public var channels: ChannelPair?
    /// What its samples are multiplied by before all else: linear, 0 to 4.
    public var gain = 1.0
    /// From silence, beginning where the clip begins.
    public var fadeIn = ClipFade()
    /// To silence, ending where the clip ends.
    public var fadeOut = ClipFade()
    /// By how much it overlaps the clip before it, which falls while this one rises; zero: it does not.
    public var crossfade = ClipFade(curve: .equalpower)
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// All of a file, from zero on.
    public init(file: String) { self.file = file }
}

/// A fade of a clip: how long it takes, and its shape. Zero for none.
public struct ClipFade: Equatable, Sendable {
    /// Zero or more.
    public var duration: MediaTime
    /// Never exponential, which does not reach silence.
    public var curve: Curve

    /// Linear and of no length unless told.
    public init(_ duration: MediaTime = .zero, curve: Curve = .linear) { (self.duration, self.curve) = (duration, curve) }
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

/// Lowers one track while another has a clip.
public struct Duck: Equatable, Sendable {
    /// Who is lowered.
    public var track: TrackID
    /// Whose clips lower it.
    public var under: TrackID
    /// The volume under the clips, linear, 0 to 4.
    public var to: Double
    /// How long it goes down, up to where a clip begins.
    public var attack = Duck.defaultTime
    /// How long it comes back, from where a clip ends.
    public var release = Duck.defaultTime
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// Half a second.
    public static let defaultTime = MediaTime(value: 500, timescale: 1000)

    /// With the default times.
    public init(track: TrackID, under: TrackID, to: Double) {
        self.track = track
        self.under = under
        self.to = to
    }
}

/// The sum of all tracks.
public struct Master: Equatable, Sendable {
    /// The live level, linear, 0 to 4.
    public var fader = 1.0
    /// Silences everything.
    public var mute = false
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// At unity.
    public init() {}
}

/// What a track may be called.
public enum TrackName {
    /// In bytes of UTF-8.
    public static let maximumLength = 100

    /// Whether there is anything in a name that a terminal would obey.
    public static func hasControlCharacters(_ name: String) -> Bool { name.unicodeScalars.contains { $0.properties.generalCategory == .control } }

    /// What patterns are written with: whoever means the track `*` would mean them all.
    private static let ofPatterns: Set<Character> = ["*", "?", "[", "]", "{", "}"]

    /// The name with an _ for each such letter.
    static func withoutPattern(_ name: String) -> String { String(name.map { ofPatterns.contains($0) ? "_" : $0 }) }

    /// Why `name` cannot be given to a track, or nil. Sessions may have such tracks from before.
    public static func problem(ofNew name: String) -> String? {
        if let letter = name.first(where: ofPatterns.contains) { return "a new track's name has no \(letter), which makes a pattern" }
        return problem(name)
    }

    /// Why `name` cannot name a track, or nil: it must not be taken for a number, for the master, or for nothing.
    public static func problem(_ name: String) -> String? {
        if name.isEmpty { return "a track's name must not be empty" }
        if name.utf8.count > maximumLength { return "a track's name has at most \(maximumLength) bytes" }
        if name == "master" { return "\"master\" is the name of the sum of all tracks" }
        if Int(name) != nil { return "\"\(name)\" would be taken for a track's number" }
        if name.contains("/") { return "a track's name has no /, which parts an OSC address" }
        if hasControlCharacters(name) { return "a track's name has no control characters" }
        return nil
    }
}
