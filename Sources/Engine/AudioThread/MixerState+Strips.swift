import CVector
import Realtime

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler checks it.

extension MixerState {
    /// What leaves a line before its gains: to ports of its own, and by sends.
    @_noLocks
    mutating func leaveBefore(_ line: UnsafeMutablePointer<Line>, _ samples: StereoPointers, _ gain: GainBlock, _ count: Int) {
        let out = out(line.pointee.strip, pre: true)
        let hasSends = hasSends(line, isPre: true)
        if out == nil, !hasSends { return }
        var edge = scratch.edge()
        edge.copy(gain, count)
        // What a tap is given is not faded yet.
        if fadesBehindTap(line) { edge.multiply(by: present.clips, of: count) }
        if let out { give(line, samples, edge, to: out, count) }
        if hasSends { feed(line, samples, edge, isPre: true, count) }
    }

    /// Fader, mute gate and balance, and where the sound goes from there: what every strip does.
    @_noLocks
    mutating func mixStrip(_ line: UnsafeMutablePointer<Line>, _ samples: StereoPointers, _ gain: inout GainBlock, _ count: Int) -> Levels {
        let strip = line.pointee.strip
        var (left, right) = (scratch.left(), scratch.right())
        multiplyStrip(line, &left, &right, count)
        let tap = strip.pointee.tap(preFader: false)
        let fadesBehind = fadesBehindTap(line)
        // A strip that is muted, or whose fader is down, costs no more than its place in the stream.
        if fadesBehind, tap == nil { gain.multiply(by: present.clips, of: count) }
        if tap == nil, gain.isSilent() || left.isSilent() && right.isSilent() { return Levels() }
        if tap == nil, let sum = onlySum(line) {
            if let out = out(strip, pre: false) { add(samples, envelope: &gain, left: &left, right: &right, into: out, count) }
            if isLive { return Engine.mix(samples, envelope: &gain, left: &left, right: &right, into: sum, count) }
            add(samples, envelope: &gain, left: &left, right: &right, into: sum, count)
            return Levels()
        }
        // Where it goes to several places, or fades on its way, or is looked at, it is made once.
        let block = line.pointee.blocks.post()
        var levels = make(samples, envelope: &gain, left: &left, right: &right, into: block, count)
        if let tap {
            tap.pointee.call(block, count)
            (left, right) = (scratch.left(), scratch.right())
            if fadesBehind {
                left.copy(present.clips, count)
                right.copy(present.clips, count)
            }
            levels = scale(block, by: &left, &right, count)
        }
        leaveBehind(line, block, count)
        return levels
    }

    /// All that hands do to a strip, on the way from the balance that the timeline gave it before.
    @_noLocks
    mutating func multiplyStrip(_ line: UnsafeMutablePointer<Line>, _ left: inout GainBlock, _ right: inout GainBlock, _ count: Int) {
        let strip = line.pointee.strip
        let pan = line.pointee.sound.pan()
        strip.pointee.gains(&left, &right, pan, at: clock, moment(line).playhead, count)
        guard let past = before(line), case let panBefore = past.pointee.pan(), pan != nil || panBefore != nil else { return }
        var (leftBefore, rightBefore) = (scratch.leftBefore(), scratch.rightBefore())
        strip.pointee.gains(&leftBefore, &rightBefore, panBefore, at: clock, present.past.playhead, count)
        left.cross(from: &leftBefore, scratch.shares, count)
        right.cross(from: &rightBefore, scratch.shares, count)
    }

    // MARK: - Edges

    /// The sum that a line's sound goes to, if that is all that happens to it.
    @_noLocks
    private mutating func onlySum(_ line: UnsafeMutablePointer<Line>) -> StereoPointers? {
        guard let edges = line.pointee.edges else { return present.bus }
        guard edges.pointee.outputCount == 1, case .open = edges.pointee.outputs[0].gate, !hasSends(line, isPre: false) else { return nil }
        // Into what comes or goes with it a line goes as it is, but not to ports.
        guard case .open = line.pointee.gate else { return nil }
        return sum(edges.pointee.outputs[0].sum)
    }

    /// The `number`th sum: 0 is the master's.
    @_noLocks
    private mutating func sum(_ number: Int) -> StereoPointers { number == 0 ? present.bus : present.graph.pointee.sum(number) }

    /// What leaves a line behind all of its gains.
    @_noLocks
    private mutating func leaveBehind(_ line: UnsafeMutablePointer<Line>, _ block: StereoPointers, _ count: Int) {
        if let out = out(line.pointee.strip, pre: false) { give(line, block, scratch.edge(), to: out, count) }
        guard let edges = line.pointee.edges else {
            var edge = scratch.edge()
            return put(block, &edge, into: present.bus, count)
        }
        for i in 0..<edges.pointee.outputCount {
            let output = edges.pointee.outputs[i]
            var edge = scratch.edge()
            if pass(output.gate, of: line, &edge, count) { put(block, &edge, into: sum(output.sum), count) }
        }
        if hasSends(line, isPre: false) { feed(line, block, scratch.edge(), isPre: false, count) }
    }

    /// Multiplies by how far an edge of a line is open.
    /// - Returns: whether anything passes at all.
    @_noLocks
    private mutating func pass(_ gate: Gate, of line: UnsafeMutablePointer<Line>, _ gain: inout GainBlock, _ count: Int) -> Bool {
        switch gate {
        case .open, .comes: return true
        case .goes: return crosses(line)
        case .opens:
            if crosses(line) { gain.multiply(by: present.opening, of: count) }
            return true
        case .closes:
            if !crosses(line) { return false }
            gain.multiply(by: present.closing, of: count)
            return true
        }
    }

