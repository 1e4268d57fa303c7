/// What has come from many peers: each peer's in its order, the peers in turn, so that none waits for all
/// that another has asked. Each may leave only so much.
package struct FairQueue<Peer: Hashable> {
    /// The packets of one peer that wait.
    private struct Backlog {
        var packets: [[UInt8]] = []
        var next = 0
        var bytes = 0
    }

    private var backlogs: [Peer: Backlog] = [:]
    /// Whose turn it is, then whose.
    private var turns: [Peer] = []
    private var nextTurn = 0
    private let maximumPackets: Int
    private let maximumBytes: Int
    private let maximumPeers: Int

    /// - Parameters:
    ///   - maximumPackets: of one peer.
    ///   - maximumBytes: of one peer.
    package init(maximumPackets: Int = 4096, maximumBytes: Int = 4 << 20, maximumPeers: Int = 1024) {
        (self.maximumPackets, self.maximumBytes, self.maximumPeers) = (
            maximumPackets, maximumBytes, maximumPeers
        )
    }

    /// Whether there is anything of those that `mayTalk`.
    package func hasNext(_ mayTalk: (Peer) -> Bool = { _ in true }) -> Bool { turns.contains(where: mayTalk) }

    /// How many packets of a peer wait.
    package func count(of peer: Peer) -> Int { backlogs[peer].map { $0.packets.count - $0.next } ?? 0 }

    /// - Parameter isBounded: false for a peer that is not read on while it has left much.
    /// - Returns: false if the peer has left too much already: the packet is dropped.
    @discardableResult
    package mutating func append(_ packet: [UInt8], from peer: Peer, isBounded: Bool = true) -> Bool {
        if backlogs[peer] == nil {
            guard !isBounded || backlogs.count < maximumPeers else { return false }
            backlogs[peer] = Backlog()
            turns.append(peer)
        }
        guard
            !isBounded
                || count(of: peer) < maximumPackets && backlogs[peer]!.bytes + packet.count <= maximumBytes
        else { return false }
        backlogs[peer]!.packets.append(packet)
        backlogs[peer]!.bytes += packet.count
        return true
    }

    /// The next packet of the peer whose turn it is, of those that `mayTalk`; nil if there is none.
    package mutating func next(_ mayTalk: (Peer) -> Bool = { _ in true }) -> (packet: [UInt8], peer: Peer)? {
        for _ in 0..<turns.count {
            if nextTurn >= turns.count { nextTurn = 0 }
            let peer = turns[nextTurn]
            guard mayTalk(peer) else {
                nextTurn += 1
                continue
            }
            let packet = backlogs[peer]!.packets[backlogs[peer]!.next]
            backlogs[peer]!.next += 1
            backlogs[peer]!.bytes -= packet.count
            // One who never stops sending is never forgotten: what is done of his goes all the same.
            if backlogs[peer]!.next == 1024 {
                backlogs[peer]!.packets.removeFirst(1024)
                backlogs[peer]!.next = 0
            }
            if count(of: peer) == 0 { forget(peer) } else { nextTurn += 1 }
            return (packet, peer)
        }
        return nil
    }

    /// Drops what a peer has left.
    package mutating func forget(_ peer: Peer) {
        guard backlogs.removeValue(forKey: peer) != nil, let index = turns.firstIndex(of: peer) else {
            return
        }
        turns.remove(at: index)
        if index < nextTurn { nextTurn -= 1 }
    }
}
