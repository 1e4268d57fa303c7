import Realtime

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler
// checks it.

extension MixerState {
    /// One line with processors that change something: its sound is made in a place of its own, and worked on
    /// there.
    ///
    /// Processors remember what they were given. Where playing goes elsewhere, what is played from there on
    /// is worked on with nothing to remember, as it would be had it begun there; what was played before goes
    /// on by itself; and the one gives way to the other behind both.
    @_noLocks
    mutating func mixProcessed(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        let block = line.pointee.blocks.pre()
        if !process(line, into: block, count) { return }
        var gain = scratch.line()
        goOn(line, block, &gain, count)
    }

    /// The master's sum, in its place. A stop fades what rings on in it, and at a standstill nothing does.
    @_noLocks
    mutating func processMaster(_ line: UnsafeMutablePointer<Line>, _ gain: inout GainBlock, _ count: Int) {
        _ = process(line, into: sum(0), count)
        if fadesBehindTap(line), !line.pointee.strip.pointee.limits() {
            gain.multiply(by: playing(line).pointee.clips, of: count)
        }
    }

    /// Limits the master's sum, in its place; a stop fades it behind that.
    @_noLocks
    mutating func limitMaster(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        if makesSound(line) { limit(line, sum(0), fades: fadesBehindTap(line), count) }
    }

    /// A line's sound behind its trim and its processors.
    /// - Returns: whether there is any.
    @_noLocks
    mutating func process(_ line: UnsafeMutablePointer<Line>, into block: Channels, _ count: Int) -> Bool {
        if !makesSound(line) { return false }
        if !present.side.isCrossing() {
            process(sound(line), of: line, isBefore: wasOther(line), delays: true, into: block, count)
            return true
        }
        if isElsewhere(line) {
            crossProcessed(line, into: block, count)
            return true
        }
        var gain = scratch.line()
        guard let samples = source(line, &gain, count) ?? silenceForTap(line, count) else { return false }
        trim(line, &gain, count)
        apply(&gain, to: block, from: samples, count)
        var lanes = LaneView(&line.pointee.sound, moment(line).pointee.playhead)
        if let past = before(line) {
            lanes.cross(from: past, momentBefore(past).pointee.playhead, scratch.shares)
        }
        work(on: line, block, lanes, isBefore: false, delays: true, count)
        // Those that are on their way elsewhere go by the same level where this is not.
        if crossfade != nil, let own = line.pointee.levels?.pointee.own {
            own.store(block, isBefore: true, count)
        }
        return true
    }

    /// At a standstill what is not live is silent, whatever rings on in it.
    @_noLocks
    mutating func makesSound(_ line: UnsafeMutablePointer<Line>) -> Bool {
        playing(line).pointee.playsClips || line.pointee.hearsInputs
    }

    /// Works on a block of a line, in its place, and notes how loud it is for those that go by that.
    @_noLocks
    private mutating func work(
        on line: UnsafeMutablePointer<Line>, _ block: Channels, _ lanes: LaneView, isBefore: Bool,
        delays: Bool, _ count: Int
    ) {
        // Who moves processors has them ready.
        if line.pointee.strip.pointee.processors == nil, !lanes.isEmpty() {
            line.pointee.strip.pointee.processors = line.pointee.bank()
        }
        if let bank = line.pointee.strip.pointee.processors {
            // One that goes stays on its way.
            if !line.pointee.gate.isPast() {
                bank.pointee.follow(playthrough(of: line), at: clock)
            }
            let keys = KeySide(line.pointee.levels, isPast: isBefore || line.pointee.gate.isPast())
            bank.pointee.process(block, keys, lanes, isBefore: isBefore, at: clock, count)
            if delays { bank.pointee.delay(block, isBefore: isBefore, at: clock, count) }
        }
        if let own = line.pointee.levels?.pointee.own { own.store(block, isBefore: isBefore, count) }
    }

