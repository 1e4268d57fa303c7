import Glibc
import Realtime

/// Receives OSC over UDP and TCP on one port, bound to one address, and answers whoever asked.
///
/// It never blocks: its owner polls the descriptors. Peers take turns, and one that does not fetch its
/// answers is not asked on. liblo codes and decodes packets and checks their types; the sockets are the
/// server's own, because liblo binds every interface, drops packets without type tags, and waits for slow TCP
/// clients.
public final class OSCServer: OSCLine {
    private struct Connection {
        var descriptor: Int32
        let isLocal: Bool
        var framing = StreamFraming()
        /// What has been sent of it is taken out now and then.
        fileprivate var answers: [UInt8] = []
        fileprivate var sent = 0
        /// When it last said something, or took something; nil: it never has.
        var activeAt: UInt64?
        /// It says nothing more; what it has said is still carried out, and answered.
        var hasEnded = false

        /// How many bytes of answers it has not fetched.
        var unsent: Int { answers.count - sent }

        mutating func add(_ packet: [UInt8]) { answers += framing.framed(packet) }

        /// Sends as much as it takes.
        /// - Returns: false if it is gone.
        mutating func flush() -> Bool {
            if unsent == 0 { return true }
            let count = answers.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return errno == EAGAIN || errno == EINTR }
            activeAt = monotonicNanoseconds()
            sent += count
            if 2 * sent >= answers.count {
                answers.removeFirst(sent)
                sent = 0
            }
            return true
        }

