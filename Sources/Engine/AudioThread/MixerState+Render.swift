import CRealtime
import CVector
import Realtime

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler checks it.

extension MixerState {
    /// Mixes the next `count` frames into `left` and `right`. Audio thread only. Wait-free, unless it is told to wait.
    /// - Parameter waits: wait for the disk instead of dropping out: in freewheel and offline, never live.
    @_noLocks
    mutating func render(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int, waits: Bool, outs: DirectOuts?, ins: DirectIns?
    ) {
        open(outs, count)
        open(ins)
        allowance = Allowance()
        var done = 0
        while done < count {
            takeOrders()
            let run = block(min(count - done, MixerScratch.frames()))
            if waits, !motion.isStanding() { waitForDisk(upTo: index + Int64(run + fadeFrames)) }
            buffersDone = done
            capture(run, waits: waits)
            let began = clock
            render(StereoPointers(left + done, right + done), run)
            hushOuts(began, run)
            done += run
        }
        closeOuts()
        closeIns()
        publish()
    }

    /// Does what is due, and mixes nothing: for who renders by himself and wants to know that all is taken.
    @_noLocks
    mutating func settle() {
        allowance = Allowance()
        takeOrders()
        publish()
    }

    /// Where there is time: freewheel and offline.
    @_noLocks
    private func waitForDisk(upTo index: Int64) {
        scratch.wait.pointee.plan = plan
        rt_leave_realtime(waitUntilRead, scratch.wait, index)
    }

    /// The same for what is recorded.
    @_noLocks
    func waitForRecorder(_ cursor: UnsafeMutablePointer<CaptureCursor>, _ count: Int) {
        scratch.wait.pointee.capture = cursor
        rt_leave_realtime(waitUntilWritten, scratch.wait, Int64(count))
    }

    /// How many of `count` frames can be mixed in one piece: up to the next order, the end of a loop, of a crossfade, of a stop.
    @_noLocks
    private mutating func block(_ count: Int) -> Int {
        var run = Int64(count)
        let due = min(nextFrame(of: stripAgenda), nextFrame(of: playAgenda))
        if due - clock < run {
            let work = plan.pointee.work + (crossfade?.plan.pointee.work ?? 0)
            if allowance.takeSplit(of: work) { run = due - clock }
        }
        if let crossfade { run = min(run, Int64(fadeFrames - crossfade.done)) }
        guard let level = motion.level() else { return Int(run) }
        run = min(run, plan.pointee.route.run(from: index))
        if let crossfade { run = min(run, crossfade.plan.pointee.route.run(from: crossfade.index)) }
        if motion.isStopping() { run = min(run, level.framesLeft(at: clock)) }
        return Int(run)
    }

    /// The frame that ends a piece for an agenda's sake. What is due already waits for what ends a piece by itself, or for the next call.
    @_noLocks
    private func nextFrame(of agenda: Agenda) -> Int64 {
        let frame = agenda.firstFrame()
        return frame > clock ? frame : .max
    }

    @_noLocks
    private mutating func render(_ bus: StereoPointers, _ count: Int) {
        bus.clear(count)
        setLevels(count)
        if !motion.isStanding() || plan.pointee.hasInputs || crossfade != nil {
            mixLines(into: bus, count)
        } else {
            let silence = Levels()
            for i in 0..<plan.pointee.count - 1 { note(silence, of: plan.pointee.lines + i, count) }
            finish(side(plan, at: index, master: bus), nil, count)
        }
        advance(count)
    }

    /// What all clips are multiplied by in this block, and all inputs that give way to them.
    @_noLocks
    private mutating func setLevels(_ count: Int) {
        clipLevel = scratch.gain(7)
        inputLevel = scratch.gain(8)
        motion.level()?.apply(to: &clipLevel, from: clock, count: count)
        (playsClips, fadesClips) = (!motion.isStanding(), !clipLevel.isUnity())
        standstill.apply(to: &inputLevel, from: clock, count: count)
    }

    @_noLocks
    private func side(_ plan: UnsafeMutablePointer<PlanData>, at index: Int64, master: StereoPointers) -> Side {
        Side(plan, at: index, rolls: !motion.isStanding(), master: master)
    }