    /// The playthrough that a line hears.
    @_noLocks
    mutating func playthrough(of line: UnsafeMutablePointer<Line>) -> LinePlaythrough {
        LinePlaythrough(
            playthrough: playing(line).pointee.playthrough, hearsInputs: line.pointee.hearsInputs,
            lag: moment(line).pointee.lag)
    }

    /// Whether a line's sound is made in a place of its own: something changes it there, or others go by its
    /// level.
    @_noLocks
    func isWorkedOn(_ line: UnsafeMutablePointer<Line>) -> Bool {
        if isProcessed(line) || holdsBack(line) { return true }
        guard let levels = line.pointee.levels else { return false }
        if case .some = levels.pointee.own { return true }
        return false
    }

    /// Whether a processor changes what goes through a line: as hands have set it, or as the timeline says.
    @_noLocks
    func isProcessed(_ line: UnsafeMutablePointer<Line>) -> Bool {
        line.pointee.strip.pointee.isProcessed() || hasLanes(line)
    }

    /// Whether the timeline says anything of a line's processors, or said while that is crossed over from.
    @_noLocks
    private func hasLanes(_ line: UnsafeMutablePointer<Line>) -> Bool {
        if case .some = line.pointee.sound.lanes() { return true }
        guard let past = line.pointee.before else { return false }
        if case .some = past.pointee.lanes() { return true }
        return false
    }

    // MARK: - Levels of others

    /// What a line that goes by levels, or is gone by, does in each block, whether anything of it is heard or
    /// not.
    @_noLocks
    mutating func listen(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        guard let levels = line.pointee.levels else { return }
        if let own = levels.pointee.own { own.clear(count) }
        let goes = line.pointee.gate.isPast()
        for i in 0..<levels.pointee.waitCount {
            let wait = levels.pointee.waits[i]
            if !goes {
                wait.memory.pointee.follow(
                    playing(line).pointee.playthrough, isLive: wait.isLive, isComing: staysHere(line))
            }
            wait.memory.pointee.advance(wait.levels, goes: goes, count)
        }
        let crosses = isElsewhere(line)
        for i in 0..<levels.pointee.duckCount {
            let edge = levels.pointee.ducks[i]
            if !goes {
                edge.memory.pointee.follow(playing(line).pointee.playthrough, isLive: edge.isLive)
            }
            edge.memory.pointee.advance(
                edge.duck, edge.levels, goes: goes, crosses: crosses, at: clock, count)
        }
    }

    /// Whether another plan is crossed over to at the place where playing is.
    @_noLocks
    private mutating func staysHere(_ line: UnsafeMutablePointer<Line>) -> Bool {
        crossfade != nil && !playing(line).pointee.isElsewhere
    }

    /// Multiplies by a line's ducks by signal, as it is.
    @_noLocks
    func duck(_ gain: inout GainBlock, _ line: UnsafeMutablePointer<Line>, _ count: Int) {
        guard let levels = line.pointee.levels else { return }
        let isPast = line.pointee.gate.isPast()
        for i in 0..<levels.pointee.duckCount
        where isPast ? levels.pointee.ducks[i].isPast : levels.pointee.ducks[i].isPresent {
            gain.multiply(by: levels.pointee.ducks[i].memory.pointee.gain, of: count)
        }
    }

    /// The same, as it was.
    @_noLocks
    mutating func duckBefore(_ gain: inout GainBlock, _ line: UnsafeMutablePointer<Line>, _ count: Int) {
        guard let levels = line.pointee.levels else { return }
        let isElsewhere = isElsewhere(line)
        for i in 0..<levels.pointee.duckCount where levels.pointee.ducks[i].isPast {
            let memory = levels.pointee.ducks[i].memory
            gain.multiply(
                by: isElsewhere && memory.pointee.isElsewhere
                    ? memory.pointee.gainBefore : memory.pointee.gain, of: count)
        }
    }

    /// Whether a line that both plans have is on its way to another place of the timeline.
    @_noLocks
    mutating func isElsewhere(_ line: UnsafeMutablePointer<Line>) -> Bool {
        guard playing(line).pointee.isElsewhere, crosses(line), case .open = line.pointee.gate else {
            return false
        }
        return true
    }