    /// Whether a line has sends of one kind that may be open.
    @_noLocks
    private mutating func hasSends(_ line: UnsafeMutablePointer<Line>, isPre: Bool) -> Bool {
        guard let edges = line.pointee.edges, edges.pointee.sendCount > 0 else { return false }
        let slots = isPre ? edges.pointee.preSlots : edges.pointee.slots & ~edges.pointee.preSlots
        return edges.pointee.unslotted > 0 || line.pointee.strip.pointee.openSends & slots != 0
    }

    /// Adds a line's sound to the sums that its sends go to, those of one kind.
    @_noLocks
    private mutating func feed(_ line: UnsafeMutablePointer<Line>, _ samples: StereoPointers, _ gain: GainBlock, isPre: Bool, _ count: Int) {
        guard let edges = line.pointee.edges else { return }
        let strip = line.pointee.strip
        var open = strip.pointee.openSends & (isPre ? edges.pointee.preSlots : edges.pointee.slots & ~edges.pointee.preSlots)
        while open != 0 {
            let send = edges.pointee.takeFirst(of: &open)
            // One that is closed, and stays so, is not looked at again before it moves.
            if !feed(line, send, samples, gain, count) { strip.pointee.openSends &= ~send.pointee.strip.pointee.slotBit }
        }
        for i in edges.pointee.sendCount - edges.pointee.unslotted..<edges.pointee.sendCount where edges.pointee.sends[i].isPre == isPre {
            _ = feed(line, edges.pointee.sends + i, samples, gain, count)
        }
    }

    /// - Returns: whether it may be heard in the next block if nobody moves it.
    @_noLocks
    private mutating func feed(_ line: UnsafeMutablePointer<Line>, _ send: UnsafeMutablePointer<SendEdge>, _ samples: StereoPointers, _ gain: GainBlock, _ count: Int) -> Bool {
        let sound = send.pointee.sound
        let sum = sum(send.pointee.sum)
        // Most stand still, and nothing but a hand moves them: then there is nothing to compute.
        if !gain.varies, sound.pan == nil, sound.envelopeCount == 0, case .open = send.pointee.gate, send.pointee.before == nil, let settled = send.pointee.strip.pointee.settled {
            if settled.left == 0, settled.right == 0 { return false }
            if gain.constant == 0 { return true }
            add_steady(samples.left, gain.constant, settled.left, sum.left, count)
            add_steady(samples.right, gain.constant, settled.right, sum.right, count)
            return true
        }
        var edge = scratch.said()
        edge.copy(gain, count)
        if !pass(send.pointee.gate, of: line, &edge, count) { return true }
        var (left, right) = (scratch.edgeLeft(), scratch.edgeRight())
        multiply(&left, &right, &edge, by: send, of: line, count)
        if left.isSilent(), right.isSilent() { return send.pointee.strip.pointee.settled == nil }
        if !edge.isSilent() { add(samples, envelope: &edge, left: &left, right: &right, into: sum, count) }
        return true
    }

    /// What hands do to a send, and what the timeline says of it, on the way from what it said before.
    @_noLocks
    private mutating func multiply(
        _ left: inout GainBlock, _ right: inout GainBlock, _ edge: inout GainBlock, by send: UnsafeMutablePointer<SendEdge>, of line: UnsafeMutablePointer<Line>, _ count: Int
    ) {
        // One that goes is read where it was; of a strip that stays, too.
        let playhead = send.pointee.gate.isPast() ? present.past.playhead : moment(line).playhead
        let (strip, sound) = (send.pointee.strip, send.pointee.sound)
        strip.pointee.gains(&left, &right, sound.pan, at: clock, playhead, count)
        guard let past = send.pointee.before, crosses(line) else {
            return edge.multiply(by: sound.envelopes, sound.envelopeCount, at: playhead, of: count)
        }
        var (said, saidBefore) = (scratch.leftBefore(), scratch.saidBefore())
        said.multiply(by: sound.envelopes, sound.envelopeCount, at: playhead, of: count)
        saidBefore.multiply(by: past.pointee.envelopes, past.pointee.envelopeCount, at: present.past.playhead, of: count)
        said.cross(from: &saidBefore, scratch.shares, count)
        edge.multiply(by: said, of: count)
        if sound.pan == nil, past.pointee.pan == nil { return }
        var (leftBefore, rightBefore) = (scratch.leftBefore(), scratch.rightBefore())
        strip.pointee.gains(&leftBefore, &rightBefore, past.pointee.pan, at: clock, present.past.playhead, count)
        left.cross(from: &leftBefore, scratch.shares, count)
        right.cross(from: &rightBefore, scratch.shares, count)
    }

    /// Adds `samples` times one gain to a sum.
    @_noLocks
    private mutating func put(_ samples: StereoPointers, _ gain: inout GainBlock, into sum: StereoPointers, _ count: Int) {
        var (left, right) = (scratch.edgeLeft(), scratch.edgeRight())
        Engine.add(samples, envelope: &gain, left: &left, right: &right, into: sum, count)
    }

    /// Adds a line's `samples` times one gain to ports of its own: of one that comes or goes as far as it is there.
    @_noLocks
    private mutating func give(_ line: UnsafeMutablePointer<Line>, _ samples: StereoPointers, _ gain: GainBlock, to out: StereoPointers, _ count: Int) {
        // The line's gain goes on by other edges too.
        var edge = scratch.said()
        edge.copy(gain, count)
        if pass(line.pointee.gate, of: line, &edge, count) { put(samples, &edge, into: out, count) }
    }
}
