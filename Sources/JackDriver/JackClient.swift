import CJack
import CJackList
import CRealtime
import Engine
import Glibc
import Realtime
import Timeline

/// A port of the mixer, by its short name, and what it plays into.
public struct Connection: Hashable, Sendable {
    public let port: String
    public let other: String

    public init(port: String, other: String) {
        self.port = port
        self.other = other
    }
}

/// The mixer as a JACK client with the ports `master_1` and `master_2`, and those of strips that have their
/// own. One thread, the control thread, calls it.
public final class JackClient {
    public let name: String
    public let serverName: String
    public let sampleRate: Int32
    let client: OpaquePointer
    let notes: UnsafeMutablePointer<ServerNotes>
    private let statistics: UnsafeMutablePointer<CallbackStatistics>
    private var context: UnsafeMutablePointer<ProcessContext>?
    private(set) var master: [OpaquePointer] = []
    private var direct: DirectPorts?
    let midi: MIDIPorts?
    let paths = Guarded(LatencyPaths())
    private let metadata: PortMetadata
    private let onNews: @Sendable () -> Void

    /// Connects to a running server; starts none.
    /// - Parameters:
    ///   - server: nil for `$JACK_DEFAULT_SERVER`, else "default".
    ///   - isPrivate: nobody else is on the server.
    ///   - arrival: is signalled when MIDI has come; nil: there are no MIDI ports.
    ///   - onNews: called on a thread of JACK's when the server has gone, or has changed its rate or period.
    /// - Throws: `JackError`: no such server, name taken.
    public init(
        name: String, server: String?, isPrivate: Bool = false, arrival: WakeUp? = nil,
        onNews: @escaping @Sendable () -> Void = {}
    ) throws(JackError) {
        Self.silenceLibrary()
        _ = Self.keptElements
        let serverName = server ?? getenv("JACK_DEFAULT_SERVER").map { String(cString: $0) } ?? "default"
        let client = try Self.opened(name, server, serverName)
        self.client = client
        metadata = PortMetadata(client: client, isWanted: !isPrivate)
        midi = if let arrival { MIDIPorts(client, metadata, arrival) } else { nil }
        self.onNews = onNews
        self.name = name
        self.serverName = serverName
        sampleRate = Int32(jack_get_sample_rate(client))
        notes = LockedMemory.holding(ServerNotes())
        statistics = LockedMemory.holding(CallbackStatistics())
        noteServer()
        setCallbacks()
    }

    private func noteServer() {
        notes.pointee.period.store(Int(jack_get_buffer_size(client)), ordering: .relaxed)
        notes.pointee.rate.store(Int(sampleRate), ordering: .relaxed)
    }

    private static func opened(
        _ name: String, _ server: String?, _ serverName: String
    ) throws(JackError) -> OpaquePointer {
        var status = JackStatus(rawValue: 0)
        guard let client = jmix_jack_open(name, server, &status) else {
            let bits = Int(jmix_jack_status(status))
            if bits & Int(JackServerFailed.rawValue) != 0 { throw .noServer(name: serverName) }
            throw .refused(name: serverName, status: bits)
        }
        // Asked for the exact name, jackd2 refuses with no more than a general error; so it is let choose,
        // and what it chose is looked at.
        guard String(cString: jack_get_client_name(client)) == name else {
            jack_client_close(client)
            throw .nameTaken(name: name, server: serverName)
        }
        return client
    }

    deinit {
        close()
        notes.deinitialize(count: 1)
        LockedMemory.free(notes)
        statistics.deinitialize(count: 1)
        LockedMemory.free(statistics)
        if let context { LockedMemory.free(context) }
    }

    /// Makes the ports and begins to call `mixer` once a period.
    /// - Parameters:
    ///   - follows: the server's transport leads the mixer's.
    /// - Throws: `JackError.portRefused`.
    public func activate(_ mixer: Mixer, follows: Bool = false) throws(JackError) {
        try registerMaster()
        direct = DirectPorts(client: client, notes: notes, metadata: metadata)
        setReach([:], [:])
        _ = midi?.follow(units: 0)
        let context = LockedMemory.allocate(ProcessContext.self)
        context.initialize(
            to: ProcessContext(
                client: client, audio: mixer.audioSide, left: master[0], right: master[1],
                statistics: statistics, sampleRate: Int(sampleRate), notes: notes, midi: midi?.table))
        self.context = context
        jack_set_process_callback(client, jmix_process, context)
        notes.pointee.follows.store(follows, ordering: .relaxed)
        if follows { jack_set_sync_callback(client, jmix_sync, context) }
        guard jack_activate(client) == 0 else { throw .refused(name: serverName, status: 0) }
    }

