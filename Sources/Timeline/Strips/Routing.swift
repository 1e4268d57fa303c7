/// Which strips feed which, by output or send, and which go by others' levels: in which order they are mixed,
/// where that would go round in a loop, and who is heard beside a solo.
public struct Routing {
    /// All tracks and buses in the order in which they are mixed and added up: tracks that go by no other's
    /// level by their numbers; then the other tracks and the buses, each behind all that feed it and behind
    /// the strips whose levels it goes by.
    public let order: [StripID]
    /// The strips by which sound, or a level, would come back to where it was, in its direction, the first of
    /// them again at the end; nil without a loop.
    public let loop: [StripID]?
    /// The tracks that go by another's level or share with others, then the buses.
    private let nodes: [StripID]
    /// For each of these the indices of the buses that it feeds.
    private let fed: [[Int]]
    private let index: [StripID: Int]

    /// Of the session as it stands.
    public init(_ session: Session) {
        let keys = session.keys
        let groups = session.automixes.map(\.members)
        let members = Set(groups.joined().map(\.id))
        let strips =
            session.tracks.map(\.strip).filter { keys[$0.id] != nil || members.contains($0.id) }
            + session.buses
        let nodes = strips.map(\.id)
        let index = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1, $0) })
        let fed = strips.map { strip in strip.fed.compactMap { index[$0] } }
        (self.nodes, self.fed, self.index) = (nodes, fed, index)
        var led = Self.led(fed, nodes, index, by: keys)
        for group in groups { Self.lead(group, to: &led, index) }
        let plain = session.tracks.map(\.id).filter { index[$0] == nil }
        let (ordered, waitsFor) = Self.ordered(led)
        order = plain + ordered.map { nodes[$0] }
        loop = ordered.count == led.count ? nil : Self.loop(among: led, waitsFor).map { nodes[$0] }
    }

    /// What comes behind which: what it feeds, and what goes by its level.
    private static func led(
        _ fed: [[Int]], _ nodes: [StripID], _ index: [StripID: Int], by keys: [StripID: [StripID]]
    ) -> [[Int]] {
        var led = fed
        for (node, id) in nodes.enumerated() {
            for key in keys[id] ?? [] { if let key = index[key] { led[key].append(node) } }
        }
        return led
    }

    /// What one member of an automix leaves behind its share hangs on the levels of all.
    private static func lead(_ group: [Strip], to led: inout [[Int]], _ index: [StripID: Int]) {
        let fed = Set(group.flatMap(\.fedBehind).compactMap { index[$0] }).sorted()
        for member in group.compactMap({ index[$0.id] }) { led[member] += fed }
    }

    /// Those that wait for no loop, each behind all that lead to it, and for how many each waits still. The
    /// rank of one is the longest way by which others lead to it.
    private static func ordered(_ led: [[Int]]) -> (order: [Int], waitsFor: [Int]) {
        var rank = Array(repeating: 0, count: led.count)
        var waitsFor = Array(repeating: 0, count: led.count)
        for next in led { for node in next { waitsFor[node] += 1 } }
        var ready = waitsFor.indices.filter { waitsFor[$0] == 0 }
        var done = 0
        while done < ready.count {
            for node in led[ready[done]] {
                rank[node] = max(rank[node], rank[ready[done]] + 1)
                waitsFor[node] -= 1
                if waitsFor[node] == 0 { ready.append(node) }
            }
            done += 1
        }
        return (ready.sorted { (rank[$0], $0) < (rank[$1], $1) }, waitsFor)
    }

    /// A way round, among those that wait for each other.
    private static func loop(among fed: [[Int]], _ waitsFor: [Int]) -> [Int] {
        func isHeld(_ node: Int) -> Bool { waitsFor[node] > 0 }
        // Each that waits is fed by another that does: backwards from any of them the way comes to where it
        // was.
        var way = [waitsFor.firstIndex { $0 > 0 }!]
        while true {
            let before = fed.indices.first { isHeld($0) && fed[$0].contains(way[way.count - 1]) }!
            if let start = way.firstIndex(of: before) { return ([before] + way[start...].reversed()) }
            way.append(before)
        }
    }

    /// The sentence for people.
    public static func problem(_ loop: [StripID], in session: Session) -> String {
        if let (bus, member) = sharing(loop, in: session), let name = session.name(of: bus),
            let fed = session.name(of: member)
        {
            return
                """
                \(fed) goes by what others leave that share with it in \(name), and its level is to lower \
                them: automix \(name) \(fed) out keeps it out of that
                """
        }
        return "that would be a loop: \(loop.map { session.name(of: $0) ?? "" }.joined(separator: " -> "))"
    }

    /// The automix by which a loop is one, and whom it has to leave out: what another member leaves leads to
    /// one that it shares with. nil where sound, or a level, goes round by itself.
    static func sharing(_ loop: [StripID], in session: Session) -> (bus: StripID, member: StripID)? {
        let keys = session.keys
        for (from, to) in zip(loop, loop.dropFirst()) {
            let fed = session.place(of: from).map { session[$0].fed } ?? []
            if fed.contains(to) || keys[to]?.contains(from) == true { continue }
            // What another member feeds waits for the level of this one.
            for (bus, _, members) in session.automixes
            where members.contains(where: { $0.id == from })
                && members.contains(where: { $0.fedBehind.contains(to) })
            {
                return (bus, from)
            }
        }
        return nil
    }

    /// All buses that sound from any of `strips` comes to, by outputs and sends, at any distance.
    func reached(from strips: [Strip]) -> Set<StripID> {
        var reached: Set<Int> = []
        var next = strips.flatMap(\.fed).compactMap { index[$0] }
        while let bus = next.popLast() {
            if reached.insert(bus).inserted { next += fed[bus] }
        }
        return Set(index.filter { reached.contains($0.value) }.keys)
    }

    /// All strips where a strip is heard: itself, the buses that it comes to, the master if it comes there.
    public func heard(_ strip: Strip, in session: Session) -> Set<StripID> {
        let buses = reached(from: [strip])
        let reachesMaster =
            strip.output == .master
            || session.buses.contains { buses.contains($0.id) && $0.output == .master }
        return buses.union([strip.id]).union(reachesMaster ? [.master] : [])
    }

    /// Those buses, and all from which sound comes to one of them.
    func leading(to buses: Set<StripID>) -> Set<StripID> {
        var leading = Set(buses.compactMap { index[$0] })
        // Each stands behind all that feed it: from the last one backwards.
        for node in order.reversed().compactMap({ index[$0] })
        where fed[node].contains(where: leading.contains) { leading.insert(node) }
        return Set(index.filter { leading.contains($0.value) }.keys)
    }
}

