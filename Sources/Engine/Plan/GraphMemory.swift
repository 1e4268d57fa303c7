import Realtime
import Timeline

/// Owns a graph in the memory of the audio thread: all of it in a few arrays. Control thread.
final class GraphMemory {
    let graph: UnsafeMutablePointer<Graph>
    private let sums: UnsafeMutablePointer<Channels>
    private let befores: UnsafeMutablePointer<LineSound>
    private let controls: UnsafeMutablePointer<LineControls>
    private let edges: UnsafeMutablePointer<LineEdges>
    private let outputs: UnsafeMutablePointer<OutputEdge>
    private let sends: UnsafeMutablePointer<SendEdge>
    private let levels: UnsafeMutablePointer<LineLevels>
    private let ducks: UnsafeMutablePointer<DuckEdge>
    private let levelWaits: UnsafeMutablePointer<LevelWait>
    private let waits: UnsafeMutablePointer<LineWaits>
    private let shares: UnsafeMutablePointer<ShareEdge>
    private let members: UnsafeMutablePointer<UnsafeMutablePointer<Line>>
    private let takers: UnsafeMutablePointer<UnsafeMutablePointer<ShareEdge>>
    private let mixes: UnsafeMutablePointer<ShareMix>
    private let sendBefores: UnsafeMutablePointer<SendSound>
    private let sizes: Sizes

    /// How many there are of what not every line has.
    private struct Sizes {
        var (
            befores, controls, edges, outputs, sends, sendBefores, levels, ducks, levelWaits, waits, shares
        ) = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }

    /// What a part of a plan sounds like beside the plan before it.
    struct Comparison {
        /// The DCAs of the plan, and of the one before, by their place there.
        let dcas: [StripID: Int]
        let dcasBefore: [StripID: Int]
        /// The moments at which they are read, by how far behind the playhead they are.
        let moments: [Int64: Int]
        let momentsBefore: [Int64: Int]
        /// Those that another hand or timeline moves than before.
        let changedDCAs: Set<StripID>
        /// Playing goes on elsewhere than before.
        let isElsewhere: Bool
    }

    /// - Parameter blocks: room for the sums and for the samples of lines.
    init(_ draft: GraphDraft, _ comparison: Comparison, _ blocks: BlockMemory) {
        let nodes = draft.nodes
        let changed = nodes.map {
            draft.fades && $0.stays
                && ($0.ducksChange || $0.share.changes
                    || $0.before!.sounds(otherwiseThan: $0.part!, comparison))
        }
        let keys = Self.keys(draft)
        sizes = Self.sizes(draft, changed, keys)
        befores = LockedMemory.allocate(LineSound.self, sizes.befores)
        controls = LockedMemory.allocate(LineControls.self, sizes.controls)
        edges = LockedMemory.allocate(LineEdges.self, sizes.edges)
        outputs = LockedMemory.allocate(OutputEdge.self, sizes.outputs)
        sends = LockedMemory.allocate(SendEdge.self, sizes.sends)
        sendBefores = LockedMemory.allocate(SendSound.self, sizes.sendBefores)
        levels = LockedMemory.allocate(LineLevels.self, sizes.levels)
        ducks = LockedMemory.allocate(DuckEdge.self, sizes.ducks)
        levelWaits = LockedMemory.allocate(LevelWait.self, sizes.levelWaits)
        waits = LockedMemory.allocate(LineWaits.self, sizes.waits)
        shares = LockedMemory.allocate(ShareEdge.self, sizes.shares)
        members = LockedMemory.allocate(UnsafeMutablePointer<Line>.self, sizes.shares)
        // Each takes part in one automix of each plan at the most.
        takers = LockedMemory.allocate(UnsafeMutablePointer<ShareEdge>.self, 2 * sizes.shares)
        mixes = LockedMemory.allocate(ShareMix.self, 2 * sizes.shares)
        graph = LockedMemory.allocate(Graph.self)
        let lines = LockedMemory.allocate(Line.self, nodes.count)
        let buses = Self.buses(draft)
        sums = LockedMemory.allocate(Channels.self, buses.count)
        graph.initialize(
            to: Graph(
                lines: lines, count: nodes.count, trackCount: nodes.prefix(while: \.isTrack).count,
                work: nodes.reduce(nodes.count) {
                    $0 + $1.sends.count + $1.keys.count + ($1.share.isEmpty ? 0 : 2)
                },
                sums: sums, sumCount: buses.count, behindCount: nodes.count(where: \.isBehindMaster)))
        var place = 0
        for (index, bus) in buses.enumerated() {
            (sums + index).initialize(
                to: Channels(blocks.place(place), stride: Block.stride(), count: bus.strip.channels))
            place += bus.strip.channels
        }
        // Where those that share wait for each other.
        var waiting: [ObjectIdentifier: Channels] = [:]
        for node in nodes where !node.share.isEmpty {
            waiting[node.id] = Channels(
                blocks.place(place), stride: Block.stride(), count: node.strip.channels)
            place += node.strip.channels
        }
        let sharing = shareEdges(draft, lines, waiting)
        // What a line needs on its way nobody needs after it: all have the same places.
        let (shared, widest) = (blocks.place(place), Self.widest(draft))
        let hearing = draft.hearingInputs()
        let numbers = Self.sums(draft)
        var used = Sizes()
        for (index, node) in nodes.enumerated() {
            var before: UnsafeMutablePointer<LineSound>?
            if changed[index] {
                before = befores + used.befores
                used.befores += 1
                before!.initialize(
                    to: sound(node.before!, comparison.dcasBefore, comparison.momentsBefore, &used))
            }
            let dcas = node.part == nil ? comparison.dcasBefore : comparison.dcas
            let moments = node.part == nil ? comparison.momentsBefore : comparison.moments
            (lines + index).initialize(
                to: Line(
                    sound: sound(node.present, dcas, moments, &used), strip: node.strip.strip, before: before,
                    edges: line(index, draft, numbers, comparison, &used),
                    levels: levels(node, keys, hearing, &used), share: sharing[node.id],
                    waits: waits(node, &used),
                    blocks: LineBlocks(shared, channels: node.strip.channels, widest: widest),
                    gate: node.gate,
                    hearsInputs: hearing.contains(node.id)))
        }
    }