    /// Tracks, then the buses that they and other buses feed, then the master.
    @_noLocks
    private mutating func mixLines(into bus: StereoPointers, _ count: Int) {
        let side = side(plan, at: index, master: bus)
        side.begin(clock, count)
        if let crossfade {
            share(scratch.shares, done: crossfade.done, total: fadeFrames, count)
            let old = self.side(crossfade.plan, at: crossfade.index, master: crossfade.plan.pointee.sum(0))
            if plan.pointee.isApart { return mixApart(side, old, crossfade, count) }
            old.gainDCAs(clock, count)
        }
        for i in 0..<plan.pointee.trackCount {
            if isLive { fetchAhead(i, crossfade, count) }
            let line = plan.pointee.lines + i
            let levels: Levels
            if let crossfade, !line.pointee.isUnchanged {
                levels = mixCrossfade(crossfade, from: crossfade.anyLine(before: line), to: line, side, nil, count)
            } else {
                levels = mixLine(line, index, side, nil, .whole, count)
            }
            note(levels, of: line, count)
        }
        if let crossfade {
            for i in 0..<plan.pointee.removedCount {
                let line = crossfade.plan.pointee.lines + plan.pointee.removed[i]
                _ = mixCrossfade(crossfade, from: line, to: nil, side, nil, count)
            }
        }
        mixBuses(side, .whole, count)
        finish(side, nil, count)
    }

    /// The present plan and the one before, each by itself, where they differ in more than single tracks: it is the sums of all that are crossed over.
    @_noLocks
    private mutating func mixApart(_ side: Side, _ old: Side, _ crossfade: Crossfade, _ count: Int) {
        old.master.clear(count)
        old.begin(clock, count)
        for i in 0..<plan.pointee.trackCount {
            if isLive { fetchAhead(i, crossfade, count) }
            let line = plan.pointee.lines + i
            note(mixApart(line, crossfade.anyLine(before: line), side, old, crossfade, count), of: line, count)
        }
        for i in 0..<plan.pointee.removedCount { _ = mixLine(old.plan.pointee.lines + plan.pointee.removed[i], crossfade.index, old, nil, .falling, count) }
        mixBuses(side, .rising, count)
        for i in old.plan.pointee.trackCount..<old.plan.pointee.count - 1 { _ = mixLine(old.plan.pointee.lines + i, crossfade.index, old, nil, .falling, count) }
        finish(side, old, count)
    }

    @_noLocks
    private mutating func mixApart(
        _ line: UnsafeMutablePointer<Line>, _ before: UnsafeMutablePointer<Line>?, _ side: Side, _ old: Side, _ crossfade: Crossfade, _ count: Int
    ) -> Levels {
        let strip = line.pointee.strip
        guard let before else { return mixLine(line, index, side, nil, .rising, count) }
        if line.pointee.isUnchanged { return mixLine(line, index, side, Echo(old, before.pointee.ways), .whole, count) }
        // A tap sees one sound.
        if strip.pointee.tap != nil { return mixCrossfade(crossfade, from: before, to: line, side, Echo(old, before.pointee.ways), count) }
        var (gain, kept) = (scratch.gain(0), scratch.gain(6))
        let (new, earlier) = sounds(of: line, &gain, and: before, crossfade, &kept, fadesBehind: false, count)
        var levels = Levels()
        if let new { levels = mixSound(line, new, &gain, side, nil, .rising, count) }
        if let earlier {
            gain = scratch.gain(0)
            gain.copy(kept, count)
            _ = mixSound(before, earlier, &gain, old, nil, .falling, count)
        }
        return levels
    }

    @_noLocks
    private mutating func mixBuses(_ side: Side, _ part: OutPart, _ count: Int) {
        for i in side.plan.pointee.trackCount..<side.plan.pointee.count - 1 {
            let line = side.plan.pointee.lines + i
            note(mixLine(line, index, side, nil, part, count), of: line, count)
        }
    }

    /// What a line measured goes to its strip's meter, where there is anyone to read it.
    @_noLocks
    private func note(_ levels: Levels, of line: UnsafeMutablePointer<Line>, _ count: Int) {
        if isLive { line.pointee.strip.pointee.meter.add(levels, count: count) }
    }

