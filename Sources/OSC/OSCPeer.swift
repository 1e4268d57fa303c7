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