extension Strip {
    /// The buses that it feeds.
    fileprivate var fed: [StripID] {
        let out: [StripID] = if case .bus(let id) = output { [id] } else { [] }
        return out + sends.map(\.bus)
    }

    /// Whether it feeds any of these buses by more than a talkback before its fader, which is heard whether
    /// the strip is or not. One behind the fader is heard only with the strip.
    fileprivate func feedsAtAllTimes(_ buses: Set<StripID>) -> Bool {
        if case .bus(let id) = output, buses.contains(id) { return true }
        return sends.contains { !($0.isTalkback && $0.isPre) && buses.contains($0.bus) }
    }

    /// Those that what leaves it behind its gains feeds.
    fileprivate var fedBehind: [StripID] {
        let before = Set(sends.filter(\.isPre).map(\.bus))
        return fed.filter { !before.contains($0) || output == .bus($0) }
    }
}

extension Session {
    /// The tracks and buses on solo: each by itself, or by a DCA on solo that it hangs on.
    public var soloed: [Strip] {
        let byDCA = Set(dcas.filter(\.solo).flatMap(\.members))
        return (tracks.map(\.strip) + buses).filter { $0.solo || byDCA.contains($0.id) }
    }

    /// The strips that are heard: DCAs and the master unless they are muted, by themselves or by a group,
    /// tracks and buses by mute and, in place, by every solo: where nothing is on solo, where it is or is
    /// safe from it, where something on solo feeds it, or it feeds something on solo by more than a talkback
    /// before its fader.
    public var audible: Set<StripID> {
        let soloed = soloMode == .inPlace ? self.soloed : []
        let grouped = groupMuted
        if soloed.isEmpty { return Set(strips.filter { !$0.mute && !grouped.contains($0.id) }.map(\.id)) }
        let others = Set(dcas.map(\.id) + [.master])
        let routing = Routing(self)
        let sources = Set(soloed.map(\.id))
        let fed = routing.reached(from: soloed)
        // The buses from which sound comes to one on solo, those among them.
        let leading = routing.leading(to: sources.intersection(buses.map(\.id)))
        return Set(
            strips.filter { strip in
                if strip.mute || grouped.contains(strip.id) { return false }
                if sources.contains(strip.id) || strip.soloSafe || others.contains(strip.id)
                    || fed.contains(strip.id)
                {
                    return true
                }
                return strip.feedsAtAllTimes(leading)
            }.map(\.id))
    }
}