    /// One line: its source, what leaves it before its gains, and the strip.
    /// - Parameters:
    ///   - index: of the route of the side's plan.
    ///   - echo: where its sound went before, while that is crossed over from.
    ///   - part: how much of it goes to ports of its own.
    @_noLocks
    private mutating func mixLine(
        _ line: UnsafeMutablePointer<Line>, _ index: Int64, _ side: Side, _ echo: Echo?, _ part: OutPart, _ count: Int
    ) -> Levels {
        var gain = scratch.gain(0)
        guard let samples = source(line, index, side, &gain, count) ?? silenceForTap(line, count) else { return Levels() }
        return mixSound(line, samples, &gain, side, echo, part, count)
    }

    /// The same from its source on.
    @_noLocks
    private mutating func mixSound(
        _ line: UnsafeMutablePointer<Line>, _ samples: StereoPointers, _ gain: inout GainBlock, _ side: Side, _ echo: Echo?, _ part: OutPart, _ count: Int
    ) -> Levels {
        let strip = line.pointee.strip
        let fadesBehind = fadesBehindTap(line)
        trim(line, &gain, at: side.playhead, count)
        leave(strip, samples, &gain, line.pointee.ways, side, echo, part, fadesBehind: fadesBehind, count)
        gain.multiply(by: line, at: side.playhead, of: count)
        side.multiplyDCAs(line.pointee.ways, &gain, count)
        guard let tap = strip.pointee.tap(preFader: true) else {
            return mixStrip(strip, samples, &gain, line.pointee.ways, side, echo, part, fadesBehind: fadesBehind, count)
        }
        // In a place of its own: the samples may lie in the ring.
        apply(&gain, to: scratch.new, from: samples, count)
        tap.pointee.call(scratch.new, count)
        var unity = scratch.gain(0)
        return mixStrip(strip, scratch.new, &unity, line.pointee.ways, side, echo, part, fadesBehind: fadesBehind, count)
    }

    // MARK: - Sources

    /// What a line makes its sound of: its clips and what comes in by its ports, or what has been added up for it; nil for silence.
    @_noLocks
    private mutating func source(
        _ line: UnsafeMutablePointer<Line>, _ index: Int64, _ side: Side, _ gain: inout GainBlock, _ count: Int
    ) -> StereoPointers? {
        if let ways = line.pointee.ways, ways.pointee.source > 0 { return side.sum(ways.pointee.source) }
        // Most lines, most of the time: clips alone, as they are.
        if case .never = line.pointee.input, !fadesClips { return clips(line, index, count, scratch.new, &gain) }
        return compose(line, clips(line, index, count, scratch.new, &gain), &gain, in: scratch.new, fadesBehind: fadesBehindTap(line), count)
    }

    /// What a track's clips are, if they are played.
    @_noLocks
    private mutating func clips(
        _ line: UnsafeMutablePointer<Line>, _ index: Int64, _ count: Int, _ block: StereoPointers, _ gain: inout GainBlock
    ) -> StereoPointers? {
        playsClips ? fetch(line, index, count, block, &gain) : nil
    }

    /// A track's clips and what comes in by its ports, each as far as it is heard.
    /// - Parameters:
    ///   - gain: of the clips; then of what is returned.
    ///   - block: room for both together; the clips may lie there.
    ///   - fadesBehind: a stop fades the clips behind a tap, and not here.
    @_noLocks
    private mutating func compose(
        _ line: UnsafeMutablePointer<Line>, _ clips: StereoPointers?, _ gain: inout GainBlock, in block: StereoPointers, fadesBehind: Bool, _ count: Int
    ) -> StereoPointers? {
        if case .always = line.pointee.input { return input(line.pointee.strip) }
        if !fadesBehind { gain.multiply(by: clipLevel, of: count) }
        guard case .atStandstill = line.pointee.input, !inputLevel.isSilent(), let input = input(line.pointee.strip) else { return clips }
        guard let clips else {
            gain.multiply(by: inputLevel, of: count)
            return input
        }
        apply(&gain, to: block, from: clips, count)
        var (left, right) = (scratch.gain(1), scratch.gain(2))
        Engine.add(input, envelope: &inputLevel, left: &left, right: &right, into: block, count)
        gain = GainBlock(scratch: gain.values)
        return block
    }

