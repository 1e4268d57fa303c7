import Timeline

/// The lines of a plan, with those of the plan before it while that is crossed over from, and where each one's sound goes. Control thread.
///
/// Nothing is mixed twice while one plan gives way to another: what both have goes on, and each edge that only one of them has opens or closes.
struct GraphDraft {
    /// A strip in the making of a graph.
    struct Node {
        let strip: StripHandle
        /// In the new plan, and in the one before.
        let part: PlanDraft.Part?
        let before: PlanDraft.Part?
        var outputs: [Output] = []
        var sends: [Send] = []

        var id: ObjectIdentifier { ObjectIdentifier(strip) }
        /// What it is, or was.
        var present: PlanDraft.Part { part ?? before! }
        var gate: EdgeGate { before == nil ? .opens : part == nil ? .closes : .open }
        var stays: Bool { part != nil && before != nil }
        /// Whom it feeds.
        var targets: [ObjectIdentifier] { outputs.map(\.target) + sends.map(\.target) }
    }

    struct Output {
        let target: ObjectIdentifier
        var gate: EdgeGate
    }

    struct Send {
        let strip: StripHandle
        let target: ObjectIdentifier
        let isPre: Bool
        var gate: EdgeGate
        let sound: EdgeScore.Send
        /// What it was, where that was another.
        var before: EdgeScore.Send?
    }

    /// In the order in which they are mixed.
    private(set) var nodes: [Node]
    let trackCount: Int
    /// It is of two plans.
    let fades: Bool

    /// A plan by itself, in which nothing fades.
    init(_ draft: PlanDraft) {
        nodes = draft.parts.map { Node(strip: $0.strip, part: $0, before: $0) }
        (trackCount, fades) = (draft.trackCount, false)
        let handles = draft.handles
        for index in nodes.indices {
            nodes[index].outputs = Self.outputs(nodes[index].part, handles)
            nodes[index].sends = Self.sends(nodes[index].part, handles)
        }
    }

    /// A plan while another is crossed over from; nil where their edges together make a loop.
    init?(_ draft: PlanDraft, after previous: PlanDraft) {
        var earlier = Dictionary(uniqueKeysWithValues: previous.parts.map { (ObjectIdentifier($0.strip), $0) })
        let coming = draft.parts.map { Node(strip: $0.strip, part: $0, before: earlier.removeValue(forKey: ObjectIdentifier($0.strip))) }
        func leaving(_ parts: ArraySlice<PlanDraft.Part>) -> [Node] {
            parts.filter { earlier[ObjectIdentifier($0.strip)] != nil }.map { Node(strip: $0.strip, part: nil, before: $0) }
        }
        let tracks = coming.prefix(draft.trackCount) + leaving(previous.parts.prefix(previous.trackCount))
        let buses = coming.dropFirst(draft.trackCount).dropLast() + leaving(previous.parts.dropFirst(previous.trackCount).dropLast())
        (trackCount, fades) = (tracks.count, true)
        nodes = tracks + buses + coming.suffix(1)
        link(draft, previous)
        guard let order = Self.order(Array(nodes[trackCount..<nodes.count - 1])) else { return nil }
        nodes.replaceSubrange(trackCount..<nodes.count - 1, with: order)
    }

    // MARK: - Edges

    private static func outputs(_ part: PlanDraft.Part?, _ handles: [StripID: ObjectIdentifier]) -> [Output] {
        guard let part, let target = part.edges.paths.output.flatMap({ handles[$0] }) else { return [] }
        return [Output(target: target, gate: .open)]
    }

    private static func sends(_ part: PlanDraft.Part?, _ handles: [StripID: ObjectIdentifier]) -> [Send] {
        guard let part else { return [] }
        return part.edges.paths.sends.indices.compactMap { index in
            let path = part.edges.paths.sends[index]
            return handles[path.bus].map { Send(strip: part.sends[index], target: $0, isPre: path.isPre, gate: .open, sound: part.edges.sends[index]) }
        }
    }

