import CJack
import CJackList
import Glibc

/// Connections, and the ports of other programs.
extension JackClient {
    /// Connects the two ports of the master to the first two physical playback ports, as far as there are
    /// any.
    /// - Returns: the names of what it connected to.
    @discardableResult
    public func connectToPlayback() -> [String] {
        guard
            let list = jack_get_ports(
                client, nil, JACK_DEFAULT_AUDIO_TYPE,
                UInt(JackPortIsInput.rawValue | JackPortIsPhysical.rawValue))
        else {
            return []
        }
        defer { jack_free(list) }
        var connected: [String] = []
        for (index, port) in master.enumerated() {
            guard let target = list[index] else { break }
            if jack_connect(client, jack_port_name(port), target) == 0 {
                connected.append(String(cString: target))
            }
        }
        return connected
    }

    /// What is connected to the mixer's ports now.
    public var connections: Set<Connection> {
        var found: Set<Connection> = []
        for port in ports {
            let own = String(cString: jack_port_short_name(port))
            for other in Self.names(jack_port_get_connections(port)) {
                found.insert(Connection(port: own, other: other))
            }
        }
        return found
    }

    /// - Returns: whether the two are connected now; false where one of them is not there.
    public func connect(_ connection: Connection) -> Bool {
        // That is seen in shared memory, where to connect takes a round trip to the server.
        guard let (source, target) = ends(connection) else { return false }
        let status = jack_connect(client, source, target)
        return status == 0 || status == EEXIST
    }

    public func disconnect(_ connection: Connection) {
        if let (source, target) = ends(connection) { jack_disconnect(client, source, target) }
    }

    /// Both ends of a connection in the direction of the sound; nil where one of them is not there.
    private func ends(_ connection: Connection) -> (source: String, target: String)? {
        let own = "\(name):\(connection.port)"
        guard jack_port_by_name(client, connection.other) != nil, let port = jack_port_by_name(client, own)
        else { return nil }
        return jack_port_flags(port) & Int32(JackPortIsInput.rawValue) != 0
            ? (connection.other, own) : (own, connection.other)
    }

    /// Why a port of the mixer's cannot be connected to a port of that name, or nil; one that is not there
    /// may yet come.
    /// - Parameters:
    ///   - asInput: it is one of the mixer's inputs.
    ///   - medium: what it carries.
    public func problem(_ name: String, asInput: Bool, _ medium: Medium) -> String? {
        guard let other = jack_port_by_name(client, name) else { return nil }
        let isRight =
            jack_port_flags(other) & Int32(asInput ? JackPortIsOutput.rawValue : JackPortIsInput.rawValue)
            != 0
        if isRight, jack_port_type(other).map({ String(cString: $0) }) == medium.type { return nil }
        if medium == .midi {
            return asInput
                ? "\(name) gives no MIDI: it is no output of MIDI"
                : "\(name) takes no MIDI: it is no input for MIDI"
        }
        return asInput
            ? "\(name) gives no sound: it is no output of audio"
            : "\(name) takes no sound: it is no input for audio"
    }

    /// Whether the system lets the callback's thread go before others; nil until it has run.
    public var isRealtime: Bool? {
        if periodsSoFar == 0 { return nil }
        var (policy, parameters) = (Int32(0), sched_param())
        guard pthread_getschedparam(jack_client_thread_id(client), &policy, &parameters) == 0 else {
            return nil
        }
        return policy == SCHED_FIFO || policy == SCHED_RR
    }
}