    /// The sounds of a track and of what it was before, in places of their own. What both play is fetched once: a stream that has run short counts its fades by what is fetched of it.
    @_noLocks
    private mutating func sounds(
        of new: UnsafeMutablePointer<Line>?, _ newGain: inout GainBlock, and old: UnsafeMutablePointer<Line>?, _ crossfade: Crossfade, _ oldGain: inout GainBlock,
        fadesBehind: Bool, _ count: Int
    ) -> (StereoPointers?, StereoPointers?) {
        var newClips: StereoPointers?
        var oldClips: StereoPointers?
        if let new { newClips = clips(new, index, count, scratch.new, &newGain) }
        if let old {
            if let new, let stream = old.pointee.stream, stream == new.pointee.stream {
                oldClips = newClips
                oldGain.copy(newGain, count)
            } else {
                oldClips = clips(old, crossfade.index, count, scratch.old, &oldGain)
            }
        }
        // What it was first: the clips of both may lie in the place of the new sound.
        if let old { oldClips = compose(old, oldClips, &oldGain, in: scratch.old, fadesBehind: fadesBehind, count) }
        if let new { newClips = compose(new, newClips, &newGain, in: scratch.new, fadesBehind: fadesBehind, count) }
        return (newClips, oldClips)
    }

    @_noLocks
    private func trim(_ line: UnsafeMutablePointer<Line>, _ gain: inout GainBlock, at playhead: Playhead, _ count: Int) {
        line.pointee.strip.pointee.trim(&gain, at: clock, count)
        if let ways = line.pointee.ways, ways.pointee.trimCount > 0 { gain.multiply(by: ways.pointee.trims, ways.pointee.trimCount, at: playhead, of: count) }
    }

    /// A track without samples is silent, and of no interest but to a tap, while it plays.
    @_noLocks
    private func silenceForTap(_ line: UnsafeMutablePointer<Line>, _ count: Int) -> StereoPointers? {
        if line.pointee.strip.pointee.tap == nil || !isSeen(line) { return nil }
        scratch.new.clear(count)
        return scratch.new
    }

    /// Whether a line has any sound in this block.
    @_noLocks
    private func isSeen(_ line: UnsafeMutablePointer<Line>) -> Bool {
        if case .never = line.pointee.input { playsClips } else { true }
    }

    /// Whether a stop fades what a tap has made of a track's clips, and not what it is given: it may make a sound of its own.
    @_noLocks
    private func fadesBehindTap(_ line: UnsafeMutablePointer<Line>) -> Bool {
        if !fadesClips { return false }
        if case .never = line.pointee.input { return line.pointee.strip.pointee.tap != nil }
        return false
    }

    /// A track that sounds otherwise than before: from the old sound to the new over the crossfade.
    @_noLocks
    private mutating func mixCrossfade(
        _ crossfade: Crossfade, from old: UnsafeMutablePointer<Line>?, to new: UnsafeMutablePointer<Line>?, _ side: Side, _ echo: Echo?, _ count: Int
    ) -> Levels {
        var known = new
        if known == nil { known = old }
        guard let line = known else { return Levels() }
        var isHeard = isSeen(line)
        if let old, isSeen(old) { isHeard = true }
        if !isHeard { return Levels() }
        let strip = line.pointee.strip
        var newGain = scratch.gain(0)
        var oldGain = scratch.gain(6)
        let before = self.side(crossfade.plan, at: crossfade.index, master: side.master)
        // Behind a tap only what is clips alone, before and now.
        var fadesBehind = true
        if let new, !fadesBehindTap(new) { fadesBehind = false }
        if let old, !fadesBehindTap(old) { fadesBehind = false }
        let (newSound, oldSound) = sounds(of: new, &newGain, and: old, crossfade, &oldGain, fadesBehind: fadesBehind, count)
        let newSamples = newSound ?? silence(scratch.new, count)
        let oldSamples = oldSound ?? silence(scratch.old, count)
        if let new { trim(new, &newGain, at: side.playhead, count) }
        if let old { trim(old, &oldGain, at: before.playhead, count) }
        let ways = line.pointee.ways
        if out(strip, pre: true) != nil || hasSends(ways) || hasSends(echo?.ways) {
            cross(newSamples, &newGain, from: oldSamples, &oldGain, scratch.shares, into: scratch.raw, count)
            var unity = scratch.gain(2)
            leave(strip, scratch.raw, &unity, ways, side, echo, .whole, fadesBehind: fadesBehind, count)
        }
        if let new {
            newGain.multiply(by: new, at: side.playhead, of: count)
            side.multiplyDCAs(new.pointee.ways, &newGain, count)
        }
        if let old {
            oldGain.multiply(by: old, at: before.playhead, of: count)
            before.multiplyDCAs(old.pointee.ways, &oldGain, count)
        }
        cross(newSamples, &newGain, from: oldSamples, &oldGain, scratch.shares, into: scratch.new, count)
        if let tap = strip.pointee.tap(preFader: true) { tap.pointee.call(scratch.new, count) }
        var unity = scratch.gain(0)
        return mixStrip(strip, scratch.new, &unity, ways, side, echo, .whole, fadesBehind: fadesBehind, count)
    }

