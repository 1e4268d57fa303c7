import Timeline

/// Brings together what processors hold back: of all that is added up somewhere every frame is of one frame
/// of the timeline, and of one moment of what comes in. Control thread.
///
/// A line's delay is how much later its sound is than the same sound would be if nothing were held back. What
/// comes in by ports cannot be heard earlier: its delays are the least that are possible. What is played from
/// files can: it is read as late as is early enough. From the delays follow how long each edge holds back
/// what goes by it, and how far behind the playhead the timeline is read for each line: none ahead of it.
///
/// Nothing waits for what nobody hears: that comes as soon as what leads to it does.
struct Alignment {
    private var delays: [StripID: Int64] = [:]
    /// What each line would be by itself.
    private var wishes: [StripID: Int64] = [:]
    /// Of those that share: they go by each other's levels, so all of one automix are as late.
    private var together: [StripID: Int64] = [:]
    /// The automixes that they take part in.
    private var mixes: [StripID: StripID] = [:]
    private var floors: [StripID: Int64] = [:]
    /// Those in which what comes in by ports is heard.
    private var hearing: Set<StripID> = []
    private var shift: Int64 = 0
    /// The lines that are heard: at the master, by ports of their own, or in or behind another that is; and
    /// those by whose levels these go.
    private var heard: Set<StripID> = []

    /// Nothing is held back longer than this, in frames: what would be comes too early.
    private static let longest: Int64 = 1 << 21

    /// Lines in the order in which they are mixed, with their lags and waits.
    static func aligned(_ lines: [ArrangedLine]) -> [ArrangedLine] {
        if lines.allSatisfy({ $0.latency == 0 && $0.keys.ducks.allSatisfy { $0.lookahead == 0 } }) {
            return lines
        }
        var alignment = Alignment()
        for line in lines { alignment.mixes[line.id] = line.keys.share?.bus }
        alignment.listen(lines)
        // What has to be together may move others, which move that again: where it cannot all be, being
        // together counts.
        for _ in 0..<6 {
            alignment.raiseFloors(lines)
            alignment.settle(lines)
            if !alignment.gather(lines) { break }
        }
        alignment.raiseFloors(lines)
        alignment.settle(lines)
        return lines.map(alignment.aligned)
    }

    /// Finds out which lines are heard.
    private mutating func listen(_ lines: [ArrangedLine]) {
        let sharing = Dictionary(grouping: lines.filter { $0.keys.share != nil }) { $0.keys.share!.bus }
            .mapValues { $0.map(\.id) }
        var count = -1
        while heard.count > count {
            count = heard.count
            for line in lines.reversed() {
                let leadsOn = line.edges.contains { heard.contains($0.target) }
                if line.id != .master, !line.hasPorts, !leadsOn, !heard.contains(line.id) { continue }
                heard.insert(line.id)
                heard.formUnion(line.keys.all.map(\.strip))
                if let bus = line.keys.share?.bus { heard.formUnion(sharing[bus] ?? []) }
            }
        }
    }

    /// How late each line is at the least, for what comes in by ports and is heard in it or in those by whose
    /// level it goes.
    private mutating func raiseFloors(_ lines: [ArrangedLine]) {
        (floors, hearing) = ([:], [])
        for line in lines {
            if line.isLive { hearing.insert(line.id) }
            if hearing.contains(line.id) { hearing.formUnion(line.edges.map(\.target)) }
            guard let floor = raiseFloor(of: line) else { continue }
            for edge in line.edges {
                floors[edge.target] = max(floors[edge.target] ?? .min, floor + edge.latency)
            }
        }
    }

    /// How late a line has to be at least, by what it hears and goes by; nil: it may be as early as it likes.
    private mutating func raiseFloor(of line: ArrangedLine) -> Int64? {
        var floor = line.isLive ? max(0, floors[line.id] ?? 0) : floors[line.id]
        for key in line.keys.all where !isTogether(line, key.strip) {
            if let other = floors[key.strip] { floor = max(floor ?? other, other + key.lookahead) }
        }
        if let together = together[line.id], floor != nil { floor = max(floor!, together) }
        floors[line.id] = floor.map { min($0, Self.longest) }
        return floor
    }