    private func registerMaster() throws(JackError) {
        for name in ["master_1", "master_2"] {
            guard
                let port = jack_port_register(
                    client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
            else {
                throw .portRefused(name: name)
            }
            master.append(port)
        }
        metadata.set(master[0], "Master left", group: "Master", order: 0)
        metadata.set(master[1], "Master right", group: "Master", order: 1)
    }

    /// Gives each of `strips` ports of its own.
    /// - Parameter document: the document that they are strips of.
    /// - Returns: whether there are others now than there were.
    public func follow(_ strips: [DirectStrip], of document: Int, _ engine: PlaybackEngine) -> Bool {
        direct?.follow(strips, of: document, engine) ?? false
    }

    /// How many strips the server had no more ports for.
    public var refusedStrips: Int { direct?.refused ?? 0 }

    /// Inputs that nobody wants any more are still heard: they are crossed over from.
    public var hasDepartingInputs: Bool { direct?.hasDepartingInputs ?? false }

    /// What has new ports since this was asked last: nothing is connected to them yet.
    public func takeFreshPorts() -> Set<DirectStrip.Side> {
        defer { direct?.fresh = [] }
        return direct?.fresh ?? []
    }

    var ports: [OpaquePointer] { master + (direct?.ports ?? []) + (midi?.ports ?? []) }

    /// Whether a strip has ports of its own on that side.
    public func hasPorts(_ side: DirectStrip.Side) -> Bool { direct?.ports(side).isEmpty == false }

    /// The ports that a track hears.
    func inputs(of id: StripID) -> [OpaquePointer] {
        direct?.ports(DirectStrip.Side(id, isInput: true)) ?? []
    }
    /// The ports that a strip is heard by.
    func outputs(of id: StripID) -> [OpaquePointer] {
        id == .master ? master : direct?.ports(DirectStrip.Side(id, isInput: false)) ?? []
    }
    /// Who has such.
    var outputStrips: [StripID] { [.master] + (direct?.outputs ?? []) }

    /// What a port carries.
    public enum Medium {
        case sound, midi

        var type: String { self == .sound ? JACK_DEFAULT_AUDIO_TYPE : JACK_DEFAULT_MIDI_TYPE }
    }

    /// The ports on the server that take sound, or MIDI, or those that give it.
    public func ports(taking: Bool, _ medium: Medium) -> [String] {
        Self.names(
            jack_get_ports(
                client, nil, medium.type,
                UInt(taking ? JackPortIsInput.rawValue : JackPortIsOutput.rawValue)))
    }

    /// Makes there be MIDI ports for so many units of a surface beside `midi_in` and `midi_out`.
    /// - Returns: whether some are new: nothing is connected to them yet.
    public func followMIDI(units: Int) -> Bool { midi?.follow(units: units) ?? false }

    /// How often something has been connected to a pair of the MIDI ports.
    public func midiConnects(pair: Int) -> MIDIConnects {
        midi?.table.pointee.connects(pair) ?? MIDIConnects()
    }

    /// The MIDI that has come in since the last call, in its order.
    public func receiveMIDI() -> [MIDIArrival] { midi?.receive() ?? [] }

    /// Sends a message by a pair of MIDI ports, in the next period.
    /// - Returns: false if so much is on its way that there is no room for it.
    @discardableResult
    public func sendMIDI(_ bytes: [UInt8], pair: Int) -> Bool {
        midi?.send(bytes, pair: pair) ?? true
    }

    /// All MIDI that was sent has been given out.
    public var isMIDIClear: Bool { midi?.isClear ?? true }

    /// Nanoseconds till the server calls next, if it keeps its time; 0 where it has gone.
    public var untilNextPeriod: UInt64 {
        if isServerGone { return 0 }
        let (since, period) = (jack_frames_since_cycle_start(client), jack_get_buffer_size(client))
        return UInt64(period - min(period, since)) * 1_000_000_000 / UInt64(jack_get_sample_rate(client))
    }

    /// What hears a pair of MIDI ports.
    public func midiListeners(pair: Int) -> [String] { midi?.listeners(pair: pair) ?? [] }

    /// What a list of libjack's holds; the list is freed.
    static func names(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
        guard let list else { return [] }
        defer { jack_free(list) }
        var names: [String] = []
        while let name = list[names.count] { names.append(String(cString: name)) }
        return names
    }

    /// The mixer's own ports, without its name.
    public var ownPorts: [String] { ports.map { String(cString: jack_port_short_name($0)) } }

    /// Leaves the server: no callback comes after this.
    public func close() {
        if isClosed { return }
        isClosed = true
        if !isServerGone { ports.forEach(metadata.forget) }
        jack_client_close(client)
        direct = nil
    }
    private var isClosed = false

    /// Frames per period.
    public var period: Int { notes.pointee.period.load(ordering: .relaxed) }
    /// Periods that the server says came late, whoever was late.
    public var xruns: Int { notes.pointee.xruns.load(ordering: .relaxed) }
    var periodsSoFar: Int { statistics.pointee.periods.load(ordering: .relaxed) }
    /// How long the callback has taken so far.
    public var callbackTimes: CallbackTimes { statistics.pointee.times }
    /// The server has ended, or has thrown the client out.
    public var isServerGone: Bool { notes.pointee.isGone.load(ordering: .acquiring) }
    /// The server runs at another rate than it did when the client joined it, as PipeWire may do: what is
    /// mixed is at the wrong pitch.
    public var hasRateChanged: Bool { notes.pointee.rate.load(ordering: .relaxed) != Int(sampleRate) }

    /// Closing the client, which this one does before it goes, ends all callbacks.
    private func setCallbacks() {
        let own = Unmanaged.passUnretained(self).toOpaque()
        setThreadCallbacks()
        setServerCallbacks(own)
        setPortCallbacks(own)
    }

    /// What the server calls about its own work: notes alone.
    private func setThreadCallbacks() {
        jack_set_thread_init_callback(client, { _ in rt_flush_denormals() }, nil)
        jack_set_xrun_callback(
            client,
            { argument in
                ServerNotes.from(argument).pointee.xruns.add(1, ordering: .relaxed)
                return 0
            }, notes)
        jack_set_freewheel_callback(
            client,
            { starting, argument in
                ServerNotes.from(argument).pointee.freewheels.store(starting != 0, ordering: .relaxed)
            }, notes)
    }

    /// Tells the client that a callback is for. Closing ends the threads of libjack wherever they are, but
    /// not in here.
    private static func tell(_ argument: UnsafeMutableRawPointer?, _ note: (JackClient) -> Void) {
        withoutCancellation {
            note(Unmanaged<JackClient>.fromOpaque(argument!).takeUnretainedValue())
        }
    }

    /// What becomes of the server.
    private func setServerCallbacks(_ own: UnsafeMutableRawPointer) {
        jack_set_buffer_size_callback(
            client,
            { frames, argument in
                JackClient.tell(argument) {
                    $0.notes.pointee.period.store(Int(frames), ordering: .relaxed)
                    $0.onNews()
                }
                return 0
            }, own)
        jack_set_sample_rate_callback(
            client,
            { rate, argument in
                JackClient.tell(argument) {
                    $0.notes.pointee.rate.store(Int(rate), ordering: .relaxed)
                    $0.onNews()
                }
                return 0
            }, own)
        jack_on_info_shutdown(
            client,
            { _, _, argument in
                JackClient.tell(argument) {
                    $0.notes.pointee.isGone.store(true, ordering: .releasing)
                    $0.onNews()
                }
            }, own)
    }

    /// What becomes of ports.
    private func setPortCallbacks(_ own: UnsafeMutableRawPointer) {
        // What comes in in a period goes out in it. Takes lie by what the server says of that.
        jack_set_latency_callback(
            client,
            { mode, argument in
                JackClient.tell(argument) {
                    $0.paths.withLock { $0 }.say(mode)
                    $0.onNews()
                }
            }, own)
        // A port that has come may be one that is waited for.
        jack_set_port_registration_callback(
            client, { _, _, argument in JackClient.tell(argument) { $0.onNews() } }, own)
        // A surface that has been connected knows nothing, also where it was taken off a moment before.
        jack_set_port_connect_callback(
            client,
            { first, second, isConnected, argument in
                if isConnected == 0 { return }
                JackClient.tell(argument) { client in
                    for id in [first, second] {
                        guard let port = jack_port_by_id(client.client, id), let midi = client.midi,
                            midi.table.pointee.noteConnect(port)
                        else { continue }
                        client.onNews()
                    }
                }
            }, own)
    }

    /// Ports come and go while libjack looks at them: what it has erased stays readable for a while.
    private static let keptElements = jack_list_kept_elements()

    /// libjack writes to stderr on its own; what matters of it is said by `JackError`.
    private static func silenceLibrary() {
        jack_set_error_function { _ in }
        jack_set_info_function { _ in }
    }
}

extension ServerNotes {
    fileprivate static func from(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ServerNotes> {
        argument!.assumingMemoryBound(to: ServerNotes.self)
    }
}
