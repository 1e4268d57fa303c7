import CVector
import Realtime

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler
// checks it.

/// Where the sound of a strip goes: outputs, sends, and ports of its own.
extension MixerState {
    /// The sum that a line's sound goes to, if that is all that happens to it and it has as many channels.
    @_noLocks
    mutating func onlySum(_ line: UnsafeMutablePointer<Line>, _ channels: Int) -> Channels? {
        if present.isApart { return nil }
        guard let edges = line.pointee.edges else { return channels == present.bus.count ? present.bus : nil }
        guard edges.pointee.outputCount == 1, case .open = edges.pointee.outputs[0].gate,
            !hasSends(line, isPre: false)
        else { return nil }
        // Into what comes or goes with it a line goes as it is, but not to ports.
        guard case .open = line.pointee.gate else { return nil }
        let sum = sum(edges.pointee.outputs[0].sum)
        return channels == sum.count ? sum : nil
    }

    /// The `number`th sum, of what is played or of what was played before: 0 is the master's.
    @_noLocks
    mutating func sum(_ number: Int) -> Channels {
        if present.side.isPast() {
            return number == 0 ? present.busBefore : present.graph.pointee.sumsBefore[number - 1]
        }
        return number == 0 ? present.bus : present.graph.pointee.sums[number - 1]
    }

    /// What leaves a line behind all of its gains, by its edges.
    @_noLocks
    mutating func leaveBehind(
        _ line: UnsafeMutablePointer<Line>, _ block: Channels, _ gain: GainBlock, _ count: Int
    ) {
        if isForBoth() {
            present.side = .present
            leaveBehind(line, block, gain, count)
            present.side = .past
            leaveBehind(line, block, gain, count)
            present.side = .crossing
            return
        }
        guard let edges = line.pointee.edges else {
            var edge = gain
            return put(block, &edge, into: sum(0), count)
        }
        for i in 0..<edges.pointee.outputCount {
            let output = edges.pointee.outputs[i]
            var edge = scratch.said()
            edge.copy(gain, count)
            if !pass(output.gate, of: line, &edge, count) { continue }
            put(
                late(line, block, output.wait, isPre: false, isPast: output.gate.isPast(), count), &edge,
                into: sum(output.sum), count)
        }
        if hasSends(line, isPre: false) { feed(line, block, gain, isPre: false, count) }
    }

    /// What leaves a line by an edge that holds it back for `wait` frames.
    @_noLocks
    private mutating func late(
        _ line: UnsafeMutablePointer<Line>, _ block: Channels, _ wait: Int, isPre: Bool, isPast: Bool,
        _ count: Int
    ) -> Channels {
        if wait == 0 { return block }
        guard let ring = line.pointee.waits?.pointee.ring(isPre: isPre, isPast: isPast || wasOther(line))
        else { return block }
        let late = blocks(line).late()
        ring.pointee.lay(wait, isBefore: remembersBefore(line), into: late, count)
        return late
    }