    @_noLocks
    private mutating func crossProcessed(
        _ line: UnsafeMutablePointer<Line>, into block: Channels, _ count: Int
    ) {
        let (now, before) = (line.pointee.blocks.source(), line.pointee.blocks.before())
        // What is live goes on in a delay: it comes behind the crossfade.
        let isLive = line.pointee.hearsInputs
        process(&line.pointee.sound, of: line, isBefore: false, delays: !isLive, into: now, count)
        if let past = line.pointee.before {
            process(past, of: line, isBefore: true, delays: !isLive, into: before, count)
        } else {
            process(&line.pointee.sound, of: line, isBefore: true, delays: !isLive, into: before, count)
        }
        cross(
            GainedChannels(now, scratch.line()), from: GainedChannels(before, scratch.sourceBefore()),
            scratch.shares, into: block, count)
        if isLive, let bank = line.pointee.strip.pointee.processors {
            bank.pointee.delay(block, isBefore: false, at: clock, count)
        }
    }

    /// One of the two sounds of a line, behind its processors: what it is, or what it was.
    @_noLocks
    private mutating func process(
        _ sound: UnsafeMutablePointer<LineSound>, of line: UnsafeMutablePointer<Line>, isBefore: Bool,
        delays: Bool, into block: Channels, _ count: Int
    ) {
        lay(sound, of: line, isBefore: isBefore, into: block, count)
        let playhead = (isBefore ? momentBefore(sound) : moment(line)).pointee.playhead
        // What goes stays on its way: what is remembered is what is played of it.
        let remembersBefore = isBefore && !line.pointee.gate.isPast()
        work(on: line, block, LaneView(sound, playhead), isBefore: remembersBefore, delays: delays, count)
        if case .open = line.pointee.gate { return }
        if let own = line.pointee.levels?.pointee.own { own.store(block, isBefore: true, count) }
    }

    /// One of the two sounds of a line, behind its trim: what it is, or what it was.
    @_noLocks
    private mutating func lay(
        _ sound: UnsafeMutablePointer<LineSound>, of line: UnsafeMutablePointer<Line>, isBefore: Bool,
        into block: Channels, _ count: Int
    ) {
        var gain = scratch.line()
        guard let samples = source(sound, of: line, isBefore: isBefore, block, &gain, count) else {
            return block.clear(count)
        }
        line.pointee.strip.pointee.trim(&gain, at: clock, count)
        (isBefore ? momentBefore(sound) : moment(sound)).pointee.multiply(&gain, byTrimOf: sound, count)
        apply(&gain, to: block, from: samples, count)
    }

    @_noLocks
    private mutating func source(
        _ sound: UnsafeMutablePointer<LineSound>, of line: UnsafeMutablePointer<Line>, isBefore: Bool,
        _ block: Channels, _ gain: inout GainBlock, _ count: Int
    ) -> Channels? {
        if let sum = sum(line) { return sum }
        let clips = clips(sound, of: line, isBefore: isBefore, block, &gain, count)
        if !fadesBehindTap(line) { gain.multiply(by: playing(line).pointee.clips, of: count) }
        if case .never = sound.pointee.input { return clips }
        return join(line, clips, &gain, shareOfInput(of: line, sound, count), block, count)
    }

    /// What a line plays in one of its two sounds. Where playing began only now, that is in both what it
    /// plays: before it was silent.
    @_noLocks
    private mutating func clips(
        _ sound: UnsafeMutablePointer<LineSound>, of line: UnsafeMutablePointer<Line>, isBefore: Bool,
        _ block: Channels, _ gain: inout GainBlock, _ count: Int
    ) -> Channels? {
        if !playing(line).pointee.playsClips { return nil }
        if playing(line).pointee.isOfInputs {
            return line.pointee.gate.isPast()
                ? nil : fetch(line.sound(), isBefore: false, count, block, &gain)
        }
        return fetch(sound, isBefore: isBefore, count, block, &gain)
    }
}