    deinit {
        LockedMemory.free(graph.pointee.lines, graph.pointee.count)
        LockedMemory.free(sums, graph.pointee.sumCount)
        LockedMemory.free(befores, sizes.befores)
        LockedMemory.free(controls, sizes.controls)
        LockedMemory.free(edges, sizes.edges)
        LockedMemory.free(outputs, sizes.outputs)
        LockedMemory.free(sends, sizes.sends)
        LockedMemory.free(sendBefores, sizes.sendBefores)
        LockedMemory.free(levels, sizes.levels)
        LockedMemory.free(ducks, sizes.ducks)
        LockedMemory.free(levelWaits, sizes.levelWaits)
        LockedMemory.free(waits, sizes.waits)
        LockedMemory.free(shares, sizes.shares)
        LockedMemory.free(members, sizes.shares)
        LockedMemory.free(takers, 2 * sizes.shares)
        LockedMemory.free(mixes, 2 * sizes.shares)
        LockedMemory.free(graph)
    }

    /// How many channels of a block it needs.
    static func blockCount(_ draft: GraphDraft) -> Int {
        let own = buses(draft) + draft.nodes.filter { !$0.share.isEmpty }
        return own.reduce(LineBlocks.count * widest(draft)) { $0 + $1.strip.channels }
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

    private static func sizes(_ draft: GraphDraft, _ changed: [Bool], _ keys: Set<ObjectIdentifier>) -> Sizes
    {
        var sizes = Sizes()
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

    private func sound(
        _ part: PlanDraft.Part, _ dcas: [StripID: Int], _ moments: [Int64: Int], _ used: inout Sizes
    ) -> LineSound {
        var own: UnsafeMutablePointer<LineControls>?
        if part.hasControls {
            own = controls + used.controls
            used.controls += 1
            own!.initialize(
                to: LineControls(
                    trims: part.score.trims.pointer, trimCount: part.score.trims.count,
                    pan: part.edges.pan?.pointer,
                    lanes: part.score.lanes.map { UnsafePointer($0.lanes) },
                    bank: part.score.lanes.map { _ in part.strip.processors },
                    dcas: part.score.content.dcas.compactMap { dcas[$0] }.reduce(0) { $0 | 1 << UInt64($1) }))
        }
        return LineSound(
            stream: part.score.stream?.cursor, input: part.score.content.input,
            inputWait: Int(part.score.content.inputWait),
            envelopes: part.score.envelopes.pointer, envelopeCount: part.score.envelopes.count, controls: own,
            moment: moments[part.score.content.lag] ?? 0)
    }

    private func line(
        _ index: Int, _ draft: GraphDraft, _ sums: [ObjectIdentifier: Int], _ comparison: Comparison,
        _ used: inout Sizes
    ) -> UnsafeMutablePointer<LineEdges>? {
        if !Self.needsEdges(index, draft) { return nil }
        let node = draft.nodes[index]
        let ownOutputs = outputs + used.outputs
        for (place, output) in node.outputs.enumerated() {
            (ownOutputs + place).initialize(
                to: OutputEdge(sum: sums[output.target]!, gate: output.gate, wait: Int(output.wait)))
        }
        used.outputs += node.outputs.count
        // What is not as it was is looked at in each block: one send may even leave twice, by the old way and
        // by the new.
        func slot(_ send: GraphDraft.Send) -> Int? {
            send.gate == .open && send.before == nil ? send.strip.slot : nil
        }
        let ordered = node.sends.enumerated().sorted {
            (slot($0.element) ?? .max, $0.offset) < (slot($1.element) ?? .max, $1.offset)
        }.map(\.element)
        let ownSends = sends + used.sends
        for (place, send) in ordered.enumerated() {
            (ownSends + place).initialize(to: edge(send, sums, comparison, &used))
        }
        used.sends += ordered.count
        let slots = ordered.compactMap(slot)
        let own = edges + used.edges
        used.edges += 1
        own.initialize(
            to: LineEdges(
                source: node.isTrack ? 0 : sums[node.id]!, outputs: ownOutputs,
                outputCount: node.outputs.count, sends: ownSends, sendCount: ordered.count,
                slots: slots.reduce(0) { $0 | 1 << UInt64($1) },
                preSlots: ordered.filter(\.isPre).compactMap(slot).reduce(0) { $0 | 1 << UInt64($1) },
                unslotted: ordered.count - slots.count))
        return own
    }

    private func levels(
        _ node: GraphDraft.Node, _ keys: Set<ObjectIdentifier>, _ hearing: Set<ObjectIdentifier>,
        _ used: inout Sizes
    ) -> UnsafeMutablePointer<LineLevels>? {
        let isKey = keys.contains(node.id)
        if node.keys.isEmpty, !isKey { return nil }
        let (own, ownDucks) = (levels + used.levels, ducks + used.ducks)
        used.levels += 1
        used.ducks += node.ducks.count
        let delays = node.present.delays.levels
        func found(_ key: StripHandle, _ wait: Int64) -> KeyLevels {
            delays[LineDelays.Key(strip: ObjectIdentifier(key), wait: wait)]?.pointer.pointee.levels
                ?? key.keyLevels
        }
        for (index, duck) in node.ducks.enumerated() {
            (ownDucks + index).initialize(
                to: DuckEdge(
                    duck: duck.duck, levels: found(duck.key, duck.duck.key.wait),
                    memory: node.strip.duckMemory(under: duck.key),
                    isLive: hearing.contains(ObjectIdentifier(duck.key)), isPresent: duck.isPresent,
                    isPast: duck.isPast))
        }
        let ownWaits = levelWaits + used.levelWaits
        used.levelWaits += delays.count
        let strips = Dictionary(
            node.keys.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first })
        var waitCount = 0
        for (place, delay) in delays {
            guard let key = strips[place.strip] else { continue }
            (ownWaits + waitCount).initialize(
                to: LevelWait(
                    levels: key.keyLevels, memory: delay.pointer, isLive: hearing.contains(place.strip)))
            waitCount += 1
        }
        own.initialize(
            to: LineLevels(
                own: isKey ? node.strip.keyLevels : nil, gate: node.gateKey.map { found($0.strip, $0.wait) },
                compressor: node.compressorKey.map { found($0.strip, $0.wait) }, ducks: ownDucks,
                duckCount: node.ducks.count,
                waits: ownWaits, waitCount: waitCount))
        return own
    }

    /// For each line that shares how it does.
    /// - Parameter waiting: where their sounds wait.
    private func shareEdges(
        _ draft: GraphDraft, _ lines: UnsafeMutablePointer<Line>, _ waiting: [ObjectIdentifier: Channels]
    ) -> [ObjectIdentifier: UnsafeMutablePointer<ShareEdge>] {
        let sharing = draft.nodes.indices.filter { !draft.nodes[$0].share.isEmpty }
        var (made, used) = ([ObjectIdentifier: UnsafeMutablePointer<ShareEdge>](), 0)
        var (list, mix) = (takers, mixes)
        for cluster in Dictionary(grouping: sharing, by: { draft.nodes[$0].share.cluster }).values.sorted(
            by: { $0[0] < $1[0] })
        {
            for (place, index) in cluster.enumerated() {
                (members + used + place).initialize(to: lines + index)
            }
            let buses = Set(cluster.flatMap { draft.nodes[$0].share.buses })
            for (place, index) in cluster.enumerated() {
                let node = draft.nodes[index]
                let (own, share) = (shares + used + place, node.share)
                own.initialize(
                    to: ShareEdge(
                        memory: node.strip.shareMemory, pace: (share.present ?? share.past!).pace,
                        weight: share.present?.weight, weightBefore: share.past?.weight,
                        mixes: mix, mixCount: buses.count, members: members + used,
                        memberCount: cluster.count, changes: share.changes,
                        isLast: place == cluster.count - 1, block: waiting[node.id]!))
                made[node.id] = own
            }
            /// The edges of those whose automix of one plan a bus has.
            func take(
                _ bus: ObjectIdentifier, _ part: KeyPath<GraphDraft.Share, GraphDraft.Share.Part?>
            ) -> (UnsafeMutablePointer<UnsafeMutablePointer<ShareEdge>>, Int) {
                let first = list
                for (place, index) in cluster.enumerated()
                where draft.nodes[index].share[keyPath: part]?.bus == bus {
                    list.initialize(to: shares + used + place)
                    list += 1
                }
                return (first, list - first)
            }
            for bus in buses {
                let (now, before) = (take(bus, \.present), take(bus, \.past))
                mix.initialize(
                    to: ShareMix(members: now.0, count: now.1, membersBefore: before.0, countBefore: before.1)
                )
                mix += 1
            }
            used += cluster.count
        }
        return made
    }

    private func waits(_ node: GraphDraft.Node, _ used: inout Sizes) -> UnsafeMutablePointer<LineWaits>? {
        guard let value = node.waits else { return nil }
        let own = waits + used.waits
        used.waits += 1
        own.initialize(to: value)
        return own
    }

    private func edge(
        _ send: GraphDraft.Send, _ sums: [ObjectIdentifier: Int], _ comparison: Comparison,
        _ used: inout Sizes
    ) -> SendEdge {
        let moments = send.gate.isPast() ? comparison.momentsBefore : comparison.moments
        var before: UnsafeMutablePointer<SendSound>?
        if let old = send.before {
            before = sendBefores + used.sendBefores
            used.sendBefores += 1
            before!.initialize(to: old.sound(comparison.momentsBefore))
        }
        return SendEdge(
            strip: send.strip.strip, sum: sums[send.target]!, gate: send.gate, isPre: send.isPre,
            wait: Int(send.sound.path.wait),
            sound: send.sound.sound(moments), before: before)
    }
}

extension EdgeScore.Send {
    fileprivate func sound(_ moments: [Int64: Int]) -> SendSound {
        SendSound(
            envelopes: envelopes.pointer, envelopeCount: envelopes.count, pan: pan?.pointer,
            matrix: matrix?.matrix, moment: moments[path.lag] ?? 0)
    }
}

extension GraphDraft.Node {
    /// What holds back what leaves it, in the new plan and in the one before.
    fileprivate var waits: LineWaits? {
        let (now, past) = (part?.delays ?? LineDelays(), before?.delays ?? LineDelays())
        if now.isEmpty, past.isEmpty { return nil }
        return LineWaits(
            input: now.input?.pointer, pre: now.pre?.pointer, post: now.post?.pointer,
            inputBefore: past.input === now.input ? nil : past.input?.pointer,
            preBefore: past.pre === now.pre ? nil : past.pre?.pointer,
            postBefore: past.post === now.post ? nil : past.post?.pointer)
    }
}

extension PlanDraft.Part {
    /// It has more than envelopes.
    fileprivate var hasControls: Bool {
        score.trims.count > 0 || score.lanes != nil || edges.pan != nil || !score.content.dcas.isEmpty
    }

    /// Whether it makes another sound of itself than `other`, beside what hands do.
    fileprivate func sounds(otherwiseThan other: Self, _ comparison: GraphMemory.Comparison) -> Bool {
        let (own, others) = (score.content, other.score.content)
        if own.input != others.input || own.inputWait != others.inputWait { return true }
        if own.lag != others.lag, isTimed || other.isTimed { return true }
        if own.dcas != others.dcas || !comparison.changedDCAs.isDisjoint(with: own.dcas) { return true }
        if comparison.isElsewhere {
            return isTimed || other.isTimed || !keys.ducks.isEmpty || keys.share != nil
        }
        return score !== other.score || edges !== other.edges && edges.paths.pan != other.edges.paths.pan
    }

    /// It sounds otherwise elsewhere on the timeline.
    private var isTimed: Bool {
        score.stream != nil || score.envelopes.count > 0 || score.trims.count > 0 || score.lanes != nil
            || edges.pan != nil
    }
}
