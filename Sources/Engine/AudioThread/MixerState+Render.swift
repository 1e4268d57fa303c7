import CRealtime
import Realtime

// The audio thread, from here to the end of the file: no lock, no allocation, no system call; the compiler checks it.

extension MixerState {
    /// Mixes the next `count` frames into `left` and `right`. Audio thread only. Wait-free, unless it is told to wait.
    /// - Parameter waits: wait for the disk instead of dropping out: in freewheel and offline, never live.
    @_noLocks
    mutating func render(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int, waits: Bool) {
        var done = 0
        while done < count {
            takeOrders()
            let run = block(min(count - done, scratch.blockFrames))
            if waits, !isStopped() { rt_leave_realtime(waitForDisk, plan, index + Int64(run + fadeFrames)) }
            render(StereoPointers(left + done, right + done), run)
            done += run
        }
        publish()
    }

    /// How many of `count` frames can be mixed in one piece: up to the end of a loop, of a crossing, of a stop.
    @_noLocks
    private func block(_ count: Int) -> Int {
        if isStopped() { return count }
        var run = min(Int64(count), plan.pointee.order.run(from: index))
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
        advance(count)
    }

    // MARK: - Tracks

    @_noLocks
    private mutating func mixLines(into bus: StereoPointers, _ count: Int) {
        for i in 0..<plan.pointee.count {
            let line = plan.pointee.lines[i]
            let levels: Levels
            if outgoing != nil, !line.isUnchanged {
                let old = line.previous >= 0 ? outgoing!.pointee.lines + line.previous : nil
                levels = mixCrossing(from: old, to: plan.pointee.lines + i, line.strip, into: bus, count)
            } else {
                levels = mixLine(line, into: bus, count)
            }
            line.strip.pointee.meter.add(levels, count: count)
        }
        if outgoing != nil { mixRemovedLines(into: bus, count) }
    }

    @_noLocks
    private mutating func mixLine(_ line: TrackLine, into bus: StereoPointers, _ count: Int) -> Levels {
        var gain = scratch.gain(0)
        guard let samples = fetch(line, index, count, scratch.new, &gain) else { return Levels() }
        multiplyEnvelopes(line, &gain, plan.pointee.order.frame(at: index), count)
        return mixStrip(line.strip, samples, &gain, into: bus, count)
    }

    /// A track that sounds otherwise than before: from the old sound to the new over the crossing.
    @_noLocks
    private mutating func mixCrossing(
        from old: UnsafeMutablePointer<TrackLine>?, to new: UnsafeMutablePointer<TrackLine>?,
        _ strip: UnsafeMutablePointer<Strip>, into bus: StereoPointers, _ count: Int
    ) -> Levels {
        render(old?.pointee, outgoing!.pointee.order, outgoingIndex, scratch.old, count)
        render(new?.pointee, plan.pointee.order, index, scratch.new, count)
        cross(scratch.new, from: scratch.old, done: crossed, total: fadeFrames, count)
        var unity = scratch.gain(0)
        return mixStrip(strip, scratch.new, &unity, into: bus, count)
    }

    /// A line's samples times its own gain, in `block`; silence without a line.
    @_noLocks
    private mutating func render(
        _ line: TrackLine?, _ order: PlayOrder, _ index: Int64, _ block: StereoPointers, _ count: Int
    ) {
        var gain = scratch.gain(0)
        guard let line, let samples = fetch(line, index, count, block, &gain) else { return block.clear(count) }
        multiplyEnvelopes(line, &gain, order.frame(at: index), count)
        apply(&gain, to: block, from: samples, count)
    }

    @_noLocks
    private mutating func mixRemovedLines(into bus: StereoPointers, _ count: Int) {
        for i in 0..<plan.pointee.removedCount {
            let line = outgoing!.pointee.lines + plan.pointee.removed[i]
            _ = mixCrossing(from: line, to: nil, line.pointee.strip, into: bus, count)
        }
    }

