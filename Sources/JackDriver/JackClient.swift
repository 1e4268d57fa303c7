import CJack
import CRealtime
import Engine
import Glibc

/// A port of the mixer, by its short name, and what it plays into.
public struct Connection: Hashable, Sendable {
    public let port: String
    public let other: String

    public init(port: String, other: String) {
        self.port = port
        self.other = other
    }
}

/// The mixer as a JACK client with the ports `master_1` and `master_2`. One thread, the control thread, calls it.
public final class JackClient {
    public let name: String
    public let serverName: String
    public let sampleRate: Int32
    private let client: OpaquePointer
    private let notes: UnsafeMutablePointer<ServerNotes>
    private let statistics: UnsafeMutablePointer<CallbackStatistics>
    private var context: UnsafeMutablePointer<ProcessContext>?
    private var ports: [OpaquePointer] = []

    /// Connects to a running server; starts none.
    /// - Parameter server: nil for `$JACK_DEFAULT_SERVER`, else "default".
    /// - Throws: `JackError`: no such server, name taken.
    public init(name: String, server: String?) throws(JackError) {
        Self.silenceLibrary()
        let serverName = server ?? getenv("JACK_DEFAULT_SERVER").map { String(cString: $0) } ?? "default"
        var status = JackStatus(rawValue: 0)
        guard let client = jmix_jack_open(name, server, &status) else {
            let bits = Int(jmix_jack_status(status))
            if bits & Int(JackServerFailed.rawValue) != 0 { throw .noServer(name: serverName) }
            throw .refused(name: serverName, status: bits)
        }
        // Asked for the exact name, jackd2 refuses with no more than a general error; so it is let choose, and what it chose is looked at.
        guard String(cString: jack_get_client_name(client)) == name else {
            jack_client_close(client)
            throw .nameTaken(name: name, server: serverName)
        }
        self.client = client
        self.name = name
        self.serverName = serverName
        sampleRate = Int32(jack_get_sample_rate(client))
        notes = .allocate(capacity: 1)
        notes.initialize(to: ServerNotes())
        statistics = .allocate(capacity: 1)
        statistics.initialize(to: CallbackStatistics())
        notes.pointee.period.store(Int(jack_get_buffer_size(client)), ordering: .relaxed)
        setCallbacks()
    }

    deinit {
        close()
        notes.deinitialize(count: 1)
        notes.deallocate()
        statistics.deinitialize(count: 1)
        statistics.deallocate()
        context?.deallocate()
    }

    /// Makes the ports and begins to call `mixer` once a period.
    /// - Throws: `JackError.portRefused`.
    public func activate(_ mixer: Mixer) throws(JackError) {
        for name in ["master_1", "master_2"] {
            guard let port = jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0) else {
                throw .portRefused(name: name)
            }
            ports.append(port)
        }
        let context = UnsafeMutablePointer<ProcessContext>.allocate(capacity: 1)
        context.initialize(to: ProcessContext(
            audio: mixer.audioSide, left: ports[0], right: ports[1], statistics: statistics, sampleRate: Int(sampleRate), notes: notes))
        self.context = context
        jack_set_process_callback(client, jmix_process, context)
        guard jack_activate(client) == 0 else { throw .refused(name: serverName, status: 0) }
    }

    /// Connects the two ports to the first two physical playback ports, as far as there are any.
    /// - Returns: the names of what it connected to.
    @discardableResult
    public func connectToPlayback() -> [String] {
        guard let list = jack_get_ports(client, nil, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsInput.rawValue | JackPortIsPhysical.rawValue)) else {
            return []
        }
        defer { jack_free(list) }
        var connected: [String] = []
        for (index, port) in ports.enumerated() {
            guard let target = list[index] else { break }
            if jack_connect(client, jack_port_name(port), target) == 0 { connected.append(String(cString: target)) }
        }
        return connected
    }

    /// What is connected to the mixer's ports now.
    public var connections: Set<Connection> {
        var found: Set<Connection> = []
        for port in ports {
            guard let list = jack_port_get_connections(port) else { continue }
            defer { jack_free(list) }
            var index = 0
            while let other = list[index] {
                found.insert(Connection(port: String(cString: jack_port_short_name(port)), other: String(cString: other)))
                index += 1
            }
        }
        return found
    }

    /// - Returns: whether the two are connected now; false where one of them is not there.
    public func connect(_ connection: Connection) -> Bool {
        let status = jack_connect(client, "\(name):\(connection.port)", connection.other)
        return status == 0 || status == EEXIST
    }

    /// Leaves the server: no callback comes after this.
    public func close() {
        if isClosed { return }
        isClosed = true
        jack_client_close(client)
    }
    private var isClosed = false

    /// Frames per period.
    public var period: Int { notes.pointee.period.load(ordering: .relaxed) }
    /// Periods that the server says came late, whoever was late.
    public var xruns: Int { notes.pointee.xruns.load(ordering: .relaxed) }
    /// How long the callback has taken so far.
    public var callbackTimes: CallbackTimes {
        var times = CallbackTimes()
        times.periods = statistics.pointee.periods.load(ordering: .relaxed)
        times.late = statistics.pointee.late.load(ordering: .relaxed)
        times.longestMicroseconds = Double(statistics.pointee.longestNanoseconds.load(ordering: .relaxed)) / 1000
        times.medianMicroseconds = statistics.pointee.time(exceededByOneIn: 2)
        times.percentile999Microseconds = statistics.pointee.time(exceededByOneIn: 1000)
        return times
    }
    /// The server has ended, or has thrown the client out.
    public var isServerGone: Bool { notes.pointee.isGone.load(ordering: .acquiring) }

    private func setCallbacks() {
        jack_set_thread_init_callback(client, { _ in rt_flush_denormals() }, nil)
        jack_set_xrun_callback(client, { argument in
            ServerNotes.from(argument).pointee.xruns.add(1, ordering: .relaxed)
            return 0
        }, notes)
        jack_set_buffer_size_callback(client, { frames, argument in
            ServerNotes.from(argument).pointee.period.store(Int(frames), ordering: .relaxed)
            return 0
        }, notes)
        jack_set_freewheel_callback(client, { starting, argument in
            ServerNotes.from(argument).pointee.freewheels.store(starting != 0, ordering: .relaxed)
        }, notes)
        jack_on_info_shutdown(client, { _, _, argument in
            ServerNotes.from(argument).pointee.isGone.store(true, ordering: .releasing)
        }, notes)
    }

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
