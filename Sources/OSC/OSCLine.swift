import Glibc

/// Who sent a packet, and where its answer goes.
public enum OSCPeer: Hashable, Sendable {
    case udp(SocketAddress)
    case tcp(Int)
    /// A WebSocket, by the number that its server gave it.
    case web(Int)

    /// The same as bytes, no two alike: an address, whose first is never 0 or 1, or the number of a
    /// connection.
    public var key: [UInt8] {
        switch self {
        case .udp(let address): address.bytes
        case .tcp(let number): withUnsafeBytes(of: number) { [0] + $0 }
        case .web(let number): withUnsafeBytes(of: number) { [1] + $0 }
        }
    }

    /// The peer of such bytes, if it is a connection.
    public init?(connection key: [UInt8]) {
        guard key.count == 1 + MemoryLayout<Int>.size else { return nil }
        let number = key.dropFirst().withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
        switch key[0] {
        case 0: self = .tcp(number)
        case 1: self = .web(number)
        default: return nil
        }
    }
}

/// A way by which packets come in and answers go out: sockets of its own, or a page's connection. One thread
/// polls, receives and sends; nothing here waits.
public protocol OSCLine: AnyObject {
    /// What to poll for. Whenever any of them is ready, call `receive`.
    var descriptors: [pollfd] { get }
    /// Not all that has come has had its turn: call `receive` again soon.
    func hasWaiting(from isHeard: (OSCPeer) -> Bool) -> Bool
    /// Takes what has come, and sends what could not be sent before. Packets that are not OSC are dropped.
    /// - Parameter isHeard: those whose turn may come; what others have sent is kept.
    func receive(from isHeard: (OSCPeer) -> Bool, _ handle: (OSCPacket, OSCPeer) -> Void)
    /// Whether `peer` came in here.
    func owns(_ peer: OSCPeer) -> Bool
    /// Sends a packet to one of its peers, now or as soon as that takes it.
    /// - Returns: false if it is too long.
    @discardableResult
    func send(packet: [UInt8], to peer: OSCPeer) -> Bool
    /// Whether a peer has fetched enough of what it was sent to be told more of what it did not ask for.
    func isReady(_ peer: OSCPeer) -> Bool
    /// Whether answers can still reach it; of UDP that is never known.
    func isThere(_ peer: OSCPeer) -> Bool
    /// Whether what it asks may change anything.
    func mayChange(_ peer: OSCPeer) -> Bool
}

extension OSCLine {
    /// Sends a message to a peer.
    @discardableResult
    public func send(_ message: OSCMessage, to peer: OSCPeer) -> Bool {
        send(packet: message.packet, to: peer)
    }
}
