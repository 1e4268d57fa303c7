import Timeline

/// The lines of a plan, with those of the plan before it while that is crossed over from, and where each
/// one's sound goes. Control thread.
///
/// While one plan gives way to another, what both have goes on, and each edge that only one of them has opens
/// or closes.
struct GraphDraft {
    /// A strip in the making of a graph.
    struct Node {
        let strip: StripHandle
        /// In the new plan, and in the one before.
        let part: PlanDraft.Part?
        let before: PlanDraft.Part?
        var outputs: [Output] = []
        var sends: [Send] = []
        /// Whose levels it goes by.
        var gateKey: Key?
        var compressorKey: Key?
        var ducks: [Duck] = []
        /// What it shares with others.
        var share = Share()

        var id: ObjectIdentifier { ObjectIdentifier(strip) }
        /// What it is, or was.
        var present: PlanDraft.Part { part ?? before! }
        var gate: EdgeGate { before == nil ? .opens : part == nil ? .closes : .open }
        var stays: Bool { part != nil && before != nil }
        /// A duck by signal comes or goes, or its key has another live side.
        var ducksChange: Bool { ducks.contains { !$0.isPresent || !$0.isPast } }
        /// It goes by no other's level.
        var isPlain: Bool { isTrack && keys.isEmpty && share.isEmpty }
        var isTrack: Bool { strip.role == .track }
        /// It is mixed behind the master, which it may hear, and feeds nobody.
        var isBehindMaster: Bool { present.id == .monitor }
        /// Those whose levels it goes by.
        var keys: [StripHandle] { [gateKey, compressorKey].compactMap { $0?.strip } + ducks.map(\.key) }
        /// Whom it feeds.
        var targets: [ObjectIdentifier] { outputs.map(\.target) + sends.map(\.target) }
        /// Those whom what leaves it behind its gains feeds.
        var targetsBehind: [ObjectIdentifier] {
            outputs.map(\.target) + sends.filter { !$0.isPre }.map(\.target)
        }
    }

    struct Output {
        let target: ObjectIdentifier
        var gate: EdgeGate
        /// For so many frames it is held back, and by what.
        let wait: Int64
        let ring: LineDelays.Ring?
    }

    struct Send {
        let strip: StripHandle
        let target: ObjectIdentifier
        let isPre: Bool
        var gate: EdgeGate
        /// What holds it back; nil: nothing.
        let ring: LineDelays.Ring?
        let sound: EdgeScore.Send
        /// What it was, where that was another.
        var before: EdgeScore.Send?
    }

    /// A strip by whose level another goes, and for how many frames that is held back.
    struct Key {
        let strip: StripHandle
        let wait: Int64
    }

    struct Duck {
        let duck: SignalDuck
        let key: StripHandle
        /// The new plan has it, and the one before.
        let isPresent: Bool
        let isPast: Bool
    }

    /// The automixes in which a strip takes part: in that of the bus that it goes to now, and of the one that
    /// it went to.
    struct Share {
        var present: Part?
        var past: Part?
        /// The strips that are worked out together with it, which are one automix, or several that one strip
        /// goes from and to; its place among these.
        var cluster = 0
        /// Something of its automixes is not as it was.
        var changes = false

        struct Part: Equatable {
            let bus: ObjectIdentifier
            let weight: Double
            let pace: SharePace
        }

        var isEmpty: Bool { present == nil && past == nil }
        var buses: [ObjectIdentifier] { [present, past].compactMap { $0?.bus } }
    }

    /// In the order in which they are mixed.
    private(set) var nodes: [Node]
    /// It is of two plans.
    let fades: Bool

    /// A plan by itself, in which nothing fades.
    init(_ draft: PlanDraft) {
        nodes = draft.parts.map { Node(strip: $0.strip, part: $0, before: $0) }
        fades = false
        let (handles, strips) = (draft.handles, draft.strips)
        for index in nodes.indices {
            nodes[index].outputs = Self.outputs(nodes[index].part, handles)
            nodes[index].sends = Self.sends(nodes[index].part, handles)
            nodes[index].key(by: strips, strips)
        }
        gatherShares()
    }

    /// A plan while another is crossed over from; nil where their edges together make a loop.
    init?(_ draft: PlanDraft, after previous: PlanDraft) {
        var earlier = Dictionary(
            uniqueKeysWithValues: previous.parts.map { (ObjectIdentifier($0.strip), $0) })
        let coming = draft.parts.map {
            Node(strip: $0.strip, part: $0, before: earlier.removeValue(forKey: ObjectIdentifier($0.strip)))
        }
        let leaving = previous.parts.dropLast().filter { earlier[ObjectIdentifier($0.strip)] != nil }.map {
            Node(strip: $0.strip, part: nil, before: $0)
        }
        fades = true
        nodes = coming.dropLast() + leaving + coming.suffix(1)
        link(draft, previous)
        gatherShares()
        guard let order = Self.order(nodes.dropLast()) else { return nil }
        nodes.replaceSubrange(..<(nodes.count - 1), with: order)
    }

    // MARK: - Edges