    /// How late each line is: from the last one backwards, for it follows from where its sound goes and who
    /// goes by its level.
    private mutating func settle(_ lines: [ArrangedLine]) {
        var ceilings: [StripID: Int64] = [:]
        delays = [:]
        for line in lines.reversed() where heard.contains(line.id) {
            for edge in line.edges {
                if let delay = delays[edge.target] {
                    ceilings[line.id] = min(ceilings[line.id] ?? .max, delay - edge.latency)
                }
            }
            // What is heard from it is heard when all else is.
            let latest = ceilings[line.id] ?? max(-line.latency, floors[line.id] ?? .min)
            let wish = hearing.contains(line.id) ? floors[line.id] ?? latest : latest
            let delay = together[line.id] ?? wish
            (wishes[line.id], delays[line.id]) = (wish, delay)
            for key in line.keys.all where !isTogether(line, key.strip) {
                ceilings[key.strip] = min(ceilings[key.strip] ?? .max, delay - key.lookahead)
            }
        }
        shift = -min(0, delays.values.min() ?? 0)
        settleUnheard(lines)
    }

    /// How late each line is that nobody hears: as late as what leads to it asks for, and no earlier than the
    /// playhead.
    private mutating func settleUnheard(_ lines: [ArrangedLine]) {
        var least: [StripID: Int64] = [:]
        for line in lines {
            if !heard.contains(line.id) {
                var delay = max(-shift, floors[line.id] ?? .min, least[line.id] ?? .min)
                for key in line.keys.all where !isTogether(line, key.strip) {
                    delay = max(delay, self.delay(key.strip) + key.lookahead)
                }
                delay = max(delay, together[line.id] ?? .min)
                (wishes[line.id], delays[line.id]) = (delay, delay)
            }
            for edge in line.edges where !heard.contains(edge.target) {
                least[edge.target] = max(least[edge.target] ?? .min, delay(line.id) + edge.latency)
            }
        }
    }

    /// Brings those together that share: as late as the latest where what comes in by ports is heard in one
    /// of them, or nobody hears them; else as early as the earliest.
    /// - Returns: whether anything is otherwise than it was.
    private mutating func gather(_ lines: [ArrangedLine]) -> Bool {
        var groups: [StripID: [StripID]] = [:]
        for line in lines {
            if let share = line.keys.share { groups[share.bus, default: []].append(line.id) }
        }
        let before = together
        for members in groups.values {
            let wished = members.compactMap { wishes[$0] }
            guard let first = wished.min(), let last = wished.max() else { continue }
            let isLate = members.contains { hearing.contains($0) || !heard.contains($0) }
            let common = isLate ? last : first
            for member in members { together[member] = common }
        }
        return together != before
    }

    /// Whether a line and its key take part in one automix: then both are as late, whatever look-ahead there
    /// is between them.
    private func isTogether(_ line: ArrangedLine, _ key: StripID) -> Bool {
        guard let share = line.keys.share else { return false }
        return mixes[key] == share.bus
    }

    private func delay(_ id: StripID) -> Int64 { delays[id] ?? 0 }

    private func wait(_ from: Int64, _ target: StripID) -> Int64 {
        min(max(0, delay(target) - from), Self.longest)
    }

    private func aligned(_ line: ArrangedLine) -> ArrangedLine {
        var line = line
        let delay = delay(line.id)
        (line.content.lag, line.delay) = (delay + shift, delay + line.latency)
        if line.content.input != .never { line.content.inputWait = max(0, delay) }
        if let output = line.paths.output { line.paths.outputWait = wait(delay + line.latency, output) }
        for index in line.paths.sends.indices {
            let send = line.paths.sends[index]
            line.paths.sends[index].wait = wait(delay + (send.isPre ? 0 : line.latency), send.bus)
            line.paths.sends[index].lag = self.delay(send.bus) + shift
        }
        line.keys = aligned(line.keys, delay)
        return line
    }

    /// The keys of a line that is so late.
    private func aligned(_ keys: LineKeys, _ delay: Int64) -> LineKeys {
        var keys = keys
        if let key = keys.gate { keys.gate!.wait = max(0, delay - self.delay(key.strip)) }
        if let key = keys.compressor { keys.compressor!.wait = max(0, delay - self.delay(key.strip)) }
        for index in keys.ducks.indices {
            let duck = keys.ducks[index]
            keys.ducks[index].key.wait = max(0, delay - duck.lookahead - self.delay(duck.key.strip))
        }
        return keys
    }
}

extension ArrangedLine {
    /// Where its sound goes, and how much later it leaves for there than it comes.
    fileprivate var edges: [(target: StripID, latency: Int64)] {
        (paths.output.map { [($0, latency)] } ?? []) + paths.sends.map { ($0.bus, $0.isPre ? 0 : latency) }
    }
}