    /// Gives the nodes the edges of both plans. An edge fades where it leads to what stays: before that all of it comes or goes with what it leads to.
    private mutating func link(_ draft: PlanDraft, _ previous: PlanDraft) {
        let (handles, handlesBefore) = (draft.handles, previous.handles)
        let isElsewhere = draft.route.number != previous.route.number
        let staying = Set(nodes.lazy.filter(\.stays).map(\.id))
        func opening(to target: ObjectIdentifier) -> EdgeGate { staying.contains(target) ? .opens : .comes }
        func closing(to target: ObjectIdentifier) -> EdgeGate { staying.contains(target) ? .closes : .goes }
        for index in nodes.indices {
            let node = nodes[index]
            var outputs = Self.outputs(node.part, handles)
            let outputsBefore = Self.outputs(node.before, handlesBefore)
            for index in outputs.indices where !outputsBefore.contains(where: { $0.target == outputs[index].target }) { outputs[index].gate = opening(to: outputs[index].target) }
            outputs += outputsBefore.filter { old in !outputs.contains { $0.target == old.target } }.map { Output(target: $0.target, gate: closing(to: $0.target)) }
            nodes[index].outputs = outputs
            let before = Self.sends(node.before, handlesBefore)
            var sends = Self.sends(node.part, handles)
            for index in sends.indices {
                if let old = before.first(where: { $0.isSame(as: sends[index]) }) {
                    if old.sound.differs(from: sends[index].sound, isElsewhere: isElsewhere) { sends[index].before = old.sound }
                } else {
                    sends[index].gate = opening(to: sends[index].target)
                }
            }
            for old in before where !sends.contains(where: { $0.isSame(as: old) }) {
                sends.append(Send(strip: old.strip, target: old.target, isPre: old.isPre, gate: closing(to: old.target), sound: old.sound))
            }
            nodes[index].sends = sends
        }
    }

    // MARK: - Order

    /// Buses, each behind all that feed it, otherwise in the order that they have; nil where they feed each other in a loop.
    private static func order(_ buses: [Node]) -> [Node]? {
        let own = Set(buses.map(\.id))
        var feeders: [ObjectIdentifier: Int] = [:]
        for bus in buses { for target in bus.targets where own.contains(target) { feeders[target, default: 0] += 1 } }
        var (waiting, order) = (buses, [Node]())
        while let next = waiting.firstIndex(where: { feeders[$0.id, default: 0] == 0 }) {
            let bus = waiting.remove(at: next)
            order.append(bus)
            for target in bus.targets where own.contains(target) { feeders[target]! -= 1 }
        }
        return waiting.isEmpty ? order : nil
    }

    /// The lines in which what comes in by ports is heard.
    func hearingInputs() -> Set<ObjectIdentifier> {
        var hearing: Set<ObjectIdentifier> = []
        for node in nodes {
            if [node.part, node.before].contains(where: { ($0?.score.content.input ?? .never) != .never }) { hearing.insert(node.id) }
            if hearing.contains(node.id) { hearing.formUnion(node.targets) }
        }
        return hearing
    }
}

extension GraphDraft.Send {
    /// The same edge in another plan.
    fileprivate func isSame(as other: Self) -> Bool { strip === other.strip && target == other.target && isPre == other.isPre }
}

extension PlanDraft {
    /// The live sides of its strips.
    fileprivate var handles: [StripID: ObjectIdentifier] { Dictionary(parts.map { ($0.id, ObjectIdentifier($0.strip)) }, uniquingKeysWith: { first, _ in first }) }

    /// The same with no edge that `previous` does not have: what closes has closed, and what is to open has not begun.
    func closed(after previous: PlanDraft) -> PlanDraft {
        let before = Dictionary(uniqueKeysWithValues: previous.parts.map { (ObjectIdentifier($0.strip), $0) })
        let (handles, handlesBefore) = (handles, previous.handles)
        var closed = self
        closed.parts = parts.map { part in
            let old = before[ObjectIdentifier(part.strip)]
            var paths = part.edges.paths
            func target(_ paths: LinePaths, _ handles: [StripID: ObjectIdentifier]) -> ObjectIdentifier? { paths.output.flatMap { handles[$0] } }
            if old == nil || target(paths, handles) != target(old!.edges.paths, handlesBefore) { paths.output = nil }
            let kept = paths.sends.indices.filter { index in
                let path = paths.sends[index]
                guard let old, let place = old.sends.firstIndex(where: { $0 === part.sends[index] }) else { return false }
                let earlier = old.edges.paths.sends[place]
                return earlier.isPre == path.isPre && handlesBefore[earlier.bus] == handles[path.bus]
            }
            paths.sends = kept.map { part.edges.paths.sends[$0] }
            return Part(id: part.id, score: part.score, edges: EdgeScore(paths), strip: part.strip, sends: kept.map { part.sends[$0] })
        }
        return closed
    }
}