    @_noLocks
    private func silence(_ block: StereoPointers, _ count: Int) -> StereoPointers {
        block.clear(count)
        return block
    }

    // MARK: - Strips

    /// What leaves a strip before its gains: to ports of its own, and by sends.
    @_noLocks
    private mutating func leave(
        _ strip: UnsafeMutablePointer<LiveStrip>, _ samples: StereoPointers, _ gain: inout GainBlock, _ ways: UnsafeMutablePointer<LineWays>?,
        _ side: Side, _ echo: Echo?, _ part: OutPart, fadesBehind: Bool, _ count: Int
    ) {
        let isOut = out(strip, pre: true) != nil
        if !isOut, !hasSends(ways), !hasSends(echo?.ways) { return }
        // What a tap is given is not faded yet.
        var faded = scratch.gain(1)
        faded.copy(gain, count)
        if fadesBehind { faded.multiply(by: clipLevel, of: count) }
        if let out = out(strip, pre: true) { give(samples, &faded, part, to: out, count) }
        if hasSends(ways) { feed(strip, samples, faded, ways, isPre: true, side, count) }
        if let echo, hasSends(echo.ways) { feed(strip, samples, faded, echo.ways, isPre: true, echo.side, count) }
    }

    /// Fader, mute gate and balance, and the sums: what every strip does to its sound.
    @_noLocks
    private mutating func mixStrip(
        _ strip: UnsafeMutablePointer<LiveStrip>, _ samples: StereoPointers, _ envelope: inout GainBlock, _ ways: UnsafeMutablePointer<LineWays>?,
        _ side: Side, _ echo: Echo?, _ part: OutPart, fadesBehind: Bool, _ count: Int
    ) -> Levels {
        var left = scratch.gain(1)
        var right = scratch.gain(2)
        strip.pointee.gains(&left, &right, ways?.pointee.pan, at: clock, side.playhead, count)
        let tap = strip.pointee.tap(preFader: false)
        // A strip that is muted, or whose fader is down, costs no more than its place in the stream.
        if fadesBehind, tap == nil { envelope.multiply(by: clipLevel, of: count) }
        if tap == nil, envelope.isSilent() || left.isSilent() && right.isSilent() { return Levels() }
        if tap == nil, echo == nil, part.isWhole(), !hasSends(ways), let sum = side.output(ways) {
            if let out = out(strip, pre: false) { Engine.add(samples, envelope: &envelope, left: &left, right: &right, into: out, count) }
            if isLive { return mix(samples, envelope: &envelope, left: &left, right: &right, into: sum, count) }
            Engine.add(samples, envelope: &envelope, left: &left, right: &right, into: sum, count)
            return Levels()
        }
        // Where it goes to several places, or is looked at, it is made once. Here the samples before any gain have been used.
        let block = scratch.raw
        var levels = make(samples, envelope: &envelope, left: &left, right: &right, into: block, count)
        var before = block
        if let echo, tap == nil, echo.ways?.pointee.pan != ways?.pointee.pan {
            (left, right) = (scratch.gain(1), scratch.gain(2))
            strip.pointee.gains(&left, &right, echo.ways?.pointee.pan, at: clock, echo.side.playhead, count)
            before = scratch.old
            _ = make(samples, envelope: &envelope, left: &left, right: &right, into: before, count)
        }
        if let tap { tap.pointee.call(block, count) }
        var unity = scratch.gain(0)
        if fadesBehind, tap != nil {
            (left, right) = (scratch.gain(1), scratch.gain(2))
            left.copy(clipLevel, count)
            right.copy(clipLevel, count)
            _ = scale(block, by: &left, &right, count)
        }
        if let out = out(strip, pre: false) { give(block, &unity, part, to: out, count) }
        if tap != nil { levels = measure(block, count) }
        if let sum = side.output(ways) { add(block, &unity, to: sum, count) }
        if hasSends(ways) { feed(strip, block, unity, ways, isPre: false, side, count) }
        if let echo { mixEcho(strip, echo, before, count) }
        return levels
    }

