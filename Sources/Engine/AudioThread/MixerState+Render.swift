import CRealtime
import Realtime

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler checks it.

extension MixerState {
    /// Mixes the next `count` frames into `left` and `right`. Audio thread only. Wait-free, unless it is told to wait.
    /// - Parameter waits: wait for the disk instead of dropping out: in freewheel and offline, never live.
    @_noLocks
    mutating func render(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int, waits: Bool, outs: DirectOuts?
    ) {
        open(outs, count)
        allowance = Allowance()
        var done = 0
        while done < count {
            takeOrders()
            let run = block(min(count - done, scratch.blockFrames))
            if waits, !motion.isStanding() { waitForDisk(upTo: index + Int64(run + fadeFrames)) }
            outsDone = done
            render(StereoPointers(left + done, right + done), run)
            done += run
        }
        closeOuts()
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

    /// How many of `count` frames can be mixed in one piece: up to the next order, the end of a loop, of a crossfade, of a stop.
    @_noLocks
    private mutating func block(_ count: Int) -> Int {
        var run = Int64(count)
        let due = min(nextFrame(of: stripAgenda), nextFrame(of: playAgenda))
        if due - clock < run {
            let lines = plan.pointee.count + (motion.crossfade()?.plan.pointee.count ?? 0)
            if allowance.takeSplit(of: lines) { run = due - clock }
        }
        guard let playing = motion.playing() else { return Int(run) }
        run = min(run, plan.pointee.route.run(from: index))
        if let crossfade = playing.crossfade {
            run = min(run, Int64(fadeFrames - crossfade.done))
            run = min(run, crossfade.plan.pointee.route.run(from: crossfade.index))
        }
        if motion.isStopping() { run = min(run, playing.level.framesLeft(at: clock)) }
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
        if let playing = motion.playing() {
            mixLines(into: bus, playing.crossfade, count)
        } else {
            let silence = Levels()
            for i in 0..<plan.pointee.count { plan.pointee.lines[i].strip.pointee.meter.add(silence, count: count) }
        }
        finish(bus, count)
        fadeOuts(count)
        advance(count)
    }

    // MARK: - Tracks

    @_noLocks
    private mutating func mixLines(into bus: StereoPointers, _ crossfade: Crossfade?, _ count: Int) {
        let frame = plan.pointee.route.frame(at: index)
        if let crossfade { share(scratch.shares, done: crossfade.done, total: fadeFrames, count) }
        for i in 0..<plan.pointee.count {
            fetchAhead(i, crossfade, count)
            let line = plan.pointee.lines + i
            let levels: Levels
            if let crossfade, !line.pointee.isUnchanged {
                levels = mixCrossfade(crossfade, from: crossfade.line(before: line), to: line, line.pointee.strip, into: bus, count)
            } else {
                levels = mixLine(line, at: frame, into: bus, count)
            }
            line.pointee.strip.pointee.meter.add(levels, count: count)
        }
        if let crossfade { mixRemovedLines(crossfade, into: bus, count) }
    }

    @_noLocks
    private mutating func mixLine(_ line: UnsafeMutablePointer<TrackLine>, at frame: Int64, into bus: StereoPointers, _ count: Int) -> Levels {
        let strip = line.pointee.strip
        var gain = scratch.gain(0)
        guard let samples = fetch(line, index, count, scratch.new, &gain) ?? silenceForTap(strip, count) else { return Levels() }
        if let out = out(strip, pre: true) { add(samples, &gain, to: out, count) }
        gain.multiply(by: line, at: frame, of: count)
        guard let tap = strip.pointee.tap(preFader: true) else { return mixStrip(strip, samples, &gain, into: bus, count) }
        // In a place of its own: the samples may lie in the ring.
        apply(&gain, to: scratch.new, from: samples, count)
        tap.pointee.call(scratch.new, count)
        var unity = scratch.gain(0)
        return mixStrip(strip, scratch.new, &unity, into: bus, count)
    }

    /// A track without samples is silent, and of no interest but to a tap.
    @_noLocks
    private func silenceForTap(_ strip: UnsafeMutablePointer<Strip>, _ count: Int) -> StereoPointers? {
        if strip.pointee.tap == nil { return nil }
        scratch.new.clear(count)
        return scratch.new
    }

    /// A track that sounds otherwise than before: from the old sound to the new over the crossfade.
    @_noLocks
    private mutating func mixCrossfade(
        _ crossfade: Crossfade, from old: UnsafeMutablePointer<TrackLine>?, to new: UnsafeMutablePointer<TrackLine>?,
        _ strip: UnsafeMutablePointer<Strip>, into bus: StereoPointers, _ count: Int
    ) -> Levels {
        var newGain = scratch.gain(0)
        var oldGain = scratch.gain(1)
        let newSamples = fetchOrClear(new, index, count, scratch.new, &newGain)
        let oldSamples: StereoPointers
        if let stream = new?.pointee.stream, stream == old?.pointee.stream {
            // Fetched once: a stream that has run short counts its fades by what is fetched of it.
            oldSamples = newSamples
            oldGain.copy(newGain, count)
        } else {
            oldSamples = fetchOrClear(old, crossfade.index, count, scratch.old, &oldGain)
        }
        if let out = out(strip, pre: true) {
            cross(newSamples, &newGain, from: oldSamples, &oldGain, scratch.shares, into: scratch.raw, count)
            var unity = scratch.gain(2)
            add(scratch.raw, &unity, to: out, count)
        }
        if let new { newGain.multiply(by: new, at: plan.pointee.route.frame(at: index), of: count) }
        if let old { oldGain.multiply(by: old, at: crossfade.plan.pointee.route.frame(at: crossfade.index), of: count) }
        cross(newSamples, &newGain, from: oldSamples, &oldGain, scratch.shares, into: scratch.new, count)
        if let tap = strip.pointee.tap(preFader: true) { tap.pointee.call(scratch.new, count) }
        var unity = scratch.gain(0)
        return mixStrip(strip, scratch.new, &unity, into: bus, count)
    }

    /// A line's samples; silence without any.
    @_noLocks
    private mutating func fetchOrClear(
        _ line: UnsafeMutablePointer<TrackLine>?, _ index: Int64, _ count: Int, _ block: StereoPointers, _ gain: inout GainBlock
    ) -> StereoPointers {
        if let line, let samples = fetch(line, index, count, block, &gain) { return samples }
        block.clear(count)
        return block
    }

    @_noLocks
    private mutating func mixRemovedLines(_ crossfade: Crossfade, into bus: StereoPointers, _ count: Int) {
        for i in 0..<plan.pointee.removedCount {
            let line = crossfade.plan.pointee.lines + plan.pointee.removed[i]
            _ = mixCrossfade(crossfade, from: line, to: nil, line.pointee.strip, into: bus, count)
        }
    }

    /// Fader, mute gate and balance, and the sum: what every strip does to its track.
    @_noLocks
    private func mixStrip(
        _ strip: UnsafeMutablePointer<Strip>, _ samples: StereoPointers, _ envelope: inout GainBlock, into bus: StereoPointers, _ count: Int
    ) -> Levels {
        var left = scratch.gain(1)
        var right = scratch.gain(2)
        strip.pointee.gains(&left, &right, at: clock, count)
        if let tap = strip.pointee.tap(preFader: false) {
            // Here the samples before any gain have been used.
            let block = scratch.raw
            block.clear(count)
            _ = mix(samples, envelope: &envelope, left: &left, right: &right, into: block, count)
            tap.pointee.call(block, count)
            var unity = scratch.gain(0)
            if let out = out(strip, pre: false) { add(block, &unity, to: out, count) }
            return add(block, &unity, to: bus, count)
        }
        // A track that is muted, or whose fader is down, costs no more than its place in the stream.
        if envelope.isSilent() || left.isSilent() && right.isSilent() { return Levels() }
        if let out = out(strip, pre: false) { _ = mix(samples, envelope: &envelope, left: &left, right: &right, into: out, count) }
        return mix(samples, envelope: &envelope, left: &left, right: &right, into: bus, count)
    }

    /// Adds `samples` times one gain to the bus, or to the buffers of a direct output.
    @_noLocks @discardableResult
    private func add(_ samples: StereoPointers, _ gain: inout GainBlock, to out: StereoPointers, _ count: Int) -> Levels {
        var left = scratch.gain(1)
        var right = scratch.gain(2)
        return mix(samples, envelope: &gain, left: &left, right: &right, into: out, count)
    }

    // MARK: - Master and time

    @_noLocks
    private mutating func finish(_ bus: StereoPointers, _ count: Int) {
        var gain = scratch.gain(0)
        master.pointee.fader.apply(to: &gain, from: clock, count: count)
        master.pointee.muteGate.apply(to: &gain, from: clock, count: count)
        if let playing = motion.playing() { playing.level.apply(to: &gain, from: clock, count: count) }
        master.pointee.meter.add(scale(bus, by: &gain, count), count: count)
    }

    @_noLocks
    private mutating func advance(_ count: Int) {
        clock += Int64(count)
        guard let playing = motion.playing() else { return }
        index += Int64(count)
        if let crossfade = playing.crossfade {
            motion.setCrossfade(crossfade.advanced(by: count))
            if crossfade.done + count >= fadeFrames { endCrossfade() }
        }
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
        for i in 0..<plan.pointee.count { plan.pointee.lines[i].strip.pointee.publishFader(at: clock) }
        master.pointee.publishFader(at: clock)
    }
}
