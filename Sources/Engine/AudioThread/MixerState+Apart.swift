import Realtime

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler
// checks it.

/// What is played elsewhere, and what was played before, each mixed by itself.
///
/// A line by itself goes from what it was to what it is. But what a bus, the master, a limiter or a duck
/// remembers, and what is held back, would then be of both. So where there is any of these, each line that
/// plays elsewhere is mixed twice while the one gives way to the other: what it is goes to sums of what is,
/// and what it was to sums of what was, each worked on with what is remembered of it. They are crossed over
/// where they leave: at the master, at ports, where they are measured; and not before all that is held back
/// of what is played elsewhere is there.
///
/// What cannot be mixed twice goes from the one to the other by itself, and into the sums of both: what a tap
/// is shown; a live sound in a delay, which goes on; what is heard later than the mix is.
extension MixerState {
    /// Finds out whether a plan that is played elsewhere is mixed apart from the one before it; and marks the
    /// lines that are mixed twice then, until the one has given way to the other.
    @_noLocks
    mutating func beginApart(_ next: UnsafeMutablePointer<PlanData>) -> Bool {
        let graph = next.pointee.union
        var isApart = next.pointee.lateness > 0
        for i in 0..<graph.pointee.count where !isApart {
            isApart = remembersOthers(graph.pointee.lines + i, graph)
        }
        if !isApart { return false }
        markApart(graph)
        // Where a recording begins its lines are looked at, too.
        markApart(next.pointee.graph)
        return true
    }

    @_noLocks
    private mutating func markApart(_ graph: UnsafeMutablePointer<Graph>) {
        for i in 0..<graph.pointee.count {
            let line = graph.pointee.lines + i
            line.pointee.isApart = canGoApart(line)
        }
    }

    /// So many frames it takes until what is played elsewhere is there. Limiters may have been turned on that
    /// the plan does not know of yet.
    @_noLocks
    func warmUpApart(_ next: UnsafeMutablePointer<PlanData>) -> Int {
        let graph = next.pointee.union
        var warmUp = next.pointee.lateness
        for i in 0..<graph.pointee.count {
            let line = graph.pointee.lines + i
            guard let bank = line.pointee.strip.pointee.processors else { continue }
            warmUp += max(0, bank.pointee.limiterLatency() - line.pointee.latency)
        }
        return warmUp
    }

    @_noLocks
    private mutating func canGoApart(_ line: UnsafeMutablePointer<Line>) -> Bool {
        if !playing(line).pointee.isElsewhere || line.pointee.leavesLater { return false }
        if line.pointee.strip.pointee.tap != nil { return false }
        guard line.pointee.hearsInputs, let bank = line.pointee.strip.pointee.processors else { return true }
        return !bank.pointee.delays()
    }

    /// Whether a line holds something back, or remembers what others have mixed for it.
    @_noLocks
    private func remembersOthers(
        _ line: UnsafeMutablePointer<Line>, _ graph: UnsafeMutablePointer<Graph>
    ) -> Bool {
        if holdsBack(line) { return true }
        if line != graph.pointee.master() {
            guard let edges = line.pointee.edges, edges.pointee.source > 0 else { return false }
        }
        return isProcessed(line) || line.pointee.levels != nil || line.pointee.share != nil
    }

    /// Whether a line is mixed twice in this block.
    @_noLocks
    mutating func goesApart(_ line: UnsafeMutablePointer<Line>) -> Bool {
        present.isApart && line.pointee.isApart && crosses(line)
    }

    /// Whether what leaves a line now goes to the sums of what is and to those of what was.
    @_noLocks
    func isForBoth() -> Bool { present.isApart && present.side.isCrossing() }

    /// Whether what is mixed of a line is worked on with what is remembered of what it was. Of a line that
    /// goes that is what is played of it.
    @_noLocks
    mutating func remembersBefore(_ line: UnsafeMutablePointer<Line>) -> Bool {
        present.side.isPast() && goesApart(line) && !line.pointee.gate.isPast()
    }

    /// What sees a strip's sound at this place. It sees each frame once: none where both sounds are mixed, if
    /// it has only come meanwhile.
    @_noLocks
    func tap(_ line: UnsafeMutablePointer<Line>, preFader: Bool) -> UnsafeMutablePointer<TapCell>? {
        present.side.isCrossing() ? line.pointee.strip.pointee.tap(preFader: preFader) : nil
    }

