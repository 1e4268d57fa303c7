import CVector
import Realtime

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler
// checks it.

extension MixerState {
    /// One line: its source, what leaves it before its gains, what the timeline says of it, and its strip.
    /// Each line is mixed once in a block, whatever it was before, unless both are mixed apart (`mixApart`).
    ///
    /// While a plan gives way to another, each thing that differs goes from what it was to what it is by
    /// itself: the clips, the trim, the volume, the balance, each edge.
    ///
    /// `mixPlain` repeats these steps for lines that need no others (`isPlain`).
    @_noLocks
    mutating func mix(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        if isPlain(line) { return mixPlain(line, count) }
        listen(line, count)
        holdInput(line, count)
        if !isPresent(line) { return }
        if goesApart(line) { return mixApart(line, count) }
        if isWorkedOn(line) { return mixProcessed(line, count) }
        var gain = scratch.line()
        guard let samples = source(line, &gain, count) ?? silenceForTap(line, count) else { return }
        trim(line, &gain, count)
        goOn(line, samples, &gain, count)
    }

    /// What a line's sound does behind its trim and its processors.
    @_noLocks
    mutating func goOn(
        _ line: UnsafeMutablePointer<Line>, _ source: Channels, _ gain: inout GainBlock, _ count: Int
    ) {
        leaveBefore(line, source, gain, count)
        goOnBehind(line, source, &gain, count)
    }

    /// What it does behind the sends that leave before its gains.
    @_noLocks
    mutating func goOnBehind(
        _ line: UnsafeMutablePointer<Line>, _ source: Channels, _ gain: inout GainBlock, _ count: Int
    ) {
        var samples = source
        multiplyVolume(line, &gain, count)
        if let tap = tap(line, preFader: true) {
            // In a place of its own: the samples may lie in the ring.
            let block = blocks(line).pre()
            apply(&gain, to: block, from: samples, count)
            tap.pointee.call(block, scratch.part().values, count)
            (samples, gain) = (block, scratch.line())
        }
        mixStrip(line, samples, &gain, count)
    }

    // MARK: - What is crossed over

    /// Whether what a line was, and its edges that come and go, are heard in this block.
    @_noLocks
    mutating func crosses(_ line: UnsafeMutablePointer<Line>) -> Bool {
        if crossfade == nil { return false }
        return !playing(line).pointee.isOfInputs || line.pointee.hearsInputs
    }

    /// What a line was, where what it is is on its way from that.
    @_noLocks
    mutating func before(_ line: UnsafeMutablePointer<Line>) -> UnsafeMutablePointer<LineSound>? {
        guard let before = line.pointee.before, present.side.isCrossing(), crosses(line) else { return nil }
        return before
    }

    /// What of a line is mixed: what it is, or what it was.
    @_noLocks
    mutating func sound(_ line: UnsafeMutablePointer<Line>) -> UnsafeMutablePointer<LineSound> {
        if wasOther(line), let before = line.pointee.before { return before }
        return line.sound()
    }

    /// Whether what a line was is mixed at present, by itself.
    @_noLocks
    mutating func wasOther(_ line: UnsafeMutablePointer<Line>) -> Bool {
        present.side.isPast() && crosses(line)
    }

    /// The places of its samples, of what it is, or of what it was.
    @_noLocks
    func blocks(_ line: UnsafeMutablePointer<Line>) -> LineBlocks {
        present.side.isPast() ? line.pointee.blocks.ofPast() : line.pointee.blocks
    }

    /// Not one that has gone, and was silent before.
    @_noLocks
    mutating func isPresent(_ line: UnsafeMutablePointer<Line>) -> Bool {
        !line.pointee.gate.isPast() || crosses(line)
    }

    /// How playing goes, as a line sees it.
    @_noLocks
    mutating func playing(_ line: UnsafeMutablePointer<Line>) -> UnsafeMutablePointer<Playing> {
        players.playing(line)
    }

    /// The moment that a line is read at: one that goes stays in its own.
    @_noLocks
    mutating func moment(_ line: UnsafeMutablePointer<Line>) -> UnsafeMutablePointer<Moment> {
        if line.pointee.gate.isPast() { return momentBefore(line.sound()) }
        // One that is as it was says by the numbers of the present plan where it is read, and its DCAs.
        if wasOther(line), let before = line.pointee.before { return momentBefore(before) }
        return moment(line.sound())
    }

    /// The moment that a sound of the present plan is read at.
    @_noLocks
    mutating func moment(_ sound: UnsafeMutablePointer<LineSound>) -> UnsafeMutablePointer<Moment> {
        players[sound.pointee.player].pointee.course.pointee.moments + sound.pointee.moment
    }

    /// The moment that a sound of the plan before is read at. A line that is as it was says by its number in
    /// the present plan, which that one need not have, and the timeline says nothing of it.
    @_noLocks
    mutating func momentBefore(_ sound: UnsafeMutablePointer<LineSound>) -> UnsafeMutablePointer<Moment> {
        players[sound.pointee.player].pointee.courseBefore.pointee.moment(sound.pointee.moment)
    }

