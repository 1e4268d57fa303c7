import CRealtime
import CVector
import Realtime
import Speakers

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler
// checks it.

extension MixerState {
    /// Mixes the next `count` frames into `left` and `right`. Audio thread only. Wait-free, unless it is told
    /// to wait.
    /// - Parameter waits: wait for the disk instead of dropping out: in freewheel and offline, never live.
    @_noLocks
    mutating func render(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int, waits: Bool,
        outs: DirectOuts?, ins: DirectIns?
    ) {
        open(outs, count)
        open(ins)
        allowance = Allowance()
        isPatient = waits
        var done = 0
        while done < count {
            takeOrders()
            let run = block(min(count - done, Block.frames()))
            if isPatient, !players.allStand() { waitForDisk(run) }
            buffersDone = done
            receive(run)
            capture(run)
            let first = players.first
            trail.record(
                rolls: !first.pointee.isStanding(), clock: clock, frame: first.pointee.frame(), run)
            let began = clock
            render(Channels(left + done, right + done), run)
            hushOuts(began, run)
            done += run
        }
        closeOuts()
        closeIns()
        publish()
    }

    /// Does what is due, and mixes nothing: for who renders by himself and wants to know that all is taken.
    @_noLocks
    mutating func takeOrdersAlone() {
        allowance = Allowance()
        takeOrders()
        publish()
    }

    /// Where there is time, in freewheel and offline: also for what is crossed over from.
    @_noLocks
    private mutating func waitForDisk(_ count: Int) {
        if let crossfade { waitForDisk(crossfade.plan, isBefore: true, count + fadeFrames) }
        waitForDisk(plan, isBefore: false, count + fadeFrames)
    }

    @_noLocks
    private mutating func waitForDisk(
        _ plan: UnsafeMutablePointer<PlanData>, isBefore: Bool, _ count: Int
    ) {
        (scratch.wait.pointee.plan, scratch.wait.pointee.isBefore) = (plan, isBefore)
        rt_leave_realtime(waitUntilRead, scratch.wait, Int64(count))
    }

    /// The same for what is recorded.
    @_noLocks
    mutating func waitForRecorder(_ cursor: UnsafeMutablePointer<CaptureCursor>, _ count: Int) {
        scratch.wait.pointee.capture = cursor
        rt_leave_realtime(waitUntilWritten, scratch.wait, Int64(count))
    }

    /// The same for what is measured.
    @_noLocks
    func waitForMeasurement(_ ring: SampleRing, _ count: Int) {
        scratch.wait.pointee.measured = ring
        rt_leave_realtime(waitUntilMeasured, scratch.wait, Int64(count))
    }

    /// How many of `count` frames can be mixed in one piece: up to the next order, the end of a loop, of a
    /// crossfade, of a stop.
    @_noLocks
    private mutating func block(_ count: Int) -> Int {
        var run = Int64(count)
        let due = min(
            min(nextFrame(of: stripAgenda), nextFrame(of: playAgenda)),
            memoryLog == nil
                ? .max : players.first.pointee.nextBeginning(from: clock, crosses: crossfade != nil))
        if due - clock < run {
            let graph = crossfade == nil ? plan.pointee.graph : plan.pointee.union
            if allowance.takeSplit(of: graph.pointee.work) { run = due - clock }
        }
        if let crossfade {
            run = min(run, Int64(crossfade.done < 0 ? -crossfade.done : fadeFrames - crossfade.done))
        }
        return Int(players.framesInOnePiece(run, crosses: crossfade != nil, at: clock))
    }

    /// The frame that ends a piece for an agenda's sake. What is due already waits for what ends a piece by
    /// itself, or for the next call.
    @_noLocks
    private mutating func nextFrame(of agenda: Agenda) -> Int64 {
        let frame = agenda.firstFrame()
        return frame > clock ? frame : .max
    }

    // MARK: - A block

    @_noLocks
    private mutating func render(_ bus: Channels, _ count: Int) {
        bus.clear(count)
        beginBlock(bus, count)
        noteMemory()
        let graph = present.graph
        let isMixed = !players.allStand() || plan.pointee.hasInputs || crossfade != nil
        if isMixed {
            mixLines(count)
        } else {
            clearLevels(Block.channels())
            for i in 0..<graph.pointee.count - 1 {
                measure(graph.pointee.lines + i, count)
                giveSilenceToMeasure(graph.pointee.lines + i, count)
            }
        }
        finish(graph.pointee.master(), count)
        if isMixed { mixBehind(count) }
        advance(count)
    }

    /// What holds for all lines in this block.
    @_noLocks
    private mutating func beginBlock(_ bus: Channels, _ count: Int) {
        (present.bus, present.isApart) = (bus, crossfade?.isApart == true)
        present.graph = crossfade == nil ? plan.pointee.graph : plan.pointee.union
        players.beginBlock(crosses: crossfade != nil, at: clock, count)
        guard let crossfade else { return }
        if present.isApart {
            present.busBefore = scratch.bus(bus.count)
            present.busBefore.clear(count)
        }
        if crossfade.done < 0 {
            fill(scratch.shares, 1, count)
        } else {
            share(scratch.shares, done: crossfade.done, total: fadeFrames, count)
        }
        (present.opening, present.closing) = (scratch.opening(), scratch.closing())
        present.opening.take(scratch.shares, count, isRest: true)
        present.closing.take(scratch.shares, count, isRest: false)
    }