    /// What a strip gave before it went other ways.
    @_noLocks
    private mutating func mixEcho(_ strip: UnsafeMutablePointer<LiveStrip>, _ echo: Echo, _ block: StereoPointers, _ count: Int) {
        var unity = scratch.gain(0)
        if let sum = echo.side.output(echo.ways) { add(block, &unity, to: sum, count) }
        if hasSends(echo.ways) { feed(strip, block, unity, echo.ways, isPre: false, echo.side, count) }
    }

    @_noLocks
    private func hasSends(_ ways: UnsafeMutablePointer<LineWays>?) -> Bool {
        guard let ways else { return false }
        return ways.pointee.sendCount > 0
    }

    /// Adds a strip's sound to the sums that its sends go to, those of one kind.
    @_noLocks
    private mutating func feed(
        _ strip: UnsafeMutablePointer<LiveStrip>, _ samples: StereoPointers, _ gain: GainBlock, _ ways: UnsafeMutablePointer<LineWays>?, isPre: Bool,
        _ side: Side, _ count: Int
    ) {
        guard let ways else { return }
        var open = strip.pointee.openSends & (isPre ? ways.pointee.preSlots : ways.pointee.slots & ~ways.pointee.preSlots)
        while open != 0 {
            let send = ways.pointee.takeFirst(of: &open)
            // One that is closed, and stays so, is not looked at again before it moves.
            if !feed(send, samples, gain, side, count) { strip.pointee.openSends &= ~send.pointee.strip.pointee.slotBit }
        }
        for i in ways.pointee.sendCount - ways.pointee.unslotted..<ways.pointee.sendCount where ways.pointee.sends[i].isPre == isPre {
            _ = feed(ways.pointee.sends + i, samples, gain, side, count)
        }
    }

    /// - Returns: whether it may be heard in the next block if nobody moves it.
    @_noLocks
    private mutating func feed(_ send: UnsafeMutablePointer<SendLine>, _ samples: StereoPointers, _ gain: GainBlock, _ side: Side, _ count: Int) -> Bool {
        // Most stand still, and nothing but a hand moves them: then there is nothing to compute.
        if !gain.varies, send.pointee.pan == nil, send.pointee.envelopeCount == 0, let settled = send.pointee.strip.pointee.settled {
            if settled.left == 0, settled.right == 0 { return false }
            if gain.constant == 0 { return true }
            let sum = side.sum(send.pointee.sum)
            add_steady(samples.left, gain.constant, settled.left, sum.left, count)
            add_steady(samples.right, gain.constant, settled.right, sum.right, count)
            return true
        }
        var (left, right) = (scratch.gain(4), scratch.gain(5))
        send.pointee.strip.pointee.gains(&left, &right, send.pointee.pan, at: clock, side.playhead, count)
        if left.isSilent(), right.isSilent() { return send.pointee.strip.pointee.settled == nil }
        var envelope = scratch.gain(3)
        envelope.copy(gain, count)
        envelope.multiply(by: send.pointee.envelopes, send.pointee.envelopeCount, at: side.playhead, of: count)
        if !envelope.isSilent() { Engine.add(samples, envelope: &envelope, left: &left, right: &right, into: side.sum(send.pointee.sum), count) }
        return true
    }

    /// Adds `samples` times one gain to a sum.
    @_noLocks
    private func add(_ samples: StereoPointers, _ gain: inout GainBlock, to sum: StereoPointers, _ count: Int) {
        var left = scratch.gain(1)
        var right = scratch.gain(2)
        Engine.add(samples, envelope: &gain, left: &left, right: &right, into: sum, count)
    }

    /// What a block holds.
    @_noLocks
    private func measure(_ block: StereoPointers, _ count: Int) -> Levels {
        var (left, right) = (scratch.gain(4), scratch.gain(5))
        return scale(block, by: &left, &right, count)
    }

    /// Adds `samples` times one gain to ports of the strip's own.
    @_noLocks
    private func give(_ samples: StereoPointers, _ gain: inout GainBlock, _ part: OutPart, to out: StereoPointers, _ count: Int) {
        var (left, right) = (scratch.gain(4), scratch.gain(5))
        part.apply(to: &left, scratch.shares, count)
        part.apply(to: &right, scratch.shares, count)
        Engine.add(samples, envelope: &gain, left: &left, right: &right, into: out, count)
    }