    // MARK: - Sources

    /// What a line makes its sound of: its clips and what comes in by its ports, or what has been added up
    /// for it; nil for silence.
    @_noLocks
    mutating func source(
        _ line: UnsafeMutablePointer<Line>, _ gain: inout GainBlock, _ count: Int
    ) -> Channels? {
        if let sum = sum(line) { return sum }
        let clips = clips(line, &gain, count)
        // Most lines, most of the time: clips alone, as they are.
        let past = before(line)
        if case .never = line.pointee.sound.input, past == nil {
            if playing(line).pointee.fadesClips, !fadesBehindTap(line) {
                gain.multiply(by: playing(line).pointee.clips, of: count)
            }
            return clips
        }
        if !fadesBehindTap(line) { gain.multiply(by: playing(line).pointee.clips, of: count) }
        var share = shareOfInput(of: line, &line.pointee.sound, count)
        if let past {
            var shareBefore = scratch.inputBefore()
            multiply(&shareBefore, byShareOfInputOf: past.pointee, of: line, count)
            share.cross(from: &shareBefore, scratch.shares, count)
        }
        return join(line, clips, &gain, share, blocks(line).source(), count)
    }

    /// What has been added up for a bus or the master; nil for a track.
    @_noLocks
    mutating func sum(_ line: UnsafeMutablePointer<Line>) -> Channels? {
        if line == present.graph.pointee.master() { return sum(0) }
        guard let edges = line.pointee.edges, edges.pointee.source > 0 else { return nil }
        return sum(edges.pointee.source)
    }

    /// What a track's clips are, if they are played, on their way from what they were.
    @_noLocks
    private mutating func clips(
        _ line: UnsafeMutablePointer<Line>, _ gain: inout GainBlock, _ count: Int
    ) -> Channels? {
        if !playing(line).pointee.playsClips { return nil }
        let blocks = blocks(line)
        let isPast = line.pointee.gate.isPast()
        let wasSilent = crossfade == nil || playing(line).pointee.isOfInputs
        // What was silent before is not crossed over from.
        if isPast, wasSilent { return nil }
        let new = fetch(&line.pointee.sound, isBefore: isPast, count, blocks.source(), &gain)
        guard !isPast, !wasSilent, let past = line.pointee.before,
            past.pointee.stream != line.pointee.sound.stream
        else { return new }
        var gainBefore = scratch.sourceBefore()
        let old = fetch(past, isBefore: true, count, blocks.before(), &gainBefore)
        guard let new, let old else {
            if old != nil { gain.copy(gainBefore, count) }
            gain.multiply(by: old == nil ? present.opening : present.closing, of: count)
            return new ?? old
        }
        cross(
            GainedChannels(new, gain), from: GainedChannels(old, gainBefore), scratch.shares,
            into: blocks.source(), count)
        gain = scratch.line()
        return blocks.source()
    }

    /// How far what comes in for a line is heard in one of its sounds.
    @_noLocks
    mutating func shareOfInput(
        of line: UnsafeMutablePointer<Line>, _ sound: UnsafeMutablePointer<LineSound>, _ count: Int
    ) -> GainBlock {
        var share = scratch.input()
        multiply(&share, byShareOfInputOf: sound.pointee, of: line, count)
        return share
    }

    /// A track's clips and what comes in by its ports, each as far as it is heard.
    /// - Parameters:
    ///   - gain: of the clips; then of what is returned.
    ///   - share: how far what comes in is heard.
    @_noLocks
    mutating func join(
        _ line: UnsafeMutablePointer<Line>, _ clips: Channels?, _ gain: inout GainBlock, _ share: GainBlock,
        _ block: Channels, _ count: Int
    ) -> Channels? {
        guard !share.isSilent(), let input = input(line, count) else { return clips }
        guard let clips else {
            gain = scratch.line()
            gain.multiply(by: share, of: count)
            return input
        }
        apply(&gain, to: block, from: clips, count)
        var (share, sides) = (share, scratch.sides())
        lay(input, .adds, envelope: &share, sides: &sides, into: block, count)
        gain = scratch.line()
        return block
    }

    /// Gives what comes in for a line to what holds it back, whether it is heard or not.
    @_noLocks
    mutating func holdInput(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        guard let waits = line.pointee.waits else { return }
        holdInput(line, by: waits.pointee.input, count)
        holdInput(line, by: waits.pointee.inputBefore, count)
    }

    @_noLocks
    private mutating func holdInput(
        _ line: UnsafeMutablePointer<Line>, by ring: UnsafeMutablePointer<SideRings>?, _ count: Int
    ) {
        guard let ring else { return }
        ring.pointee.follow(playing(line).pointee.playthrough, hearsInputs: true, goesApart: false)
        if let input = input(line.pointee.strip) { return ring.pointee.take(input, isBefore: false, count) }
        let silence = blocks(line).late()
        silence.clear(count)
        ring.pointee.take(silence, isBefore: false, count)
    }