    @_noLocks
    private func multiplyEnvelopes(_ line: TrackLine, _ gain: inout GainBlock, _ frame: Int64, _ count: Int) {
        for i in 0..<line.envelopeCount { gain.multiply(by: line.envelopes[i], at: frame, of: count) }
    }

    /// Fader, gate and balance, and the sum: what every strip does to its track.
    @_noLocks
    private func mixStrip(
        _ strip: UnsafeMutablePointer<Strip>, _ samples: StereoPointers, _ envelope: inout GainBlock, into bus: StereoPointers, _ count: Int
    ) -> Levels {
        var left = scratch.gain(1)
        var right = scratch.gain(2)
        strip.pointee.fader.apply(to: &left, from: clock, count: count)
        strip.pointee.gate.apply(to: &left, from: clock, count: count)
        strip.pointee.fader.apply(to: &right, from: clock, count: count)
        strip.pointee.gate.apply(to: &right, from: clock, count: count)
        strip.pointee.left.apply(to: &left, from: clock, count: count)
        strip.pointee.right.apply(to: &right, from: clock, count: count)
        return mix(samples, envelope: &envelope, left: &left, right: &right, into: bus, count)
    }

    // MARK: - Streams

    /// The samples of a line from `index` of its order on, in the ring itself where they lie in one piece; nil for silence.
    ///
    /// While more than a fade's length is read ahead they come whole. With less, the stream fades out over what is left,
    /// counts a dropout, stays silent, and fades in where it should be by then once enough has come.
    @_noLocks
    private func fetch(
        _ line: TrackLine, _ index: Int64, _ count: Int, _ block: StereoPointers, _ gain: inout GainBlock
    ) -> StereoPointers? {
        guard let stream = line.stream else { return nil }
        let place = Int(index - stream.pointee.base)
        let ring = stream.pointee.ring
        let available = ring.available(from: place)
        let counters = stream.pointee.counters
        if available < counters.pointee.lowestFill.load(ordering: .relaxed) { counters.pointee.lowestFill.store(available, ordering: .relaxed) }
        if available >= count + fadeFrames, !stream.pointee.isStarved {
            if ring.contiguous(from: place) >= count { return pointers(ring, place) }
            copy(ring, place, block, count)
            return block
        }
        return fetchStarved(stream, place, available, count, block, &gain)
    }

    @_noLocks
    private func fetchStarved(
        _ stream: UnsafeMutablePointer<StreamCursor>, _ place: Int, _ available: Int, _ count: Int,
        _ block: StereoPointers, _ gain: inout GainBlock
    ) -> StereoPointers? {
        if !stream.pointee.isStarved {
            stream.pointee.isStarved = true
            stream.pointee.counters.pointee.dropouts.add(1, ordering: .relaxed)
            shared.pointee.dropouts.add(1, ordering: .relaxed)
        }
        // Opens again only with some to spare, so that it does not flutter.
        let opens = available >= count + 4 * fadeFrames
        if stream.pointee.gate == 0, !opens { return nil }
        let there = min(count, available)
        copy(stream.pointee.ring, place, block, there)
        StereoPointers(block.left + there, block.right + there).clear(count - there)
        let step = opens ? 1 / Float(fadeFrames) : -1 / Float(min(fadeFrames, max(1, available)))
        gain.spread(count)
        for i in 0..<count {
            stream.pointee.gate = min(1, max(0, stream.pointee.gate + step))
            gain.values[i] *= i < there ? stream.pointee.gate : 0
        }
        if there < count { stream.pointee.gate = 0 }
        if stream.pointee.gate == 1 { stream.pointee.isStarved = false }
        return block
    }

    @_noLocks
    private func pointers(_ ring: SampleRing, _ place: Int) -> StereoPointers {
        let left = ring.samples(from: place)
        return StereoPointers(left, left + ring.capacity)
    }

