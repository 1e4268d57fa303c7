import Glibc
import OSC

/// All ways by which packets come in, as one.
struct OSCLines {
    private let lines: [any OSCLine]

    init(_ lines: [any OSCLine]) { self.lines = lines }

    var descriptors: [pollfd] { lines.flatMap(\.descriptors) }

    func hasWaiting(from isHeard: (OSCPeer) -> Bool) -> Bool {
        lines.contains { $0.hasWaiting(from: isHeard) }
    }

    func receive(from isHeard: (OSCPeer) -> Bool, _ handle: (OSCPacket, OSCPeer) -> Void) {
        for line in lines { line.receive(from: isHeard, handle) }
    }

    private func line(of peer: OSCPeer) -> (any OSCLine)? { lines.first { $0.owns(peer) } }

    @discardableResult
    func send(packet: [UInt8], to peer: OSCPeer) -> Bool {
        line(of: peer)?.send(packet: packet, to: peer) ?? true
    }

    @discardableResult
    func send(_ message: OSCMessage, to peer: OSCPeer) -> Bool { send(packet: message.packet, to: peer) }

    func isReady(_ peer: OSCPeer) -> Bool { line(of: peer)?.isReady(peer) ?? false }

    func isThere(_ peer: OSCPeer) -> Bool { line(of: peer)?.isThere(peer) ?? false }

    /// The same of a peer's key; of what is no connection that is never known.
    func isThere(key: [UInt8]) -> Bool { OSCPeer(connection: key).map(isThere) ?? true }

    func mayChange(_ peer: OSCPeer) -> Bool { line(of: peer)?.mayChange(peer) ?? false }
}