    /// What comes in for a line, as late as it is to be, on the way from as late as it was.
    @_noLocks
    private mutating func input(_ line: UnsafeMutablePointer<Line>, _ count: Int) -> Channels? {
        guard let waits = line.pointee.waits else { return input(line.pointee.strip) }
        let (now, before) = (waits.pointee.input, waits.pointee.inputBefore ?? waits.pointee.input)
        let late = blocks(line).late()
        if wasOther(line) || line.pointee.gate.isPast() {
            layInput(line, from: before, sound(line).pointee.inputWait, into: late, count)
            return late
        }
        let past = self.before(line)
        if past == nil, now == nil { return input(line.pointee.strip) }
        layInput(line, from: now, line.pointee.sound.inputWait, into: late, count)
        guard let past,
            past.pointee.inputWait != line.pointee.sound.inputWait || waits.pointee.inputBefore != nil
        else { return late }
        let old = blocks(line).post()
        layInput(line, from: before, past.pointee.inputWait, into: old, count)
        cross(
            GainedChannels(late, scratch.said()), from: GainedChannels(old, scratch.saidBefore()),
            scratch.shares, into: late, count)
        return late
    }

    /// What comes in for a line so much later.
    @_noLocks
    private mutating func layInput(
        _ line: UnsafeMutablePointer<Line>, from ring: UnsafeMutablePointer<SideRings>?, _ wait: Int,
        into block: Channels, _ count: Int
    ) {
        if wait > 0, let ring { return ring.pointee.lay(wait, isBefore: false, into: block, count) }
        if let input = input(line.pointee.strip) { block.copy(input, count) } else { block.clear(count) }
    }

    /// How much is heard of what comes in for a line.
    @_noLocks
    private mutating func multiply(
        _ share: inout GainBlock, byShareOfInputOf sound: LineSound, of line: UnsafeMutablePointer<Line>,
        _ count: Int
    ) {
        switch sound.input {
        case .never: share.multiply(by: 0, from: 0, to: count, of: count)
        case .always: break
        case .atStandstill: share.multiply(by: playing(line).pointee.standstill, of: count)
        }
    }

    /// A track without samples is silent, and of no interest but to a tap, while it plays.
    @_noLocks
    mutating func silenceForTap(_ line: UnsafeMutablePointer<Line>, _ count: Int) -> Channels? {
        if line.pointee.strip.pointee.tap == nil, !isProcessed(line), !holdsBack(line) { return nil }
        if case .never = line.pointee.sound.input, !playing(line).pointee.playsClips { return nil }
        let block = blocks(line).source()
        block.clear(count)
        return block
    }

    /// Whether a stop fades what a tap or a processor has made of a line's sound, and not what it is given:
    /// it may make a sound of its own, or sound on.
    @_noLocks
    mutating func fadesBehindTap(_ line: UnsafeMutablePointer<Line>) -> Bool {
        if !playing(line).pointee.fadesClips || line.pointee.hearsInputs { return false }
        return line.pointee.strip.pointee.tap != nil || isWorkedOn(line)
    }

    // MARK: - What the timeline and hands say before the strip

    @_noLocks
    mutating func trim(_ line: UnsafeMutablePointer<Line>, _ gain: inout GainBlock, _ count: Int) {
        line.pointee.strip.pointee.trim(&gain, at: clock, count)
        guard let past = before(line) else {
            let sound = sound(line)
            if sound.pointee.controls != nil {
                moment(line).pointee.multiply(&gain, byTrimOf: sound, count)
            }
            return
        }
        if line.pointee.sound.controls == nil, past.pointee.controls == nil { return }
        var (said, saidBefore) = (scratch.said(), scratch.saidBefore())
        moment(line).pointee.multiply(&said, byTrimOf: &line.pointee.sound, count)
        momentBefore(past).pointee.multiply(&saidBefore, byTrimOf: past, count)
        said.cross(from: &saidBefore, scratch.shares, count)
        gain.multiply(by: said, of: count)
    }

    /// What the timeline says of a line's volume, and its DCAs.
    @_noLocks
    mutating func multiplyVolume(_ line: UnsafeMutablePointer<Line>, _ gain: inout GainBlock, _ count: Int) {
        guard let past = before(line) else {
            moment(line).pointee.multiply(&gain, byVolumeOf: sound(line), count)
            if wasOther(line) {
                duckBefore(&gain, line, count)
                return multiplyShareBefore(&gain, line, count)
            }
            duck(&gain, line, count)
            return multiplyShare(&gain, line, count)
        }
        var (said, saidBefore) = (scratch.said(), scratch.saidBefore())
        moment(line).pointee.multiply(&said, byVolumeOf: &line.pointee.sound, count)
        duck(&said, line, count)
        multiplyShare(&said, line, count)
        momentBefore(past).pointee.multiply(&saidBefore, byVolumeOf: past, count)
        duckBefore(&saidBefore, line, count)
        multiplyShareBefore(&saidBefore, line, count)
        said.cross(from: &saidBefore, scratch.shares, count)
        gain.multiply(by: said, of: count)
    }
}
