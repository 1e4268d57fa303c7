import CVector
import Realtime
import Timeline

/// Owns a graph in the memory of the audio thread: all of it in a few arrays. Control thread.
final class GraphMemory {
    let graph: UnsafeMutablePointer<Graph>
    let room: GraphRoom

    /// What a part of a plan sounds like beside the plan before it.
    struct Comparison {
        /// The DCAs of the plan, and of the one before, by their place there.
        let dcas: [StripID: Int]
        let dcasBefore: [StripID: Int]
        /// The moments at which they are read: of each player, by how far behind the playhead they are.
        let moments: [[Int64: Int]]
        let momentsBefore: [[Int64: Int]]
        /// Those that another hand or timeline moves than before.
        let changedDCAs: Set<StripID>
        /// Which players go on elsewhere than before.
        let goesElsewhere: [Bool]

        /// The places of DCAs and moments in the plan before, or in this one.
        func places(isPast: Bool) -> (dcas: [StripID: Int], moments: [[Int64: Int]]) {
            isPast ? (dcasBefore, momentsBefore) : (dcas, moments)
        }
    }

    /// - Parameter blocks: room for the sums and for the samples of lines.
    init(_ draft: GraphDraft, _ comparison: Comparison, _ blocks: BlockMemory) {
        let (nodes, buses) = (draft.nodes, Self.buses(draft))
        let changed = nodes.map { $0.changes(in: draft, comparison) }
        let keys = Self.keys(draft)
        room = GraphRoom(Self.sizes(draft, changed, keys), lines: nodes.count, sums: 2 * buses.count)
        graph = LockedMemory.allocate(Graph.self)
        let lines = room.lines.allocate(nodes.count)
        var places = BlockPlaces(blocks)
        graph.initialize(to: made(of: draft, lines, sums: buses, &places))
        let sharing = shareEdges(draft, lines, Self.waiting(draft, &places))
        // What a line needs on its way nobody needs after it: all have the same places.
        let surroundings = Surroundings(
            draft: draft, comparison: comparison, shared: places.rest, widest: Self.widest(draft),
            keys: keys, hearing: draft.hearingInputs(), sums: Self.sums(draft), sharing: sharing)
        for index in nodes.indices {
            (lines + index).initialize(to: line(index, isChanged: changed[index], surroundings))
        }
    }

    /// The graph as a whole, with the sums of its buses.
    private func made(
        of draft: GraphDraft, _ lines: UnsafeMutablePointer<Line>, sums buses: [GraphDraft.Node],
        _ places: inout BlockPlaces
    ) -> Graph {
        let nodes = draft.nodes
        return Graph(
            lines: lines, count: nodes.count, trackCount: nodes.prefix(while: \.isTrack).count,
            work: nodes.reduce(0) { $0 + $1.work }, sums: room.sums.put(buses.map { places.allocate($0) }),
            sumsBefore: room.sums.put((draft.fades ? buses : []).map { places.allocate($0) }),
            sumCount: buses.count, behindCount: nodes.count(where: \.isBehindMaster))
    }

    /// Where the lines that share wait for each other, now and as they were.
    private static func waiting(
        _ draft: GraphDraft, _ places: inout BlockPlaces
    ) -> WaitingPlaces {
        let waiting = draft.nodes.filter { !$0.share.isEmpty }.map {
            ($0.id, (now: places.allocate($0), before: places.allocate($0)))
        }
        return Dictionary(uniqueKeysWithValues: waiting)
    }

    /// Hands out places for the blocks of nodes, one behind the other.
    private struct BlockPlaces {
        private let blocks: BlockMemory
        private var place = 0

        init(_ blocks: BlockMemory) { self.blocks = blocks }

        mutating func allocate(_ node: GraphDraft.Node) -> Channels {
            defer { place += node.strip.channels }
            return Channels(blocks.place(place), stride: Block.stride(), count: node.strip.channels)
        }

        /// What lies behind those that were taken.
        var rest: UnsafeMutablePointer<Float> { blocks.place(place) }
    }

    /// What all lines of a plan are made from.
    private struct Surroundings {
        let draft: GraphDraft
        let comparison: Comparison
        /// The places of what a line needs on its way, and the most channels that it has.
        let shared: UnsafeMutablePointer<Float>
        let widest: Int
        /// The lines by whose levels others go, and those in which inputs are heard.
        let keys, hearing: Set<ObjectIdentifier>
        /// The numbers of the sums.
        let sums: [ObjectIdentifier: Int]
        let sharing: [ObjectIdentifier: UnsafeMutablePointer<ShareEdge>]
    }

