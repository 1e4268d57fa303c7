import CVector
import Realtime

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler
// checks it.

extension MixerState {
    /// What leaves a line before its gains: to ports of its own, and by sends.
    @_noLocks
    mutating func leaveBefore(
        _ line: UnsafeMutablePointer<Line>, _ samples: Channels, _ gain: GainBlock, _ count: Int
    ) {
        let out = present.side.isCrossing() ? out(line.pointee.strip, pre: true) : nil
        let hasSends = hasSends(line, isPre: true)
        hold(line, samples, gain, count)
        if out == nil, !hasSends { return }
        var edge = scratch.edge()
        edge.copy(gain, count)
        // What a tap is given is not faded yet.
        if fadesBehindTap(line) { edge.multiply(by: playing(line).pointee.clips, of: count) }
        if let out { give(line, samples, edge, to: out, count) }
        if hasSends { feed(line, samples, edge, isPre: true, count) }
    }

    /// Gives what leaves a line before its gains to what holds it back.
    @_noLocks
    private mutating func hold(
        _ line: UnsafeMutablePointer<Line>, _ samples: Channels, _ gain: GainBlock, _ count: Int
    ) {
        guard let waits = line.pointee.waits else { return }
        if waits.pointee.pre == nil, waits.pointee.preBefore == nil { return }
        var edge = scratch.edge()
        edge.copy(gain, count)
        let block = blocks(line).late()
        apply(&edge, to: block, from: samples, count)
        hold(line, block, isPre: true, count)
    }

    /// Gives a block of what leaves a line to what holds it back.
    @_noLocks
    mutating func hold(
        _ line: UnsafeMutablePointer<Line>, _ block: Channels, isPre: Bool, _ count: Int
    ) {
        guard let waits = line.pointee.waits else { return }
        give(line, block, to: isPre ? waits.pointee.pre : waits.pointee.post, count)
        give(line, block, to: isPre ? waits.pointee.preBefore : waits.pointee.postBefore, count)
    }

    @_noLocks
    private mutating func give(
        _ line: UnsafeMutablePointer<Line>, _ block: Channels, to ring: UnsafeMutablePointer<SideRings>?,
        _ count: Int
    ) {
        guard let ring else { return }
        // One that goes stays on its way.
        if !line.pointee.gate.isPast() {
            ring.pointee.follow(
                playing(line).pointee.playthrough, hearsInputs: line.pointee.hearsInputs,
                goesApart: goesApart(line))
        }
        ring.pointee.take(block, isBefore: remembersBefore(line), count)
    }

    /// Fader, mute gate and balance, and where the sound goes from there: what every strip does.
    @_noLocks
    mutating func mixStrip(
        _ line: UnsafeMutablePointer<Line>, _ samples: Channels, _ gain: inout GainBlock, _ count: Int
    ) {
        let strip = line.pointee.strip
        var sides = scratch.sides()
        multiplyStrip(line, &sides, count)
        let isShown = tap(line, preFader: false) != nil
        let holdsBack = holdsBack(line)
        if !isShown, !holdsBack, fadesBehindTap(line) {
            gain.multiply(by: playing(line).pointee.clips, of: count)
        }
        let isLookedAt = isShown || strip.pointee.isMeasured || holdsBack || !present.side.isCrossing()
        if isLookedAt { return makeStrip(line, samples, &gain, &sides, count) }
        leave(line, samples, &gain, &sides, count)
    }

    /// Adds a strip's sound to the sum that it goes to, or makes it once for all that hear it. A strip that
    /// is muted, or whose fader is down, costs no more than its place in the stream.
    @_noLocks
    mutating func leave(
        _ line: UnsafeMutablePointer<Line>, _ samples: Channels, _ gain: inout GainBlock,
        _ sides: inout SideGains, _ count: Int
    ) {
        if gain.isSilent() || sides.areSilent(samples.count) { return }
        guard let sum = onlySum(line, samples.count) else {
            return makeStrip(line, samples, &gain, &sides, count)
        }
        if let out = out(line.pointee.strip, pre: false) { give(samples, &gain, &sides, to: out, count) }
        lay(
            samples, isLive ? .addsAndMeasures(scratch.levels) : .adds, envelope: &gain, sides: &sides,
            into: sum, count)
    }

