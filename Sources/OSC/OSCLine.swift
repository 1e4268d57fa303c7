import Glibc

/// A way by which packets come in and answers go out: sockets of its own, or a page's connection. One thread
/// polls, receives and sends; nothing here waits.
public protocol OSCLine: AnyObject {
    /// What to poll for. Whenever any of them is ready, call `receive`.
    var descriptors: [pollfd] { get }
    /// Not all that has come has had its turn: call `receive` again soon.
    func hasWaiting(from isHeard: (OSCPeer) -> Bool) -> Bool
    /// Takes what has come, and sends what could not be sent before. Packets that are not OSC are refused by
    /// the address that they begin with, and dropped where there is none.
    /// - Parameter isHeard: those whose turn may come; what others have sent is kept.
    func receive(from isHeard: (OSCPeer) -> Bool, _ handle: (OSCPacket, OSCPeer) -> Void)
    /// Whether `peer` came in here.
    func owns(_ peer: OSCPeer) -> Bool
    /// Sends a packet to one of its peers, now or as soon as that takes it.
    /// - Returns: false if it is too long.
    @discardableResult
    func send(packet: [UInt8], to peer: OSCPeer) -> Bool
    /// Whether the queue of a peer has room for values that it has subscribed to.
    func isReady(_ peer: OSCPeer) -> Bool
    /// Whether answers can still reach it; of UDP that is never known.
    func isThere(_ peer: OSCPeer) -> Bool
    /// Whether what it asks may change anything.
    func mayChange(_ peer: OSCPeer) -> Bool
}

extension OSCLine {
    /// Hands on what a packet holds, or refuses it.
    /// - Returns: false if the packet has no address that an error could be sent for.
    package func handOn(_ bytes: [UInt8], from peer: OSCPeer, _ handle: (OSCPacket, OSCPeer) -> Void) -> Bool
    {
        do throws(OSCPacketError) {
            handle(try OSCPacket(bytes), peer)
            return true
        } catch {
            guard let address = OSCMessage.address(ofPacket: bytes) else { return false }
            if OSCMessage(address).isAnswer { return true }
            send(OSCMessage("/error", .string(address), .string(error.description)), to: peer)
            return true
        }
    }

    /// Sends a message to a peer.
    @discardableResult
    public func send(_ message: OSCMessage, to peer: OSCPeer) -> Bool {
        send(packet: message.packet, to: peer)
    }
}