    private func line(_ index: Int, isChanged: Bool, _ all: Surroundings) -> Line {
        let (node, comparison) = (all.draft.nodes[index], all.comparison)
        let (dcas, moments) = comparison.places(isPast: node.part == nil)
        var line = Line(
            sound: sound(node.present, dcas, moments), strip: node.strip.strip,
            before: isChanged ? soundBefore(node, comparison) : nil,
            edges: edges(ofLine: index, all.draft, all.sums, comparison),
            levels: levels(node, all.keys, all.hearing),
            share: all.sharing[node.id], waits: node.waits.map(room.waits.put),
            blocks: LineBlocks(all.shared, channels: node.strip.channels, widest: all.widest),
            gate: node.gate,
            playing: UInt8(node.isTrack ? node.present.player : Players.together(comparison.moments.count)),
            hearsInputs: all.hearing.contains(node.id),
            latency: Int(node.present.outputLag - node.present.score.content.lag),
            leavesLater: node.present.outputLag > all.draft.nodes.last!.present.outputLag)
        line.onlyPlays =
            line.sound.stream != nil && line.sound.input == .never && line.sound.controls == nil
            && line.levels == nil && line.waits == nil
        return line
    }

    deinit { LockedMemory.free(graph) }

    /// How many channels of a block it needs.
    static func blockCount(_ draft: GraphDraft) -> Int {
        let own = buses(draft) + draft.nodes.filter { !$0.share.isEmpty }
        return own.reduce(LineBlocks.count * widest(draft)) { $0 + 2 * $1.strip.channels }
    }

    /// Each bus has a sum.
    private static func buses(_ draft: GraphDraft) -> [GraphDraft.Node] {
        draft.nodes.dropLast().filter { !$0.isTrack }
    }

    /// Whose levels others go by.
    private static func keys(_ draft: GraphDraft) -> Set<ObjectIdentifier> {
        Set(draft.nodes.lazy.flatMap(\.keys).map(ObjectIdentifier.init)).union(
            draft.nodes.lazy.filter { !$0.share.isEmpty }.map(\.id))
    }

    private static func widest(_ draft: GraphDraft) -> Int { draft.nodes.map(\.strip.channels).max() ?? 2 }

    /// The sum of the master is the first, those of the buses follow in the order in which they are mixed.
    private static func sums(_ draft: GraphDraft) -> [ObjectIdentifier: Int] {
        var sums = Dictionary(uniqueKeysWithValues: buses(draft).enumerated().map { ($1.id, $0 + 1) })
        sums[draft.nodes.last!.id] = 0
        return sums
    }

    private static func sizes(
        _ draft: GraphDraft, _ changed: [Bool], _ keys: Set<ObjectIdentifier>
    ) -> GraphRoom.Sizes {
        var sizes = GraphRoom.Sizes()
        for (index, node) in draft.nodes.enumerated() {
            sizes.controls += node.present.hasControls ? 1 : 0
            if changed[index] {
                sizes.befores += 1
                sizes.controls += node.before!.hasControls ? 1 : 0
            }
            if !node.keys.isEmpty || keys.contains(node.id) { sizes.levels += 1 }
            sizes.ducks += node.ducks.count
            sizes.levelWaits += node.present.delays.levels.count
            sizes.waits += node.waits == nil ? 0 : 1
            sizes.shares += node.share.isEmpty ? 0 : 1
            if !needsEdges(index, draft) { continue }
            sizes.edges += 1
            sizes.outputs += node.outputs.count
            sizes.sends += node.sends.count
            sizes.sendBefores += node.sends.count { $0.before != nil }
        }
        return sizes
    }

    /// Whether a line is a bus, or goes elsewhere than to the master, or fades on its way there.
    private static func needsEdges(_ index: Int, _ draft: GraphDraft) -> Bool {
        let node = draft.nodes[index]
        if index == draft.nodes.count - 1 { return !node.sends.isEmpty }
        if !node.isTrack || !node.sends.isEmpty || node.outputs.count != 1 { return true }
        return node.outputs[0].gate != .open || node.outputs[0].wait > 0
            || node.outputs[0].target != draft.nodes.last!.id
    }

    // MARK: - Lines

    private func soundBefore(
        _ node: GraphDraft.Node, _ comparison: Comparison
    ) -> UnsafeMutablePointer<LineSound> {
        room.befores.put(sound(node.before!, comparison.dcasBefore, comparison.momentsBefore))
    }