    /// Tracks, then the buses that they and other buses feed.
    @_noLocks
    private mutating func mixLines(_ count: Int) {
        let graph = present.graph
        for i in 0..<graph.pointee.sumCount { graph.pointee.sums[i].clear(count) }
        if present.isApart {
            for i in 0..<graph.pointee.sumCount { graph.pointee.sumsBefore[i].clear(count) }
        }
        for i in 0..<graph.pointee.trackCount {
            if isLive { fetchAhead(i, count) }
            mixAndMeasure(graph.pointee.lines + i, count)
        }
        for i in graph.pointee.trackCount..<graph.pointee.firstBehind() {
            mixAndMeasure(graph.pointee.lines + i, count)
        }
        // All that the master may go by has been mixed.
        listen(graph.pointee.master(), count)
    }

    /// What may hear the master.
    @_noLocks
    private mutating func mixBehind(_ count: Int) {
        let graph = present.graph
        for i in graph.pointee.firstBehind()..<graph.pointee.count - 1 {
            mixAndMeasure(graph.pointee.lines + i, count)
        }
    }

    /// Mixes a line; what that measures goes to its strip's meter, where there is anyone to read it.
    @_noLocks
    private mutating func mixAndMeasure(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        if isForBoth(), !goesApart(line) { crossSums(line, count) }
        if let share = line.pointee.share { return mixMember(line, share, count) }
        clearLevels(line.pointee.blocks.channels)
        mix(line, count)
        measure(line, count)
    }

    @_noLocks
    mutating func clearLevels(_ channels: Int) {
        (scratch.levels[0], scratch.levels[1]) = (Level(), Level())
        if channels > 2 { for i in 2..<channels { scratch.levels[i] = Level() } }
    }

    @_noLocks
    mutating func measure(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        if isLive { line.pointee.strip.pointee.meter.add(scratch.levels, count: count) }
    }

    // MARK: - Master and time

    /// The master: the sum of all, where it is wanted.
    @_noLocks
    private mutating func finish(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        clearLevels(present.bus.count)
        if goesApart(line) {
            finishApart(line, count)
        } else {
            if present.isApart { crossSums(line, count) }
            make(line, count)
        }
        measure(line, count)
        giveToMeasure(line.pointee.strip, present.bus, count)
    }

    /// What the master makes of the sum of all, and where that goes behind it.
    @_noLocks
    mutating func make(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        let sum = sum(0)
        var gain = scratch.line()
        if isProcessed(line) { processMaster(line, &gain, count) } else { trim(line, &gain, count) }
        multiplyVolume(line, &gain, count)
        var sides = scratch.sides()
        multiplyStrip(line, &sides, count)
        sides.multiply(by: gain, sum.count, of: count)
        scale(sum, by: &sides, scratch.levels, count)
        if line.pointee.strip.pointee.limits() { limitMaster(line, count) }
        feedBehind(line, sum, count)
    }

    @_noLocks
    private func giveSilenceToMeasure(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        if !line.pointee.strip.pointee.isMeasured { return }
        let block = line.pointee.blocks.post()
        block.clear(count)
        giveToMeasure(line.pointee.strip, block, count)
    }

    @_noLocks
    private mutating func advance(_ count: Int) {
        clock += Int64(count)
        let rolls = !players.allStand()
        for i in 0..<players.count { players.first[i].advance(count) }
        if var next = crossfade {
            next.done += count
            crossfade = next
            if next.done >= fadeFrames { endCrossfade() }
        }
        if !rolls { return }
        releasePlayed(count)
        standIfFadedOut()
    }

    @_noLocks
    private mutating func publish() {
        for i in 0..<players.count { players.first[i].publish() }
        shared.pointee.retiredPlans.store(retiredPlans, ordering: .releasing)
        shared.pointee.stripsDone.store(min(clock, stripAgenda.firstFrame()) - 1, ordering: .releasing)
        shared.pointee.isHushed.store(hush.isSilent(at: clock), ordering: .releasing)
        shared.pointee.clock.store(clock, ordering: .releasing)
        let graph = plan.pointee.graph
        for i in 0..<graph.pointee.count { publish(graph.pointee.lines + i) }
        for i in 0..<plan.pointee.dcaCount { plan.pointee.dcas[i].strip.pointee.publishFader(at: clock) }
    }

    @_noLocks
    private mutating func publish(_ line: UnsafeMutablePointer<Line>) {
        let strip = line.pointee.strip
        strip.pointee.publishFader(at: clock)
        if let bank = strip.pointee.processors { bank.pointee.settle(at: clock) }
        if let share = line.pointee.share {
            strip.pointee.shared.pointee.share.store(
                share.pointee.memory.pointee.last.bitPattern, ordering: .relaxed)
        }
        if let edges = line.pointee.edges, edges.pointee.sendCount > 0 { publishSends(strip, edges) }
    }

    @_noLocks
    private mutating func publishSends(
        _ strip: UnsafeMutablePointer<LiveStrip>, _ edges: UnsafeMutablePointer<LineEdges>
    ) {
        var moving = strip.pointee.movingSends & edges.pointee.slots
        while moving != 0 {
            let send = edges.pointee.sends[edges.pointee.takeFirst(of: &moving)].strip
            send.pointee.publishFader(at: clock)
            // Also where nothing is mixed: one that is closed, and stays so, is not looked at again before it
            // moves.
            let isClosed = send.pointee.isClosed(at: clock)
            if isClosed { strip.pointee.openSends &= ~send.pointee.slotBit }
            if isClosed || send.pointee.settled != nil { strip.pointee.movingSends &= ~send.pointee.slotBit }
        }
        for i in edges.pointee.sendCount - edges.pointee.unslotted..<edges.pointee.sendCount {
            edges.pointee.sends[i].strip.pointee.publishFader(at: clock)
        }
    }
}
