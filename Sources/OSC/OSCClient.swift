import Glibc

/// Talks to one OSC server over UDP or TCP: sends messages and waits for the answers. For one thread.
public final class OSCClient {
    public let url: OSCURL
    /// To poll for what has come.
    public let descriptor: Int32
    /// What a mixer says of as many tracks as it may have, each with its files.
    private var framing = StreamFraming(maximumBytes: 256 << 20)
    private var received: [OSCMessage] = []
    private var scratch = [UInt8](repeating: 0, count: 65536)

    /// - Throws: `OSCNetworkError`: no such host; over TCP also nobody there.
    public init(_ url: OSCURL) throws(OSCNetworkError) {
        self.url = url
        let what = "reach \(url)"
        let type = url.transport == .udp ? SOCK_DGRAM : SOCK_STREAM
        guard let place = SocketAddress.resolve(host: url.host, port: url.port, type: Int32(type.rawValue))
        else {
            throw OSCNetworkError(what, reason: "there is no such host")
        }
        descriptor = socket(place.family, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw OSCNetworkError(what) }
        setPatience(Self.patience)
        // Of UDP this only fixes the peer, so that a port nobody listens on is reported.
        guard place.with({ connect(descriptor, $0, $1) }) == 0 else {
            if errno == EINPROGRESS { errno = ETIMEDOUT }
            throw OSCNetworkError(what)
        }
        setPatience(0)
        if type == SOCK_STREAM { setNoDelay() }
    }

    deinit { close(descriptor) }

    private func setNoDelay() {
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// In seconds: a firewall that drops what is asked would let it wait for minutes.
    private static let patience = 2

    /// How long a connection is waited for; 0: without end, as what is sent on it.
    private func setPatience(_ seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Whether the other end has closed the connection; never over UDP, which has none.
    public var isClosed: Bool {
        guard url.transport == .tcp else { return false }
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || count < 0 && errno != EAGAIN
    }

    /// - Throws: `OSCNetworkError` if the server is gone.
    public func send(_ message: OSCMessage) throws(OSCNetworkError) {
        var bytes = url.transport == .udp ? message.packet : StreamFraming.withLength(message.packet)
        while !bytes.isEmpty {
            let count = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw OSCNetworkError("send to \(url)") }
            bytes.removeFirst(count)
        }
    }

    /// The next message from the server, or nil if none comes within `milliseconds`.
    /// - Throws: `OSCNetworkError` if the server is gone.
    public func receive(milliseconds: Int32) throws(OSCNetworkError) -> OSCMessage? {
        while received.isEmpty {
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&ready, 1, milliseconds) <= 0 { return nil }
            let count = recv(descriptor, &scratch, scratch.count, 0)
            guard count >= 0 else { throw OSCNetworkError("hear from \(url)") }
            if url.transport == .udp {
                received += Self.messages([Array(scratch[..<count])])
            } else {
                guard count > 0, let packets = framing.receive(scratch[..<count]) else {
                    throw OSCNetworkError("hear from \(url)", reason: "the connection was closed")
                }
                received += Self.messages(packets)
            }
        }
        return received.removeFirst()
    }

    private static func messages(_ packets: [[UInt8]]) -> [OSCMessage] {
        packets.flatMap { (try? OSCPacket($0))?.messages.map(\.message) ?? [] }
    }
}