    private static func outputs(_ part: PlanDraft.Part?, _ handles: [StripID: ObjectIdentifier]) -> [Output] {
        guard let part, let target = part.edges.paths.output.flatMap({ handles[$0] }) else { return [] }
        let wait = part.edges.paths.outputWait
        return [Output(target: target, gate: .open, wait: wait, ring: wait > 0 ? part.delays.post : nil)]
    }

    private static func sends(_ part: PlanDraft.Part?, _ handles: [StripID: ObjectIdentifier]) -> [Send] {
        guard let part else { return [] }
        return part.edges.paths.sends.indices.compactMap { index in
            let path = part.edges.paths.sends[index]
            let ring = path.wait > 0 ? (path.isPre ? part.delays.pre : part.delays.post) : nil
            return handles[path.bus].map {
                Send(
                    strip: part.sends[index], target: $0, isPre: path.isPre, gate: .open, ring: ring,
                    sound: part.edges.sends[index])
            }
        }
    }

    /// Gives the nodes the edges of both plans. An edge fades where it leads to what stays: before that all
    /// of it comes or goes with what it leads to.
    private mutating func link(_ draft: PlanDraft, _ previous: PlanDraft) {
        let (handles, handlesBefore) = (draft.handles, previous.handles)
        let (strips, stripsBefore) = (draft.strips, previous.strips)
        let goesElsewhere = draft.goesElsewhere(after: previous)
        let staying = Set(nodes.lazy.filter(\.stays).map(\.id))
        for index in nodes.indices {
            let node = nodes[index]
            nodes[index].outputs = Self.union(
                Self.outputs(node.part, handles), Self.outputs(node.before, handlesBefore), staying)
            nodes[index].sends = Self.union(
                Self.sends(node.part, handles), Self.sends(node.before, handlesBefore), staying,
                isElsewhere: goesElsewhere[node.present.player])
            nodes[index].key(by: strips, stripsBefore)
        }
    }

    /// The outputs of both plans.
    /// - Parameter staying: the strips that are in both.
    private static func union(
        _ now: [Output], _ before: [Output], _ staying: Set<ObjectIdentifier>
    ) -> [Output] {
        var outputs = now
        for index in outputs.indices where !before.contains(where: { $0.isSame(as: outputs[index]) }) {
            outputs[index].gate = staying.contains(outputs[index].target) ? .opens : .comes
        }
        return outputs
            + before.filter { old in !outputs.contains { $0.isSame(as: old) } }.map {
                let gate: EdgeGate = staying.contains($0.target) ? .closes : .goes
                return Output(target: $0.target, gate: gate, wait: $0.wait, ring: $0.ring)
            }
    }

    /// The sends of both plans.
    /// - Parameters:
    ///   - staying: the strips that are in both.
    ///   - isElsewhere: the player goes on elsewhere.
    private static func union(
        _ now: [Send], _ before: [Send], _ staying: Set<ObjectIdentifier>, isElsewhere: Bool
    ) -> [Send] {
        var sends = now
        for index in sends.indices {
            if let old = before.first(where: { $0.isSame(as: sends[index]) }) {
                if old.sound.differs(from: sends[index].sound, isElsewhere: isElsewhere) {
                    sends[index].before = old.sound
                }
            } else {
                sends[index].gate = staying.contains(sends[index].target) ? .opens : .comes
            }
        }
        for old in before where !sends.contains(where: { $0.isSame(as: old) }) {
            let gate: EdgeGate = staying.contains(old.target) ? .closes : .goes
            sends.append(
                Send(
                    strip: old.strip, target: old.target, isPre: old.isPre, gate: gate, ring: old.ring,
                    sound: old.sound))
        }
        return sends
    }

    /// Finds out who is worked out together, and where that is not as it was.
    private mutating func gatherShares() {
        let clusters = clusters()
        var changed: Set<Int> = []
        for index in nodes.indices where !nodes[index].share.isEmpty {
            nodes[index].share.cluster = clusters[nodes[index].share.buses[0]]!
            if !nodes[index].stays || nodes[index].share.present != nodes[index].share.past {
                changed.insert(nodes[index].share.cluster)
            }
        }
        for index in nodes.indices where !nodes[index].share.isEmpty {
            nodes[index].share.changes = changed.contains(nodes[index].share.cluster)
        }
    }

    /// Buses that share among the same lines, directly or by others, have one number.
    private func clusters() -> [ObjectIdentifier: Int] {
        var clusters: [ObjectIdentifier: Int] = [:]
        for node in nodes {
            let known = Set(node.share.buses.compactMap { clusters[$0] })
            guard let cluster = known.min() ?? (node.share.isEmpty ? nil : clusters.count) else { continue }
            for (bus, other) in clusters where known.contains(other) { clusters[bus] = cluster }
            for bus in node.share.buses { clusters[bus] = cluster }
        }
        return clusters
    }

    // MARK: - Order