    @_noLocks
    private func copy(_ ring: SampleRing, _ place: Int, _ block: StereoPointers, _ count: Int) {
        let first = min(count, ring.contiguous(from: place))
        if first > 0 { block.copy(pointers(ring, place), at: 0, count: first) }
        if first < count { block.copy(pointers(ring, place + first), at: first, count: count - first) }
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
        for i in 0..<plan.pointee.count {
            if let stream = plan.pointee.lines[i].stream { stream.pointee.ring.consume(upTo: Int(index - stream.pointee.base)) }
        }
        framesSinceWakeUp += count
        if framesSinceWakeUp >= wakeUpFrames {
            framesSinceWakeUp = 0
            diskWakeUp.signal()
        }
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

    // MARK: - Orders

    /// Carries out what the control thread has asked. A plan waits for the crossing or the stop before it to end; what was
    /// asked after it waits with it, so that orders keep their order.
    @_noLocks
    private mutating func takeOrders() {
        while let message = inbox.peek() {
            guard let order = MixerOrder(code: message.code) else { return inbox.drop() }
            if case .plan = order, outgoing != nil || isStopping() { return }
            switch order {
            case .plan: adopt(message.object!.assumingMemoryBound(to: PlanData.self))
            case .play: play()
            case .stop: stop()
            case .fader: strip(message).pointee.fader.obey(message, at: clock)
            case .gate: strip(message).pointee.gate.obey(message, at: clock)
            case .left: strip(message).pointee.left.obey(message, at: clock)
            case .right: strip(message).pointee.right.obey(message, at: clock)
            }
            // Only now: what the order names may be freed once it is out of the queue.
            inbox.drop()
        }
    }

    @_noLocks
    private func strip(_ message: RealtimeMessage) -> UnsafeMutablePointer<Strip> {
        message.object!.assumingMemoryBound(to: Strip.self)
    }

    @_noLocks
    private mutating func adopt(_ next: UnsafeMutablePointer<PlanData>) {
        let place: Int64
        switch next.pointee.entry {
        case .sameIndex: place = index
        case .sameFrame: place = next.pointee.order.index(of: plan.pointee.order.frame(at: index)) ?? 0
        case .start: place = 0
        }
        outgoing = plan
        outgoingIndex = index
        crossed = 0
        plan = next
        index = place
        if isStopped() {
            if case .start = next.pointee.entry { resumesFromFade = false }
            retireOutgoing()
        }
    }

    @_noLocks
    private mutating func retireOutgoing() {
        guard let old = outgoing else { return }
        outgoing = nil
        crossed = 0
        // The control side leaves room for every plan it has sent.
        _ = retired.send(RealtimeMessage(code: 0, object: UnsafeMutableRawPointer(old)))
    }

    @_noLocks
    private func isRolling() -> Bool { if case .rolling = transport { true } else { false } }

    @_noLocks
    private func isStopping() -> Bool { if case .stopping = transport { true } else { false } }

    @_noLocks
    private func isStopped() -> Bool { if case .stopped = transport { true } else { false } }

    @_noLocks
    private mutating func play() {
        if isRolling() { return }
        if isStopped() { transportGain = Glide(value: resumesFromFade ? 0 : 1) }
        transportGain.move(to: 1, over: Int64(fadeFrames), curve: .linear, at: clock)
        transport = .rolling
        framesSinceWakeUp = wakeUpFrames
    }

    @_noLocks
    private mutating func stop() {
        if !isRolling() { return }
        transport = .stopping
        transportGain.move(to: 0, over: Int64(fadeFrames), curve: .linear, at: clock)
    }
}

extension Glide {
    @_noLocks
    fileprivate mutating func obey(_ message: RealtimeMessage, at clock: Int64) {
        move(to: message.value, over: message.count, curve: GainCurve(code: message.option), at: clock)
    }
}

extension Strip {
    @_noLocks
    fileprivate func publishFader(at clock: Int64) {
        shared.pointee.fader.store(fader.value(at: clock).bitPattern, ordering: .relaxed)
    }
}