        /// It can be given up for another.
        func isIdle(_ now: UInt64) -> Bool { activeAt.map { now - $0 > 1_000_000_000 } ?? true }
    }

    public let port: UInt16
    private let datagrams: Int32
    /// For TCP; nil: datagrams alone.
    private let listener: Int32?
    /// Who may talk; empty is whoever reaches the address.
    private let allowed: [NetworkRange]
    private let isDesk: Bool
    private var connections: [Int: Connection] = [:]
    private var lastConnection = 0
    private var scratch = [UInt8](repeating: 0, count: 65536)
    private var waiting = FairQueue<OSCPeer>()

    /// Beyond it the one that has been idle longest goes, those from elsewhere before local ones.
    public static let maximumConnections = 64
    /// Answers that a TCP client has not fetched; while there are more, what else it asks waits.
    private static let patientUnsent = 1 << 18
    /// One that lets so much pile up, as a subscriber can, and fetches nothing of it, is dropped.
    private static let maximumUnsent = 8 << 20
    /// Datagrams fetched in one go, so that a flood does not keep the owner from its other work.
    private static let maximumDatagrams = 1024
    /// For how long the packets of a server, of OSC or web, are handled in one go, so that a flood does
    /// not keep the owner from its other work.
    package static let turnNanoseconds: UInt64 = 3_000_000
    /// What a TCP client has asked beyond this stays in its socket.
    private static let maximumWaiting = 256

    /// - Parameters:
    ///   - address: the interface, such as 127.0.0.1.
    ///   - port: 0 for a free one.
    ///   - allowed: who may talk, if not all: what others send is dropped before it is looked at.
    ///   - isDesk: it speaks as a desk: UDP alone, and what it cannot read it passes over.
    /// - Throws: `OSCNetworkError`: no such address, port taken.
    public init(
        address: String, port: UInt16, allowed: [NetworkRange] = [], isDesk: Bool = false
    ) throws(OSCNetworkError) {
        (self.allowed, self.isDesk) = (allowed, isDesk)
        let what = "listen for OSC on \(address) port \(port)"
        if isDesk {
            (datagrams, listener) = (try Self.bound(address, port, SOCK_DGRAM, what), nil)
            self.port = SocketAddress.port(of: datagrams)
            roomForBursts()
            return
        }
        let sockets = try Self.sockets(address, port, what)
        guard let sockets else { throw OSCNetworkError(what) }
        guard listen(sockets.tcp, 16) == 0 else {
            let error = OSCNetworkError(what)
            for socket in [sockets.udp, sockets.tcp] { close(socket) }
            throw error
        }
        (datagrams, listener) = sockets
        self.port = SocketAddress.port(of: datagrams)
        roomForBursts()
    }

    /// A free port of UDP may be taken for TCP: then another one is tried.
    private static func sockets(
        _ address: String, _ port: UInt16, _ what: String
    ) throws(OSCNetworkError) -> (udp: Int32, tcp: Int32)? {
        var sockets: (udp: Int32, tcp: Int32)?
        for _ in 0..<(port == 0 ? 20 : 1) where sockets == nil {
            let udp = try Self.bound(address, port, SOCK_DGRAM, what)
            do throws(OSCNetworkError) {
                sockets = (udp, try Self.bound(address, SocketAddress.port(of: udp), SOCK_STREAM, what))
            } catch {
                close(udp)
                if port != 0 { throw error }
            }
        }
        return sockets
    }

    /// A burst of faders from a desk fits; the kernel caps it as it sees fit.
    private func roomForBursts() {
        var size: Int32 = 4 << 20
        setsockopt(datagrams, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        close(datagrams)
        if let listener { close(listener) }
        for connection in connections.values { close(connection.descriptor) }
    }

    private static func bound(
        _ address: String, _ port: UInt16, _ type: __socket_type, _ what: String
    ) throws(OSCNetworkError) -> Int32 {
        guard let place = SocketAddress.resolve(host: address, port: port, type: Int32(type.rawValue)) else {
            throw OSCNetworkError(what, reason: "there is no such address")
        }
        let descriptor = socket(
            place.family, Int32(type.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw OSCNetworkError(what) }
        var yes: Int32 = 1
        // For TCP only: a port whose last connection is still fading may be bound again. For UDP it would let
        // two mixers share one.
        if type == SOCK_STREAM {
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        guard place.with({ bind(descriptor, $0, $1) }) == 0 else {
            let error = OSCNetworkError(what)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Whether it listens to this computer alone.
    public var isLocal: Bool { SocketAddress.receiving { getsockname(datagrams, $0, $1) }.1.isLocal }

    // MARK: - Polling

    public var descriptors: [pollfd] {
        [
            pollfd(fd: datagrams, events: Int16(POLLIN), revents: 0),
            // One without a descriptor is passed over.
            pollfd(fd: listener ?? -1, events: Int16(POLLIN), revents: 0),
        ]
            + connections.map { id, connection -> pollfd in
                // One of which nothing is wanted is left out: that it has gone would be told again and again.
                let events =
                    (mayRead(id) ? Int16(POLLIN) : 0) | (connection.unsent == 0 ? 0 : Int16(POLLOUT))
                return pollfd(fd: events == 0 ? -1 : connection.descriptor, events: events, revents: 0)
            }
    }

    public func hasWaiting(from isHeard: (OSCPeer) -> Bool) -> Bool {
        waiting.hasNext { mayTalk($0) && isHeard($0) }
    }

    private func mayRead(_ id: Int) -> Bool {
        connections[id]?.hasEnded == false && waiting.count(of: .tcp(id)) < Self.maximumWaiting
            && mayTalk(.tcp(id))
    }

    private func mayTalk(_ peer: OSCPeer) -> Bool {
        guard case .tcp(let id) = peer, let connection = connections[id] else { return true }
        return connection.unsent < Self.patientUnsent
    }

    public func receive(from isHeard: (OSCPeer) -> Bool, _ handle: (OSCPacket, OSCPeer) -> Void) {
        receiveDatagrams()
        accept()
        for id in connections.keys.sorted() {
            flush(id)
            if mayRead(id) { receiveStream(id) }
        }
        let end = monotonicNanoseconds() + Self.turnNanoseconds
        repeat {
            guard let (bytes, peer) = waiting.next({ mayTalk($0) && isHeard($0) }) else { break }
            if isDesk {
                if let packet = try? OSCPacket(bytes) { handle(packet, peer) }
            } else if !handOn(bytes, from: peer, handle), case .tcp(let id) = peer {
                drop(id)
            }
        } while monotonicNanoseconds() < end
        dropEnded(isHeard)
    }

    /// Connections that have ended go when all they have said is done, and answered.
    private func dropEnded(_ isHeard: (OSCPeer) -> Bool) {
        for (id, connection) in connections
        where connection.hasEnded && connection.unsent == 0 && waiting.count(of: .tcp(id)) == 0
            && isHeard(.tcp(id))
        { drop(id) }
    }

    private func receiveDatagrams() {
        for _ in 0..<Self.maximumDatagrams {
            let (count, sender) = SocketAddress.receiving {
                recvfrom(datagrams, &scratch, scratch.count, 0, $0, $1)
            }
            if count < 0 { return }
            guard isAllowed(sender) else { continue }
            waiting.append(Array(scratch[..<count]), from: .udp(sender))
        }
    }

    private func isAllowed(_ sender: SocketAddress) -> Bool {
        allowed.isEmpty || allowed.contains { $0.contains(sender) }
    }

    private func accept() {
        guard let listener else { return }
        while true {
            let (descriptor, sender) = SocketAddress.receiving { Glibc.accept(listener, $0, $1) }
            if descriptor < 0 { return }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            guard isAllowed(sender), makeRoom(isLocal: sender.isLocal) else {
                close(descriptor)
                continue
            }
            var yes: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
            lastConnection += 1
            connections[lastConnection] = Connection(descriptor: descriptor, isLocal: sender.isLocal)
        }
    }

    /// Gives up the connection that has been idle longest where there are too many. One from elsewhere never
    /// takes a local one's place.
    private func makeRoom(isLocal: Bool) -> Bool {
        if connections.count < Self.maximumConnections { return true }
        let now = monotonicNanoseconds()
        let idle = connections.filter { $1.isIdle(now) && (isLocal || !$1.isLocal) }
        let least =
            idle.min(by: {
                ($0.value.isLocal ? 1 : 0, $0.value.activeAt ?? 0, $0.key) < (
                    $1.value.isLocal ? 1 : 0, $1.value.activeAt ?? 0, $1.key
                )
            })
            // Who is at this computer gets in, whoever talks from elsewhere.
            ?? (isLocal
                ? connections.filter { !$1.isLocal }.min { $0.value.activeAt ?? 0 < $1.value.activeAt ?? 0 }
                : nil)
        guard let least else { return false }
        drop(least.key)
        return true
    }

    private func receiveStream(_ id: Int) {
        guard let descriptor = connections[id]?.descriptor else { return }
        let count = recv(descriptor, &scratch, scratch.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        if count == 0 {
            connections[id]?.hasEnded = true
            return
        }
        guard count > 0, let packets = connections[id]?.framing.receive(scratch[..<count]) else {
            return drop(id)
        }
        connections[id]?.activeAt = monotonicNanoseconds()
        // No more is read until most of this is done: that bounds it.
        for packet in packets { waiting.append(packet, from: .tcp(id), isBounded: false) }
    }

    // MARK: - Sending

    @discardableResult
    public func send(packet: [UInt8], to peer: OSCPeer) -> Bool {
        switch peer {
        case .udp(let address):
            if packet.count > OSCMessage.maximumBytes { return false }
            _ = address.with { sendto(datagrams, packet, packet.count, 0, $0, $1) }
        case .tcp(let id):
            if let unsent = connections[id]?.unsent, unsent > Self.maximumUnsent,
                connections[id]?.isIdle(monotonicNanoseconds()) == true
            {
                drop(id)
            }
            connections[id]?.add(packet)
            flush(id)
        case .web: return false
        }
        return true
    }

    public func owns(_ peer: OSCPeer) -> Bool { if case .web = peer { false } else { true } }

    public func isReady(_ peer: OSCPeer) -> Bool { mayTalk(peer) }

    public func mayChange(_ peer: OSCPeer) -> Bool { true }

    public func isThere(_ peer: OSCPeer) -> Bool {
        if case .tcp(let id) = peer { connections[id] != nil } else { true }
    }

    private func flush(_ id: Int) {
        if connections[id]?.flush() == false { drop(id) }
    }

    private func drop(_ id: Int) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        close(connection.descriptor)
        waiting.forget(.tcp(id))
    }
}