    /// One that is mixed once hears what is on its way from what was.
    @_noLocks
    mutating func crossSums(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        present.side = .past
        let before = sum(line)
        present.side = .crossing
        if let now = sum(line), let before { cross(now, from: before, count) }
    }

    /// The one on its way from the other, in its place.
    @_noLocks
    private mutating func cross(_ block: Channels, from before: Channels, _ count: Int) {
        Engine.cross(
            GainedChannels(block, scratch.said()), from: GainedChannels(before, scratch.saidBefore()),
            scratch.shares, into: block, count)
    }

    /// A line of which both are mixed.
    @_noLocks
    mutating func mixApart(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        let blocks = line.pointee.blocks
        let sides = SideBlocks(present: blocks.pre(), past: blocks.ofPast().pre())
        if makeApart(line, sides, count) { goOnApart(line, sides, count) }
    }

    /// Both of a line's sounds, behind its processors, and what leaves it there by sends.
    /// - Returns: whether it is heard.
    @_noLocks
    mutating func makeApart(_ line: UnsafeMutablePointer<Line>, _ sides: SideBlocks, _ count: Int) -> Bool {
        if !makesSound(line) { return false }
        present.side = .present
        makeSide(line, sides.present, count)
        present.side = .past
        makeSide(line, sides.past, count)
        present.side = .crossing
        return true
    }

    @_noLocks
    private mutating func makeSide(_ line: UnsafeMutablePointer<Line>, _ block: Channels, _ count: Int) {
        if !line.pointee.gate.isHeard(isPast: present.side.isPast()) { return block.clear(count) }
        _ = process(line, into: block, count)
        leaveBefore(line, block, scratch.line(), count)
    }

    /// What both of a line's sounds do behind the sends that leave before its gains; and what is heard of
    /// them together.
    @_noLocks
    mutating func goOnApart(_ line: UnsafeMutablePointer<Line>, _ sides: SideBlocks, _ count: Int) {
        present.side = .present
        goOnSide(line, sides.present, count)
        present.side = .past
        goOnSide(line, sides.past, count)
        present.side = .crossing
        leaveTogether(line, sides, count)
    }

    @_noLocks
    private mutating func goOnSide(_ line: UnsafeMutablePointer<Line>, _ block: Channels, _ count: Int) {
        if !line.pointee.gate.isHeard(isPast: present.side.isPast()) {
            return blocks(line).post().clear(count)
        }
        var gain = scratch.line()
        goOnBehind(line, block, &gain, count)
    }

    /// What is measured of a line, and leaves it by ports of its own.
    @_noLocks
    private mutating func leaveTogether(
        _ line: UnsafeMutablePointer<Line>, _ sides: SideBlocks, _ count: Int
    ) {
        let (strip, block) = (line.pointee.strip, line.pointee.blocks.post())
        cross(block, from: line.pointee.blocks.ofPast().post(), count)
        measureAnew(line, block, fades: false, count)
        giveToMeasure(strip, block, count)
        if let out = out(strip, pre: false) { give(block, fadeBehind(line, count), to: out, count) }
        guard let out = out(strip, pre: true) else { return }
        cross(sides.present, from: sides.past, count)
        var fade = scratch.edge()
        if fadesBehindTap(line) { fade.multiply(by: playing(line).pointee.clips, of: count) }
        give(sides.present, fade, to: out, count)
    }

    @_noLocks
    private mutating func give(
        _ block: Channels, _ fade: GainBlock, to out: UnsafeMutablePointer<DirectOut>, _ count: Int
    ) {
        var (fade, sides) = (fade, scratch.edgeSides())
        give(block, &fade, &sides, to: out, count)
    }

    /// The master, of which both are made.
    @_noLocks
    mutating func finishApart(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        present.side = .present
        make(line, count)
        present.side = .past
        make(line, count)
        present.side = .crossing
        cross(present.bus, from: present.busBefore, count)
        measureAnew(line, present.bus, fades: false, count)
    }
}

/// The blocks of what a line is and of what it was.
struct SideBlocks {
    let present: Channels
    let past: Channels

    @_noLocks
    init(present: Channels, past: Channels) { (self.present, self.past) = (present, past) }
}
