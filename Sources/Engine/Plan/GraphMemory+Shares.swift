import Realtime

/// Automixes in the memory of the audio thread.
extension GraphMemory {
    /// Where the samples of lines wait for those that they share with, now and as they were.
    typealias WaitingPlaces = [ObjectIdentifier: (now: Channels, before: Channels)]

    /// For each line that shares how it does.
    func shareEdges(
        _ draft: GraphDraft, _ lines: UnsafeMutablePointer<Line>, _ waiting: WaitingPlaces
    ) -> [ObjectIdentifier: UnsafeMutablePointer<ShareEdge>] {
        let sharing = draft.nodes.indices.filter { !draft.nodes[$0].share.isEmpty }
        let clusters = Dictionary(grouping: sharing) { draft.nodes[$0].share.cluster }
        var made: [ObjectIdentifier: UnsafeMutablePointer<ShareEdge>] = [:]
        for cluster in clusters.values.sorted(by: { $0[0] < $1[0] }) {
            let nodes = cluster.map { draft.nodes[$0] }
            let own = edges(of: nodes, room.members.put(cluster.map { lines + $0 }), waiting)
            for (place, node) in nodes.enumerated() { made[node.id] = own + place }
        }
        return made
    }

    /// The edges of lines that hang together by what they share.
    private func edges(
        of nodes: [GraphDraft.Node], _ members: UnsafeMutablePointer<UnsafeMutablePointer<Line>>,
        _ waiting: WaitingPlaces
    ) -> UnsafeMutablePointer<ShareEdge> {
        let own = room.shares.allocate(nodes.count)
        let buses = Set(nodes.flatMap(\.share.buses))
        let mixes = room.mixes.put(buses.map { mix(of: $0, nodes, own) })
        for (place, node) in nodes.enumerated() {
            let (share, wait) = (node.share, waiting[node.id]!)
            (own + place).initialize(
                to: ShareEdge(
                    memory: node.strip.shareMemory, pace: (share.present ?? share.past!).pace,
                    weight: share.present?.weight, weightBefore: share.past?.weight, mixes: mixes,
                    mixCount: buses.count, members: members, memberCount: nodes.count,
                    changes: share.changes, isLast: place == nodes.count - 1, block: wait.now,
                    blockBefore: wait.before))
        }
        return own
    }

    /// What is shared out on a bus among some lines, now and by the plan before.
    private func mix(
        of bus: ObjectIdentifier, _ nodes: [GraphDraft.Node], _ edges: UnsafeMutablePointer<ShareEdge>
    ) -> ShareMix {
        let now = takers(of: bus, \.present, nodes, edges)
        let before = takers(of: bus, \.past, nodes, edges)
        return ShareMix(
            members: now.first, count: now.count, membersBefore: before.first, countBefore: before.count)
    }

    /// The edges of those whose automix of one plan a bus has.
    private func takers(
        of bus: ObjectIdentifier, _ part: KeyPath<GraphDraft.Share, GraphDraft.Share.Part?>,
        _ nodes: [GraphDraft.Node], _ edges: UnsafeMutablePointer<ShareEdge>
    ) -> (first: UnsafeMutablePointer<UnsafeMutablePointer<ShareEdge>>, count: Int) {
        let places = nodes.indices.filter { nodes[$0].share[keyPath: part]?.bus == bus }
        return (room.takers.put(places.map { edges + $0 }), places.count)
    }
}