    /// Tracks that go by no other's level and share with none; then the other tracks and the buses, each
    /// behind all that feed it and behind those whose level it goes by, otherwise in the order that they
    /// have; nil where they lead to each other in a loop.
    private static func order(_ nodes: ArraySlice<Node>) -> [Node]? {
        let late = nodes.filter { !$0.isPlain }
        let led = led(among: late)
        var leaders = Array(repeating: 0, count: late.count)
        for node in led.joined() { leaders[node] += 1 }
        var order = nodes.filter(\.isPlain)
        // Those that nobody leads to any more, the first of them last.
        var ready = leaders.indices.reversed().filter { leaders[$0] == 0 }
        while let next = ready.popLast() {
            order.append(late[next])
            for node in led[next] {
                leaders[node] -= 1
                if leaders[node] == 0 {
                    ready.insert(node, at: ready.firstIndex { $0 < node } ?? ready.count)
                }
            }
        }
        if order.count < nodes.count { return nil }
        return order.filter { !$0.isBehindMaster } + order.filter(\.isBehindMaster)
    }

    /// For each node the places of those that must come behind it: what it feeds, and what goes by its level.
    private static func led(among nodes: [Node]) -> [[Int]] {
        let index = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.id, $0) })
        var led = nodes.map { node in node.targets.compactMap { index[$0] } }
        for (node, keys) in nodes.map(\.keys).enumerated() {
            for key in keys { if let key = index[ObjectIdentifier(key)] { led[key].append(node) } }
        }
        // What one of those that share leaves behind its gains hangs on the levels of all.
        let sharing = nodes.indices.filter { !nodes[$0].share.isEmpty }
        for members in Dictionary(grouping: sharing, by: { nodes[$0].share.cluster }).values {
            let fed = Set(members.flatMap { nodes[$0].targetsBehind }.compactMap { index[$0] }).sorted()
            for member in members { led[member] += fed }
        }
        return led
    }

    /// The lines in which what comes in by ports is heard.
    func hearingInputs() -> Set<ObjectIdentifier> {
        var hearing: Set<ObjectIdentifier> = []
        for node in nodes {
            if [node.part, node.before].contains(where: { ($0?.score.content.input ?? .never) != .never }) {
                hearing.insert(node.id)
            }
            if hearing.contains(node.id) { hearing.formUnion(node.targets) }
        }
        return hearing
    }
}

extension GraphDraft.Output {
    /// The same edge in another plan.
    fileprivate func isSame(as other: Self) -> Bool {
        target == other.target && wait == other.wait && ring === other.ring
    }
}

extension GraphDraft.Send {
    /// Its place among those that are as they were; nil for one that is not, and is looked at in each block:
    /// one send may even leave twice, by the old way and by the new.
    var slot: Int? { gate == .open && before == nil ? strip.slot : nil }

    /// The same edge in another plan.
    fileprivate func isSame(as other: Self) -> Bool {
        strip === other.strip && target == other.target && isPre == other.isPre
            && sound.path.wait == other.sound.path.wait && ring === other.ring
            && sound.path.matrix == other.sound.path.matrix
    }
}

extension GraphDraft.Node {
    /// Notes whose levels it goes by. What a gate and a compressor go by changes at once; a duck that comes
    /// or goes fades.
    /// - Parameters:
    ///   - strips: the live sides of the new plan.
    ///   - before: those of the plan before.
    fileprivate mutating func key(by strips: [StripID: StripHandle], _ before: [StripID: StripHandle]) {
        let own = part == nil ? before : strips
        func found(_ key: LineKeys.Key?) -> GraphDraft.Key? {
            guard let key, let strip = own[key.strip] else { return nil }
            return GraphDraft.Key(strip: strip, wait: key.wait)
        }
        (gateKey, compressorKey) = (found(present.keys.gate), found(present.keys.compressor))
        share.present = part?.keys.share.flatMap { GraphDraft.Share.Part($0, strips) }
        share.past = self.before?.keys.share.flatMap { GraphDraft.Share.Part($0, before) }
        keyDucks(by: strips, before)
    }

    private mutating func keyDucks(by strips: [StripID: StripHandle], _ before: [StripID: StripHandle]) {
        let past = self.before?.keys.ducks ?? []
        ducks = []
        for duck in part?.keys.ducks ?? [] {
            guard let key = strips[duck.key.strip] else { continue }
            add(duck, under: key, isPresent: true, isPast: past.contains { before[$0.key.strip] === key })
        }
        for duck in past {
            guard let key = before[duck.key.strip] else { continue }
            add(duck, under: key, isPresent: false, isPast: true)
        }
    }

    /// Under one key there is one duck: each has a memory of its own.
    private mutating func add(_ duck: SignalDuck, under key: StripHandle, isPresent: Bool, isPast: Bool) {
        if ducks.contains(where: { $0.key === key }) { return }
        ducks.append(GraphDraft.Duck(duck: duck, key: key, isPresent: isPresent, isPast: isPast))
    }
}

extension GraphDraft.Share.Part {
    fileprivate init?(_ share: LineKeys.Share, _ strips: [StripID: StripHandle]) {
        guard let bus = strips[share.bus] else { return nil }
        (self.bus, weight, pace) = (ObjectIdentifier(bus), share.weight, share.pace)
    }
}