    private func sound(
        _ part: PlanDraft.Part, _ dcas: [StripID: Int], _ moments: [[Int64: Int]]
    ) -> LineSound {
        let score = part.score
        return LineSound(
            stream: score.stream?.cursor, input: score.content.input,
            inputWait: Int(score.content.inputWait), envelopes: score.envelopes.pointer,
            envelopeCount: score.envelopes.count,
            controls: part.hasControls ? room.controls.put(part.controls(dcas)) : nil,
            player: UInt8(part.player), moment: moments[part.player][score.content.lag] ?? 0)
    }

    private func edges(
        ofLine index: Int, _ draft: GraphDraft, _ sums: [ObjectIdentifier: Int], _ comparison: Comparison
    ) -> UnsafeMutablePointer<LineEdges>? {
        if !Self.needsEdges(index, draft) { return nil }
        let node = draft.nodes[index]
        let ownOutputs = room.outputs.put(
            node.outputs.map { OutputEdge(sum: sums[$0.target]!, gate: $0.gate, wait: Int($0.wait)) })
        let sends = node.orderedSends
        return room.edges.put(
            LineEdges(
                source: node.isTrack ? 0 : sums[node.id]!, outputs: ownOutputs,
                outputCount: node.outputs.count,
                sends: room.sends.put(sends.map { edge($0, of: node.present.player, sums, comparison) }),
                sendCount: sends.count, slots: Self.slots(sends), preSlots: Self.slots(sends.filter(\.isPre)),
                unslotted: sends.count { $0.slot == nil }, steady: room.steady.allocate(sends.count)))
    }

    /// A bit for each slot.
    private static func slots(_ sends: [GraphDraft.Send]) -> UInt64 {
        sends.compactMap(\.slot).reduce(0) { $0 | 1 << UInt64($1) }
    }

    private func edge(
        _ send: GraphDraft.Send, of player: Int, _ sums: [ObjectIdentifier: Int], _ comparison: Comparison
    ) -> SendEdge {
        SendEdge(
            strip: send.strip.strip, sum: sums[send.target]!, gate: send.gate, isPre: send.isPre,
            wait: Int(send.sound.path.wait),
            sound: send.sound.sound(comparison.places(isPast: send.gate.isPast()).moments[player]),
            before: send.before.map { room.sendBefores.put($0.sound(comparison.momentsBefore[player])) })
    }

    private func levels(
        _ node: GraphDraft.Node, _ keys: Set<ObjectIdentifier>, _ hearing: Set<ObjectIdentifier>
    ) -> UnsafeMutablePointer<LineLevels>? {
        let isKey = keys.contains(node.id)
        if node.keys.isEmpty, !isKey { return nil }
        let ownDucks = room.ducks.put(
            node.ducks.map { duck in
                DuckEdge(
                    duck: duck.duck, levels: levels(of: duck.key, duck.duck.key.wait, for: node),
                    memory: node.strip.duckMemory(under: duck.key),
                    isLive: hearing.contains(ObjectIdentifier(duck.key)), isPresent: duck.isPresent,
                    isPast: duck.isPast)
            })
        let ownWaits = levelWaits(node, hearing)
        return room.levels.put(
            LineLevels(
                own: isKey ? node.strip.keyLevels : nil,
                gate: node.gateKey.map { levels(of: $0.strip, $0.wait, for: node) },
                compressor: node.compressorKey.map { levels(of: $0.strip, $0.wait, for: node) },
                ducks: ownDucks,
                duckCount: node.ducks.count, waits: room.levelWaits.put(ownWaits), waitCount: ownWaits.count))
    }

    /// The levels of a key as a line comes to them: so late, or at once.
    private func levels(of key: StripHandle, _ wait: Int64, for node: GraphDraft.Node) -> KeyLevels {
        let place = LineDelays.Key(strip: ObjectIdentifier(key), wait: wait)
        return node.present.delays.levels[place]?.pointer.pointee.levels ?? key.keyLevels
    }

    /// The levels that a line notes for what goes by them later.
    private func levelWaits(_ node: GraphDraft.Node, _ hearing: Set<ObjectIdentifier>) -> [LevelWait] {
        let strips = Dictionary(
            node.keys.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first })
        return node.present.delays.levels.compactMap { place, delay in
            strips[place.strip].map { key in
                LevelWait(
                    levels: key.keyLevels, memory: delay.pointer, isLive: hearing.contains(place.strip))
            }
        }
    }
}