    /// Where a strip's sound goes to several places, or fades on its way, or is looked at, it is made once.
    @_noLocks
    private mutating func makeStrip(
        _ line: UnsafeMutablePointer<Line>, _ samples: Channels, _ gain: inout GainBlock,
        _ sides: inout SideGains, _ count: Int
    ) {
        let (strip, block) = (line.pointee.strip, blocks(line).post())
        lay(
            samples, .replacesAndMeasures(scratch.levels), envelope: &gain, sides: &sides, into: block, count)
        if let tap = tap(line, preFader: false) {
            showBehind(line, tap, block, fades: fadesBehindTap(line) && !holdsBack(line), count)
        }
        if strip.pointee.limits() { limit(line, block, fades: false, count) }
        hold(line, block, isPre: false, count)
        let fade = fadeBehind(line, count)
        if present.side.isCrossing() {
            giveToMeasure(strip, block, count)
            if let out = out(strip, pre: false) { give(line, block, fade, to: out, count) }
        }
        leaveBehind(line, block, fade, count)
    }

    /// What is held back fades as it leaves: what has been given would be cut off where the mixer stands
    /// still.
    @_noLocks
    mutating func fadeBehind(_ line: UnsafeMutablePointer<Line>, _ count: Int) -> GainBlock {
        var fade = scratch.edge()
        if fadesBehindTap(line), holdsBack(line) {
            fade.multiply(by: playing(line).pointee.clips, of: count)
        }
        return fade
    }

    /// Whether something of a line is held back on its way.
    @_noLocks
    func holdsBack(_ line: UnsafeMutablePointer<Line>) -> Bool {
        line.pointee.waits != nil || line.pointee.strip.pointee.limits()
    }

    /// Limits what a strip has made, in its place; what comes of that is measured.
    /// - Parameter fades: it fades as it leaves.
    @_noLocks
    mutating func limit(_ line: UnsafeMutablePointer<Line>, _ block: Channels, fades: Bool, _ count: Int) {
        guard let bank = line.pointee.strip.pointee.processors else { return }
        // One that goes stays on its way.
        if !line.pointee.gate.isPast() {
            bank.pointee.beginLimiter(playthrough(of: line), goesApart: goesApart(line))
        }
        bank.pointee.limit(
            block, blocks(line).late(), isBefore: remembersBefore(line), at: clock, count)
        measureAnew(line, block, fades: fades, count)
    }

    /// Measures what something has made of a strip's sound, in place of that.
    @_noLocks
    mutating func measureAnew(
        _ line: UnsafeMutablePointer<Line>, _ block: Channels, fades: Bool, _ count: Int
    ) {
        var sides = scratch.sides()
        if fades { sides.multiply(by: playing(line).pointee.clips, block.count, of: count) }
        for channel in 0..<block.count { scratch.levels[channel] = Level() }
        scale(block, by: &sides, scratch.levels, count)
    }

    /// What a strip has made goes where it is measured; where there is no room it does not, unless there is
    /// time to wait for it.
    @_noLocks
    func giveToMeasure(_ strip: UnsafeMutablePointer<LiveStrip>, _ block: Channels, _ count: Int) {
        guard let ring = strip.pointee.measured else { return }
        if isPatient, ring.room() < count { waitForMeasurement(ring, count) }
        if ring.room() >= count { ring.put(block, count) }
    }

    /// Shows a tap what a strip has made; what that makes of it is measured in its place.
    @_noLocks
    private mutating func showBehind(
        _ line: UnsafeMutablePointer<Line>, _ tap: UnsafeMutablePointer<TapCell>, _ block: Channels,
        fades: Bool, _ count: Int
    ) {
        tap.pointee.call(block, scratch.part().values, count)
        measureAnew(line, block, fades: fades, count)
    }

    /// All that hands do to a strip, on the way from the balance that the timeline gave it before.
    @_noLocks
    mutating func multiplyStrip(_ line: UnsafeMutablePointer<Line>, _ sides: inout SideGains, _ count: Int) {
        let strip = line.pointee.strip
        let pan = sound(line).pointee.pan()
        strip.pointee.gains(&sides, pan, at: clock, moment(line).pointee.playhead, count)
        guard let past = before(line), case let panBefore = past.pointee.pan(), pan != nil || panBefore != nil
        else { return }
        var sidesBefore = scratch.sidesBefore()
        strip.pointee.gains(
            &sidesBefore, panBefore, at: clock, momentBefore(past).pointee.playhead, count)
        sides.cross(from: &sidesBefore, scratch.shares, strip.pointee.channels, count)
    }
}