    /// Multiplies by how far an edge of a line is open.
    /// - Returns: whether anything passes at all.
    @_noLocks
    private mutating func pass(
        _ gate: EdgeGate, of line: UnsafeMutablePointer<Line>, _ gain: inout GainBlock, _ count: Int
    ) -> Bool {
        if !present.side.isCrossing(), crosses(line) { return gate.isHeard(isPast: present.side.isPast()) }
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
    mutating func hasSends(_ line: UnsafeMutablePointer<Line>, isPre: Bool) -> Bool {
        guard let edges = line.pointee.edges, edges.pointee.sendCount > 0 else { return false }
        let slots = isPre ? edges.pointee.preSlots : edges.pointee.slots & ~edges.pointee.preSlots
        return edges.pointee.unslotted > 0 || line.pointee.strip.pointee.openSends & slots != 0
    }

    /// What the master makes goes where it is heard behind it.
    @_noLocks
    mutating func feedBehind(_ master: UnsafeMutablePointer<Line>, _ samples: Channels, _ count: Int) {
        hold(master, samples, isPre: false, count)
        if hasSends(master, isPre: false) { feed(master, samples, scratch.edge(), isPre: false, count) }
    }

    /// Adds a line's sound to the sums that its sends go to, those of one kind.
    @_noLocks
    mutating func feed(
        _ line: UnsafeMutablePointer<Line>, _ samples: Channels, _ gain: GainBlock, isPre: Bool, _ count: Int
    ) {
        if isForBoth() {
            present.side = .present
            feed(line, samples, gain, isPre: isPre, count)
            present.side = .past
            feed(line, samples, gain, isPre: isPre, count)
            present.side = .crossing
            return
        }
        guard let edges = line.pointee.edges else { return }
        let strip = line.pointee.strip
        var open =
            strip.pointee.openSends
            & (isPre ? edges.pointee.preSlots : edges.pointee.slots & ~edges.pointee.preSlots)
        if !gain.varies, !present.isApart {
            let steady = open & edges.pointee.steadySlots & ~strip.pointee.movingSends
            feedSteady(edges, steady, samples, gain.constant, count)
            open &= ~steady
        }
        while open != 0 { feed(line, place: edges.pointee.takeFirst(of: &open), samples, gain, count) }
        for i in edges.pointee.sendCount - edges.pointee.unslotted..<edges.pointee.sendCount
        where edges.pointee.sends[i].isPre == isPre {
            _ = feed(line, edges.pointee.sends + i, samples, gain, count)
        }
    }

    /// Adds a line's sound to the sum of one of its sends that have a slot, and notes whether that is closed,
    /// or is steady from now on.
    @_noLocks
    private mutating func feed(
        _ line: UnsafeMutablePointer<Line>, place: Int, _ samples: Channels, _ gain: GainBlock, _ count: Int
    ) {
        guard let edges = line.pointee.edges else { return }
        let send = edges.pointee.sends + place
        let slot = send.pointee.strip.pointee.slotBit
        edges.pointee.steadySlots &= ~slot
        // One that is closed, and stays so, is not looked at again before it moves.
        if !feed(line, send, samples, gain, count) {
            line.pointee.strip.pointee.openSends &= ~slot
        } else if let steady = steady(send, samples) {
            (edges.pointee.steady + place).initialize(to: steady)
            edges.pointee.steadySlots |= slot
        }
    }

    /// Adds a line's sound to the sums of sends that nothing moves.
    @_noLocks
    private mutating func feedSteady(
        _ edges: UnsafeMutablePointer<LineEdges>, _ slots: UInt64, _ samples: Channels, _ gain: Float,
        _ count: Int
    ) {
        if gain == 0 || slots == 0 { return }
        let (left, right, steady) = (samples.channel(0), samples.channel(1), edges.pointee.steady)
        if slots == edges.pointee.slots {
            return add_to_sends(
                left, right, gain, steady, edges.pointee.sendCount - edges.pointee.unslotted, count)
        }
        var slots = slots
        while slots != 0 {
            add_to_sends(left, right, gain, steady + edges.pointee.takeFirst(of: &slots), 1, count)
        }
    }

    /// What a send adds as long as no hand moves it; nil where the timeline, another plan or a matrix has a
    /// say.
    @_noLocks
    private mutating func steady(
        _ send: UnsafeMutablePointer<SendEdge>, _ samples: Channels
    ) -> steady_send? {
        // The mix lies elsewhere in each block.
        guard !present.isApart, send.pointee.sum > 0, send.pointee.wait == 0, send.pointee.sound.pan == nil,
            send.pointee.sound.envelopeCount == 0, send.pointee.sound.closings == nil,
            send.pointee.before == nil, send.pointee.sound.matrix == nil, case .open = send.pointee.gate,
            samples.count == 2, sum(send.pointee.sum).count == 2,
            let settled = send.pointee.strip.pointee.settled
        else { return nil }
        let sum = sum(send.pointee.sum)
        return steady_send(
            of_left: settled.left, of_right: settled.right, bus_left: sum.channel(0),
            bus_right: sum.channel(1))
    }

    /// - Returns: whether it may be heard in the next block if nobody moves it.
    @_noLocks
    private mutating func feed(
        _ line: UnsafeMutablePointer<Line>, _ send: UnsafeMutablePointer<SendEdge>, _ samples: Channels,
        _ gain: GainBlock, _ count: Int
    ) -> Bool {
        var (samples, gain) = (samples, gain)
        if send.pointee.wait > 0 { holdBack(&samples, &gain, line, send, count) }
        let matrix = sound(send, of: line).matrix
        let sum = sum(send.pointee.sum)
        var edge = scratch.said()
        edge.copy(gain, count)
        if !pass(send.pointee.gate, of: line, &edge, count) { return true }
        var sides = scratch.edgeSides()
        multiply(&sides, &edge, by: send, of: line, count)
        if sides.areSilent(sum.count) { return send.pointee.strip.pointee.settled == nil }
        if !edge.isSilent() { add(samples, &edge, &sides, by: matrix, into: sum, count) }
        return true
    }

    /// What goes by a send comes to be what it was earlier; what leaves before the gains was given with them,
    /// and fades as it leaves.
    @_noLocks
    private mutating func holdBack(
        _ samples: inout Channels, _ gain: inout GainBlock, _ line: UnsafeMutablePointer<Line>,
        _ send: UnsafeMutablePointer<SendEdge>, _ count: Int
    ) {
        let (isPre, isPast) = (send.pointee.isPre, send.pointee.gate.isPast() || line.pointee.gate.isPast())
        samples = late(line, samples, send.pointee.wait, isPre: isPre, isPast: isPast, count)
        if !isPre { return }
        gain = scratch.saidBefore()
        if fadesBehindTap(line) { gain.multiply(by: playing(line).pointee.clips, of: count) }
    }

    /// What hands do to a send, and what the timeline says of it, on the way from what it said before.
    @_noLocks
    private mutating func multiply(
        _ sides: inout SideGains, _ edge: inout GainBlock, by send: UnsafeMutablePointer<SendEdge>,
        of line: UnsafeMutablePointer<Line>, _ count: Int
    ) {
        // One that goes is read where it was; of a strip that stays, too.
        let (strip, sound) = (send.pointee.strip, sound(send, of: line))
        let wasOther = wasOther(line) && send.pointee.before != nil
        let isPast = send.pointee.gate.isPast() || line.pointee.gate.isPast() || wasOther
        let player = players[line.pointee.sound.player]
        let course = isPast ? player.pointee.courseBefore : player.pointee.course
        let playhead = course.pointee.moment(sound.moment).pointee.playhead
        strip.pointee.gains(&sides, sound.pan, at: clock, playhead, count)
        guard let past = send.pointee.before, present.side.isCrossing(), crosses(line) else {
            return sound.multiply(&edge, at: playhead, of: count)
        }
        let before = player.pointee.courseBefore.pointee.moment(past.pointee.moment).pointee.playhead
        var (said, saidBefore) = (scratch.sendSaid(), scratch.saidBefore())
        sound.multiply(&said, at: playhead, of: count)
        past.pointee.multiply(&saidBefore, at: before, of: count)
        said.cross(from: &saidBefore, scratch.shares, count)
        edge.multiply(by: said, of: count)
        if sound.pan != nil || past.pointee.pan != nil {
            cross(&sides, of: strip, from: past.pointee.pan, at: before, count)
        }
    }

    /// The gains of a send's sides, on the way from what the timeline said of its balance before.
    @_noLocks
    private mutating func cross(
        _ sides: inout SideGains, of strip: UnsafeMutablePointer<LiveStrip>,
        from pan: UnsafePointer<Envelope>?, at playhead: Playhead, _ count: Int
    ) {
        var before = scratch.sidesBefore()
        strip.pointee.gains(&before, pan, at: clock, playhead, count)
        sides.cross(from: &before, scratch.shares, strip.pointee.channels, count)
    }

    /// What the timeline says of a send, or said of it before, if that is mixed.
    @_noLocks
    private mutating func sound(
        _ send: UnsafeMutablePointer<SendEdge>, of line: UnsafeMutablePointer<Line>
    ) -> SendSound {
        if wasOther(line), let before = send.pointee.before { return before.pointee }
        return send.pointee.sound
    }

    /// Adds `samples` times one gain to a sum.
    @_noLocks
    private mutating func put(_ samples: Channels, _ gain: inout GainBlock, into sum: Channels, _ count: Int)
    {
        var sides = scratch.edgeSides()
        add(samples, &gain, &sides, by: nil, into: sum, count)
    }

    /// Adds `samples` times their gains to a sum, by a matrix of its own, or where that has other channels.
    /// - Parameter sides: of the channels of the sum.
    @_noLocks
    private mutating func add(
        _ samples: Channels, _ gain: inout GainBlock, _ sides: inout SideGains, by own: Matrix?,
        into sum: Channels, _ count: Int
    ) {
        if own == nil, samples.count == sum.count {
            return lay(samples, .adds, envelope: &gain, sides: &sides, into: sum, count)
        }
        let matrix = own ?? scratch.matrices.matrix(from: samples.count, to: sum.count)
        // Made by itself and added once: what a stem of it holds is what the sum gets.
        let folded = Channels(scratch.folded, stride: Block.stride(), count: sum.count)
        folded.clear(count)
        for i in 0..<matrix.count {
            let part = matrix.parts[i]
            var side = sides.of(part.to, among: sum.count)
            add(samples, part, &gain, &side, to: folded.channel(part.to), count)
        }
        for channel in 0..<sum.count {
            add_steady(folded.channel(channel), 1, 1, sum.channel(channel), count)
        }
    }

    /// Adds one channel of `samples`, as much of it as `part` says.
    @_noLocks
    private mutating func add(
        _ samples: Channels, _ part: MatrixPart, _ gain: inout GainBlock, _ side: inout GainBlock,
        to target: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        var share = scratch.part()
        share.copy(gain, count)
        if part.gain != 1 { share.multiply(by: part.gain, from: 0, to: count, of: count) }
        Engine.add(samples.channel(part.from), &share, &side, to: target, count)
    }

    /// Adds a line's `samples` times one gain to ports of its own: of one that comes or goes as far as it is
    /// there.
    @_noLocks
    mutating func give(
        _ line: UnsafeMutablePointer<Line>, _ samples: Channels, _ gain: GainBlock,
        to out: UnsafeMutablePointer<DirectOut>, _ count: Int
    ) {
        // The line's gain goes on by other edges too.
        var edge = scratch.said()
        edge.copy(gain, count)
        var sides = scratch.edgeSides()
        if pass(line.pointee.gate, of: line, &edge, count) { give(samples, &edge, &sides, to: out, count) }
    }

    /// Adds `samples` times their gains to the buffers of ports.
    /// - Parameter sides: of the channels of `samples`.
    @_noLocks
    mutating func give(
        _ samples: Channels, _ gain: inout GainBlock, _ sides: inout SideGains,
        to out: UnsafeMutablePointer<DirectOut>, _ count: Int
    ) {
        let matrix = scratch.matrices.matrix(from: samples.count, to: out.pointee.buffers.count)
        for i in 0..<matrix.count {
            let part = matrix.parts[i]
            guard let buffer = out.pointee.buffers[part.to] else { continue }
            var side = sides.of(part.from, among: samples.count)
            add(samples, part, &gain, &side, to: buffer + buffersDone, count)
        }
    }
}