    // MARK: - Master and time

    /// - Parameter old: the plan before, mixed by itself.
    @_noLocks
    private mutating func finish(_ side: Side, _ old: Side?, _ count: Int) {
        let line = side.plan.pointee.master()
        var (left, right) = (scratch.gain(1), scratch.gain(2))
        if let old {
            // Both as they are heard, then from the one to the other.
            masterGains(old.plan.pointee.master(), old, &left, &right, count)
            scale(old.master, by: &left, &right, count)
            (left, right) = (scratch.gain(1), scratch.gain(2))
            masterGains(line, side, &left, &right, count)
            scale(side.master, by: &left, &right, count)
            var (new, before) = (scratch.gain(0), scratch.gain(3))
            cross(side.master, &new, from: old.master, &before, scratch.shares, into: side.master, count)
            (left, right) = (scratch.gain(1), scratch.gain(2))
        } else {
            masterGains(line, side, &left, &right, count)
        }
        note(scale(side.master, by: &left, &right, count), of: line, count)
    }

    /// All that multiplies the sum of all.
    @_noLocks
    private mutating func masterGains(_ line: UnsafeMutablePointer<Line>, _ side: Side, _ left: inout GainBlock, _ right: inout GainBlock, _ count: Int) {
        var gain = scratch.gain(0)
        trim(line, &gain, at: side.playhead, count)
        gain.multiply(by: line, at: side.playhead, of: count)
        side.multiplyDCAs(line.pointee.ways, &gain, count)
        line.pointee.strip.pointee.gains(&left, &right, line.pointee.ways?.pointee.pan, at: clock, side.playhead, count)
        left.multiply(by: gain, of: count)
        right.multiply(by: gain, of: count)
    }

    @_noLocks
    private mutating func advance(_ count: Int) {
        clock += Int64(count)
        let rolls = !motion.isStanding()
        if var next = crossfade {
            next.done += count
            if rolls { next.index += Int64(count) }
            crossfade = next
            if next.done >= fadeFrames { endCrossfade() }
        }
        if !rolls { return }
        index += Int64(count)
        releasePlayed(count)
        standIfFadedOut()
    }

    @_noLocks
    private mutating func publish() {
        shared.pointee.transport.store(TransportState.code(of: motion), ordering: .relaxed)
        shared.pointee.frame.store(plan.pointee.route.frame(at: index), ordering: .relaxed)
        shared.pointee.progress.store(RouteProgress(routeNumber: plan.pointee.routeNumber, index: index).bits(), ordering: .releasing)
        shared.pointee.retiredPlans.store(retiredPlans, ordering: .releasing)
        shared.pointee.stripsDone.store(min(clock, stripAgenda.firstFrame()) - 1, ordering: .releasing)
        shared.pointee.clock.store(clock, ordering: .releasing)
        for i in 0..<plan.pointee.count {
            let line = plan.pointee.lines + i
            line.pointee.strip.pointee.publishFader(at: clock)
            if let ways = line.pointee.ways, ways.pointee.sendCount > 0 { publishSends(line.pointee.strip, ways) }
        }
        for i in 0..<plan.pointee.dcaCount { plan.pointee.dcas[i].strip.pointee.publishFader(at: clock) }
    }

    @_noLocks
    private func publishSends(_ strip: UnsafeMutablePointer<LiveStrip>, _ ways: UnsafeMutablePointer<LineWays>) {
        var moving = strip.pointee.movingSends & ways.pointee.slots
        while moving != 0 {
            let send = ways.pointee.takeFirst(of: &moving).pointee.strip
            send.pointee.publishFader(at: clock)
            // Also where nothing is mixed: one that is closed, and stays so, is not looked at again before it moves.
            let isClosed = send.pointee.isClosed(at: clock)
            if isClosed { strip.pointee.openSends &= ~send.pointee.slotBit }
            if isClosed || send.pointee.settled != nil { strip.pointee.movingSends &= ~send.pointee.slotBit }
        }
        for i in ways.pointee.sendCount - ways.pointee.unslotted..<ways.pointee.sendCount { ways.pointee.sends[i].strip.pointee.publishFader(at: clock) }
    }
}
