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
    /// What somebody has said that solo does; nil: nobody has.
    public var chosenSoloMode: SoloMode?
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

/// Gives each strip an id that no other has had. How many were given is not what makes one session another.
private struct StripIDs: Equatable, Sendable {
    var last = 0

    mutating func next() -> StripID {
        last += 1
        return StripID(rawValue: last)
    }

    static func == (_: Self, _: Self) -> Bool { true }
}
