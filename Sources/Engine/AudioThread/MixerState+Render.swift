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
        var done = 0
        while done < count {
            takeOrders()
            let run = block(min(count - done, scratch.blockFrames))
            if waits, !isStopped() { waitForDisk(upTo: index + Int64(run + fadeFrames)) }
            outsDone = done
            render(StereoPointers(left + done, right + done), run)
            done += run
        }
        closeOuts()
        publish()
    }

    /// Where there is time: freewheel and offline.
    @_noLocks
    private func waitForDisk(upTo index: Int64) {
        scratch.wait.pointee.plan = plan
        rt_leave_realtime(waitUntilRead, scratch.wait, index)
    }

    /// How many of `count` frames can be mixed in one piece: up to the next order, the end of a loop, of a crossing, of a stop.
    @_noLocks
    private func block(_ count: Int) -> Int {
        var run = Int64(count)
        // One that is due already waits for what ends a piece by itself.
        if let next = agenda.first(), next.at > clock { run = min(run, next.at - clock) }
        if isStopped() { return Int(run) }
        run = min(run, plan.pointee.order.run(from: index))
        if let outgoing {
            run = min(run, Int64(fadeFrames - crossed))
            run = min(run, outgoing.pointee.order.run(from: outgoingIndex))
        }
        if isStopping() { run = min(run, stopFramesLeft()) }
        return Int(max(1, run))
    }

    @_noLocks
    private mutating func render(_ bus: StereoPointers, _ count: Int) {
        bus.clear(count)
        if isStopped() {
            let silence = Levels()
            for i in 0..<plan.pointee.count { plan.pointee.lines[i].strip.pointee.meter.add(silence, count: count) }
        } else {
            mixLines(into: bus, count)
        }
        finish(bus, count)
        fadeOuts(count)
        advance(count)
    }

    // MARK: - Tracks

    @_noLocks
    private mutating func mixLines(into bus: StereoPointers, _ count: Int) {
        let frame = plan.pointee.order.frame(at: index)
        if outgoing != nil { share(scratch.shares, done: crossed, total: fadeFrames, count) }
        for i in 0..<plan.pointee.count {
            fetchAhead(i, count)
            let line = plan.pointee.lines + i
            let levels: Levels
            if outgoing != nil, !line.pointee.isUnchanged {
                levels = mixCrossing(from: crossed(line), to: line, line.pointee.strip, into: bus, count)
            } else {
                levels = mixLine(line, at: frame, into: bus, count)
            }
            line.pointee.strip.pointee.meter.add(levels, count: count)
        }
        if outgoing != nil { mixRemovedLines(into: bus, count) }
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

    /// A track that sounds otherwise than before: from the old sound to the new over the crossing.
    @_noLocks
    private mutating func mixCrossing(
        from old: UnsafeMutablePointer<TrackLine>?, to new: UnsafeMutablePointer<TrackLine>?,
        _ strip: UnsafeMutablePointer<Strip>, into bus: StereoPointers, _ count: Int
    ) -> Levels {
        var newGain = scratch.gain(0)
        var oldGain = scratch.gain(1)
        let newSamples = fetchOrClear(new, index, count, scratch.new, &newGain)
        let oldSamples = fetchOrClear(old, outgoingIndex, count, scratch.old, &oldGain)
        if let out = out(strip, pre: true) {
            cross(newSamples, &newGain, from: oldSamples, &oldGain, scratch.shares, into: scratch.raw, count)
            var unity = scratch.gain(2)
            add(scratch.raw, &unity, to: out, count)
        }
        if let new { newGain.multiply(by: new, at: plan.pointee.order.frame(at: index), of: count) }
        if let old { oldGain.multiply(by: old, at: outgoing!.pointee.order.frame(at: outgoingIndex), of: count) }
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
    private mutating func mixRemovedLines(into bus: StereoPointers, _ count: Int) {
        for i in 0..<plan.pointee.removedCount {
            let line = outgoing!.pointee.lines + plan.pointee.removed[i]
            _ = mixCrossing(from: line, to: nil, line.pointee.strip, into: bus, count)
        }
    }

    /// Fader, gate and balance, and the sum: what every strip does to its track.
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
        master.pointee.gate.apply(to: &gain, from: clock, count: count)
        if !isStopped() { transportGain.apply(to: &gain, from: clock, count: count) }
        master.pointee.meter.add(scale(bus, by: &gain, count), count: count)
    }

    @_noLocks
    private mutating func advance(_ count: Int) {
        clock += Int64(count)
        if isStopped() { return }
        if outgoing != nil {
            crossed += count
            outgoingIndex += Int64(count)
        }
        index += Int64(count)
        releasePlayed(count)
        if crossed >= fadeFrames { retireOutgoing() }
        if isStopping(), stopFramesLeft() <= 0 {
            transport = .stopped
            resumesFromFade = true
        }
    }

    @_noLocks
    private func stopFramesLeft() -> Int64 { transportGain.framesLeft(at: clock) }

    @_noLocks
    private mutating func publish() {
        shared.pointee.transport.store(transport.code(), ordering: .relaxed)
        shared.pointee.frame.store(plan.pointee.order.frame(at: index), ordering: .relaxed)
        shared.pointee.index.store(index, ordering: .relaxed)
        shared.pointee.orderNumber.store(plan.pointee.orderNumber, ordering: .releasing)
        shared.pointee.clock.store(clock, ordering: .releasing)
        for i in 0..<plan.pointee.count { plan.pointee.lines[i].strip.pointee.publishFader(at: clock) }
        master.pointee.publishFader(at: clock)
    }
}
