import Glibc

/// Receives OSC over UDP and TCP on one port, bound to one address, and answers whoever asked.
///
/// It never blocks: its owner polls the descriptors. Packets are coded by liblo; the sockets are the server's own, because
/// liblo binds every interface, drops packets without type tags, and waits for slow TCP clients.
public final class OSCServer {
    /// Who sent a packet, and where its answer goes.
    public enum Peer: Hashable, Sendable {
        case udp(SocketAddress)
        case tcp(Int)
    }

    private struct Connection {
        var descriptor: Int32
        var framing = StreamFraming()
        var unsent: [UInt8] = []
    }

    public let port: UInt16
    private let datagrams: Int32
    private let listener: Int32
    /// Who may talk; empty is whoever reaches the address.
    private let allowed: [NetworkRange]
    private var connections: [Int: Connection] = [:]
    private var lastConnection = 0
    private var scratch = [UInt8](repeating: 0, count: 65536)

    public static let maximumConnections = 64
    /// Answers that a TCP client has not fetched; one that lets more pile up is dropped.
    private static let maximumUnsent = 8 << 20
    /// Datagrams taken in one go, so that a flood does not keep the owner from its other work.
    private static let maximumBatch = 256

    /// - Parameters:
    ///   - address: the interface, such as 127.0.0.1.
    ///   - port: 0 for a free one.
    ///   - allowed: who may talk, if not all: what others send is dropped before it is looked at.
    /// - Throws: `OSCNetworkError`: no such address, port taken.
    public init(address: String, port: UInt16, allowed: [NetworkRange] = []) throws(OSCNetworkError) {
        self.allowed = allowed
        let what = "listen for OSC on \(address) port \(port)"
        var sockets: (udp: Int32, tcp: Int32)?
        // A free port of UDP may be taken for TCP: then another one is tried.
        for _ in 0..<(port == 0 ? 20 : 1) where sockets == nil {
            let udp = try Self.bound(address, port, SOCK_DGRAM, what)
            do throws(OSCNetworkError) {
                sockets = (udp, try Self.bound(address, SocketAddress.port(of: udp), SOCK_STREAM, what))
            } catch {
                close(udp)
                if port != 0 { throw error }
            }
        }
        guard let sockets, listen(sockets.tcp, 16) == 0 else { throw OSCNetworkError(what) }
        (datagrams, listener) = sockets
        self.port = SocketAddress.port(of: datagrams)
        // A burst of faders from a desk fits; the kernel caps it as it sees fit.
        var size: Int32 = 4 << 20
        setsockopt(datagrams, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        close(datagrams)
        close(listener)
        for connection in connections.values { close(connection.descriptor) }
    }

    private static func bound(_ address: String, _ port: UInt16, _ type: __socket_type, _ what: String) throws(OSCNetworkError) -> Int32 {
        guard let place = SocketAddress.resolve(host: address, port: port, type: Int32(type.rawValue)) else {
            throw OSCNetworkError(what, reason: "there is no such address")
        }
        let descriptor = socket(place.family, Int32(type.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw OSCNetworkError(what) }
        var yes: Int32 = 1
        // For TCP only: a port whose last connection is still fading may be bound again. For UDP it would let two mixers share one.
        if type == SOCK_STREAM { setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size)) }
        guard place.with({ bind(descriptor, $0, $1) }) == 0 else {
            let error = OSCNetworkError(what)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    // MARK: - Polling

    /// What to poll for. Whenever any of them is ready, call `receive`.
    public var descriptors: [pollfd] {
        [pollfd(fd: datagrams, events: Int16(POLLIN), revents: 0), pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            + connections.values.map {
                pollfd(fd: $0.descriptor, events: Int16(POLLIN) | ($0.unsent.isEmpty ? 0 : Int16(POLLOUT)), revents: 0)
            }
    }

    /// Takes what has come, and sends what could not be sent before. Packets that are not OSC are dropped.
    public func receive(_ handle: (OSCPacket, Peer) -> Void) {
        receiveDatagrams(handle)
        accept()
        for id in connections.keys.sorted() {
            flush(id)
            receiveStream(id, handle)
        }
    }

    private func receiveDatagrams(_ handle: (OSCPacket, Peer) -> Void) {
        for _ in 0..<Self.maximumBatch {
            let (count, sender) = SocketAddress.receiving { recvfrom(datagrams, &scratch, scratch.count, 0, $0, $1) }
            if count < 0 { return }
            guard isAllowed(sender) else { continue }
            if let packet = try? OSCPacket(scratch[..<count]) { handle(packet, .udp(sender)) }
        }
    }

    private func isAllowed(_ sender: SocketAddress) -> Bool { allowed.isEmpty || allowed.contains { $0.contains(sender) } }

    private func accept() {
        while true {
            let (descriptor, sender) = SocketAddress.receiving { Glibc.accept(listener, $0, $1) }
            if descriptor < 0 { return }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            guard isAllowed(sender), connections.count < Self.maximumConnections else {
                close(descriptor)
                continue
            }
            var yes: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
            lastConnection += 1
            connections[lastConnection] = Connection(descriptor: descriptor)
        }
    }

    private func receiveStream(_ id: Int, _ handle: (OSCPacket, Peer) -> Void) {
        guard let descriptor = connections[id]?.descriptor else { return }
        let count = recv(descriptor, &scratch, scratch.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0, let packets = connections[id]?.framing.receive(scratch[..<count]) else { return drop(id) }
        for bytes in packets {
            guard let packet = try? OSCPacket(bytes) else { return drop(id) }
            handle(packet, .tcp(id))
        }
    }

    // MARK: - Sending

    /// Sends `message` to `peer`, now or as soon as it takes it.
    /// - Returns: false if it is too long for a datagram.
    @discardableResult
    public func send(_ message: OSCMessage, to peer: Peer) -> Bool { send(packet: message.packet, to: peer) }

    /// Sends a packet that is coded already.
    @discardableResult
    public func send(packet: [UInt8], to peer: Peer) -> Bool {
        switch peer {
        case .udp(let address):
            if packet.count > OSCMessage.maximumBytes { return false }
            _ = address.with { sendto(datagrams, packet, packet.count, 0, $0, $1) }
        case .tcp(let id):
            if let framed = connections[id]?.framing.framed(packet) { connections[id]?.unsent += framed }
            flush(id)
        }
        return true
    }

    /// Whether answers can still reach `peer`; of UDP that is never known.
    public func isThere(_ peer: Peer) -> Bool {
        if case .tcp(let id) = peer { connections[id] != nil } else { true }
    }

    private func flush(_ id: Int) {
        guard let connection = connections[id], !connection.unsent.isEmpty else { return }
        let count = Glibc.send(connection.descriptor, connection.unsent, connection.unsent.count, Int32(MSG_NOSIGNAL))
        if count > 0 {
            connections[id]?.unsent.removeFirst(count)
        } else if errno != EAGAIN && errno != EINTR {
            return drop(id)
        }
        if let left = connections[id]?.unsent.count, left > Self.maximumUnsent { drop(id) }
    }

    private func drop(_ id: Int) {
        if let connection = connections.removeValue(forKey: id) { close(connection.descriptor) }
    }
}
