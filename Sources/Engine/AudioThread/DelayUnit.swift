import Realtime

/// A strip's delay: what it hears is heard so many frames later. Audio thread only; wait-free.
struct DelayUnit {
    private var lines: DelayLines?
    private var memory = DelayMemory()
    private var memoryBefore = DelayMemory()
    /// The ring of what is played is the second of the two.
    private var isSwapped = false
    /// As it is behind the last block, and before it: what was played before goes through the same.
    private var change = DelayChange()
    private var changeBefore = DelayChange()
    private var newest = Newest()
    /// What it held is being noted.
    private var noting = RingNote()

    @_noLocks
    init() {}

    /// Whether it changes anything in this block, or is about to.
    @_noLocks
    func isActive() -> Bool { !(change.isNothing() && changeBefore.isNothing()) }

    /// Begins to remember anew; what it remembers goes on being that of what was played before.
    @_noLocks
    mutating func reset() {
        (memoryBefore, memory) = (memory, memory.fresh())
        (isSwapped, noting) = (!isSwapped, RingNote())
    }

    /// Crosses over to another delay, unless another order overrules this.
    @_noLocks
    mutating func obey(
        _ next: Int64, in lines: DelayLines, over frames: Int64, _ order: NumberedOrder, at clock: Int64
    ) {
        if !newest.admits(order) { return }
        if change.isNothing() {
            // What came before that is not remembered: it must not begin with a step.
            let rise = min(frames, lines.rise)
            (memory, memoryBefore) = (DelayMemory(rise: rise), DelayMemory(rise: rise))
            noting = RingNote()
        }
        self.lines = lines
        change.cross(to: next, over: frames, at: clock)
        // In all of the block that begins behind this there is a delay, or there is none.
        settle(at: clock)
    }

    /// Notes what is over: between two blocks, for what a block has begun to go through it goes through to
    /// its end.
    @_noLocks
    mutating func settle(at clock: Int64) {
        change.go(on: clock)
        changeBefore = change
    }

    /// Notes from now on what it holds back.
    @_noLocks
    mutating func note(in log: MemoryLog, _ note: MemoryNote) {
        let held = min(memory.heard, change.longest())
        // That it holds nothing is noted too.
        if held == 0 { log.put(log.page(), of: note, MemoryPlace(.delay)) }
        noting = RingNote(
            log, note, .delay, from: memory.heard - held, to: memory.heard)
    }

    /// Holds back what was noted, and nothing else. For who mixes offline.
    mutating func recall(_ recall: LineRecall) {
        (memory, noting) = (DelayMemory(), RingNote())
        guard let lines else { return }
        let held = recall.lay(.delay, into: rings(lines, isBefore: false), lines.frames)
        memory.advance(Int(held))
    }

    @_noLocks
    private func rings(_ lines: DelayLines, isBefore: Bool) -> Channels {
        Channels(
            isBefore != isSwapped ? lines.past : lines.present, stride: lines.frames, count: lines.channels)
    }

    /// Delays a block that begins at `clock`, in its place.
    /// - Parameter isBefore: it is what was played before, while that is crossed over from: behind what is
    ///   played.
    @_noLocks
    mutating func process(_ block: Channels, isBefore: Bool, at clock: Int64, _ count: Int) {
        // Where it is over it goes on till it settles: one part of a block does not end it for the next.
        if !isBefore, !change.isNothing() { changeBefore = change }
        guard let lines, !changeBefore.isNothing() else { return }
        let rings = rings(lines, isBefore: isBefore)
        if !isBefore, noting.isUnderWay() { noting.goOn(rings, lines.frames, count) }
        let memory = isBefore ? memoryBefore : memory
        var change = changeBefore
        for i in 0..<count {
            change.go(on: clock + Int64(i))
            let share = change.share(at: clock + Int64(i))
            for channel in 0..<block.count {
                let (ring, samples) = (rings.channel(channel), block.channel(channel))
                let present = samples[i]
                ring[memory.place(i, lines.frames)] = memory.risen(present, i)
                var sample = memory.sample(i, present, before: change.frames, ring, lines.frames)
                if share > 0 {
                    let old = memory.sample(i, present, before: change.origin, ring, lines.frames)
                    sample += (old - sample) * share
                }
                samples[i] = sample
            }
        }
        self.change = change
        if isBefore { memoryBefore.advance(count) } else { self.memory.advance(count) }
    }
}

/// A delay on its way from one length to another: it crosses over, and what is asked meanwhile waits for the
/// end of that. Audio thread only.
private struct DelayChange {
    private(set) var frames: Int64 = 0
    /// While it crosses over: from which delay, since when on the mixer's clock, and how long.
    private(set) var origin: Int64 = 0
    private var start: Int64 = 0
    private var length: Int64 = 0
    private var wanted: Int64 = 0
    private var wantedLength: Int64 = 0

    @_noLocks
    init() {}

    @_noLocks
    func isNothing() -> Bool { frames == 0 && length == 0 && wanted == 0 }

    /// How far back anything of it may be asked for.
    @_noLocks
    func longest() -> Int64 { max(max(frames, origin), wanted) }

    @_noLocks
    mutating func cross(to frames: Int64, over length: Int64, at clock: Int64) {
        go(on: clock)
        (wanted, wantedLength) = (frames, length)
        if self.length == 0 { begin(at: clock) }
    }

    /// Begins what waits, at the frame where what was crossed over is over, however late that is looked at.
    @_noLocks
    mutating func go(on clock: Int64) {
        while length > 0, clock >= start + length {
            let end = start + length
            length = 0
            begin(at: end)
        }
    }

    @_noLocks
    private mutating func begin(at clock: Int64) {
        if wanted != frames { (origin, frames, start, length) = (frames, wanted, clock, wantedLength) }
    }

    /// How much of where it comes from is heard.
    @_noLocks
    func share(at clock: Int64) -> Float { length == 0 ? 0 : Float(length - (clock - start)) / Float(length) }
}

/// How far a delay has come in its ring. Audio thread only.
private struct DelayMemory {
    /// Frames that it has heard since it began.
    private(set) var heard: Int64 = 0
    /// Over how many of them it rose to full level.
    private let rise: Int64

    @_noLocks
    init(rise: Int64 = 0) { self.rise = rise }

    /// One that begins elsewhere; where nothing has been heard yet, in the same way.
    @_noLocks
    func fresh() -> DelayMemory { DelayMemory(rise: heard == 0 ? rise : 0) }

    @_noLocks
    mutating func advance(_ count: Int) { heard += Int64(count) }

    /// Where the `frame`th of the present block lies in a ring.
    @_noLocks
    func place(_ frame: Int, _ frames: Int) -> Int { Int(heard + Int64(frame)) & (frames - 1) }

    /// How the `frame`th of the present block is remembered.
    @_noLocks
    func risen(_ sample: Float, _ frame: Int) -> Float {
        let place = heard + Int64(frame)
        return place < rise ? sample * (Float(place) / Float(rise)) : sample
    }

    /// What was heard so many frames before that, or is heard now; silence from before it began.
    @_noLocks
    func sample(
        _ frame: Int, _ present: Float, before delay: Int64, _ ring: UnsafePointer<Float>, _ frames: Int
    ) -> Float {
        if delay == 0 { return present }
        return delay > heard + Int64(frame) ? 0 : ring[Int(heard + Int64(frame) - delay) & (frames - 1)]
    }
}
