import Realtime
import Synchronization

/// All that a strip's sound goes through behind its trim, in this order: gate, equaliser, compressor, delay;
/// and last of all, behind its balance, the limiter. Audio thread only; wait-free.
///
/// What they remember is of one playthrough: a locate, and playing that begins anew where nothing was
/// heard, begin it anew (`follow`). While playing goes elsewhere the sound from before goes on with what was
/// remembered of it.
package struct ProcessorBank {
    private var gate: DynamicsUnit
    private var equaliser: EqualiserBank
    private var compressor: DynamicsUnit
    private var delay = DelayUnit()
    private var limiter = LimiterUnit()
    private let shared: UnsafeMutablePointer<Shared>
    /// What gate and compressor work in.
    private let room: UnsafeMutablePointer<Double>
    /// Something has gone through it since it was settled last.
    private var hasRun = false
    private var memory = PlaythroughMemory()
    /// Until then, on the mixer's clock, the sound may be yet to begin, in this playthrough and in the
    /// one before: a line that is late is silent at first.
    private var begins = (now: Int64.min, before: Int64.min)

    /// Which of those that set the gain by levels.
    package enum Unit: CaseIterable, Sendable { case gate, compressor }

    /// What other threads read: how far each lowers at present, in dB, as the bits of a Float; and whether
    /// the delay holds anything back.
    struct Shared: ~Copyable {
        let gate = Atomic<UInt32>(0)
        let compressor = Atomic<UInt32>(0)
        let delays = Atomic<Bool>(false)
        /// What the limiter multiplies by.
        let limiter = Atomic<UInt32>(Float(1).bitPattern)
    }

    init(channels: Int, shared: UnsafeMutablePointer<Shared>) {
        (equaliser, self.shared) = (EqualiserBank(channels: channels), shared)
        room = LockedMemory.allocate(Double.self, DynamicsUnit.chunk())
        (gate, compressor) = (DynamicsUnit(room), DynamicsUnit(room))
    }

    func deallocate() {
        equaliser.deallocate()
        LockedMemory.free(room, DynamicsUnit.chunk())
    }

    /// Whether it changes anything.
    @_noLocks
    mutating func isActive() -> Bool {
        gate.isThere() || compressor.isThere() || delay.isActive() || equaliser.isActive()
            || limiter.isActive()
    }

    /// Whether it holds something back by its delay.
    @_noLocks
    mutating func delays() -> Bool { delay.isActive() }

    /// Whether the limiter is, or what is heard may still be late by it.
    @_noLocks
    mutating func limits() -> Bool { limiter.isActive() }

    /// By how many frames its limiter holds back what passes.
    @_noLocks
    mutating func limiterLatency() -> Int { limiter.latency() }

    /// Begins to remember anew, if what it remembers is of another playthrough.
    @_noLocks
    mutating func follow(_ next: LinePlaythrough, at clock: Int64) {
        let turn = memory.advance(to: next.playthrough, hearsInputs: next.hearsInputs)
        switch turn {
        case .onward: break
        case .elsewhere(let isLive):
            reset()
            begins = (clock + next.lag, begins.now)
            // A live sound would have a gap as long as its delay.
            if !isLive { delay.reset() }
        case .beginning:
            // What was played before has only just begun, too.
            for _ in 0..<2 {
                reset()
                delay.reset()
            }
            begins = (clock + next.lag, clock + next.lag)
        }
    }

    /// Has gate and compressor remember anew where the sound begins that may be yet to: at its first sample,
    /// or where it may begin no later. They do not close for the silence ahead of it.
    @_noLocks
    private mutating func beginBlock(_ block: Channels, isBefore: Bool, at clock: Int64, _ count: Int) {
        (gate.beginning, compressor.beginning) = (.max, .max)
        let end = isBefore ? begins.before : begins.now
        if end <= clock { return }
        let silence = block.silence(Int(min(end - clock, Int64(count))))
        // It goes on in the next block.
        if silence == count, end - clock > Int64(count) { return }
        (gate.beginning, compressor.beginning) = (silence, silence)
        if isBefore { begins.before = .min } else { begins.now = .min }
    }

    @_noLocks
    private mutating func reset() {
        gate.reset()
        equaliser.reset()
        compressor.reset()
    }

    /// Moves a section of the equaliser as the order says, unless another overrules it.
    @_noLocks
    func obey(
        _ section: Int, _ next: FilterCoefficients?, over frames: Int64, _ order: NumberedOrder,
        at clock: Int64
    ) {
        equaliser.obey(section, next, over: frames, order, at: clock)
    }

    /// Moves the gate or the compressor as the order says, unless another overrules it.
    @_noLocks
    mutating func obey(
        _ unit: Unit, _ next: DynamicsSetting?, over frames: Int64, _ order: NumberedOrder, at clock: Int64
    ) {
        switch unit {
        case .gate: gate.obey(next, over: frames, order, at: clock)
        case .compressor: compressor.obey(next, over: frames, order, at: clock)
        }
    }

    /// Sets the delay as the order says, unless another overrules it.
    @_noLocks
    mutating func obey(
        _ next: Int64, in lines: DelayLines, over frames: Int64, _ order: NumberedOrder, at clock: Int64
    ) {
        delay.obey(next, in: lines, over: frames, order, at: clock)
    }

    /// Sets the limiter as the order says, unless another overrules it.
    @_noLocks
    mutating func obey(
        _ next: LimiterSetting?, in room: LimiterRoom, over frames: Int64, _ order: NumberedOrder,
        at clock: Int64
    ) {
        limiter.obey(next, in: room, over: frames, order, at: clock)
    }

    /// Before `limit`: begins the limiter anew, if what it remembers is of another playthrough.
    @_noLocks
    mutating func beginLimiter(_ playthrough: LinePlaythrough, goesApart: Bool) {
        limiter.follow(playthrough, goesApart: goesApart)
    }

    /// Limits a block that begins at `clock`, in its place.
    /// - Parameter dry: room for as much.
    @_noLocks
    mutating func limit(_ block: Channels, _ dry: Channels, isBefore: Bool, at clock: Int64, _ count: Int) {
        limiter.process(block, dry, isBefore: isBefore, at: clock, count)
    }

    /// Works on a block that begins at `clock`, in its place: all but the delay and the limiter.
    /// - Parameters:
    ///   - keys: the levels that gate and compressor go by.
    ///   - lanes: what the timeline says in place of what hands have set.
    ///   - isBefore: it is what was played before, while that is crossed over from.
    @_noLocks
    mutating func process(
        _ block: Channels, _ keys: KeySide, _ lanes: LaneView, isBefore: Bool, at clock: Int64, _ count: Int
    ) {
        hasRun = true
        beginBlock(block, isBefore: isBefore, at: clock, count)
        gate.process(block, lanes, key: keys.gate, isBefore: isBefore, at: clock, count)
        if equaliser.isActive() || !lanes.isEmpty() {
            equaliser.process(block, lanes, isBefore: isBefore, at: clock, count)
        }
        compressor.process(block, lanes, key: keys.compressor, isBefore: isBefore, at: clock, count)
    }

    /// The last of them, by itself.
    @_noLocks
    mutating func delay(_ block: Channels, isBefore: Bool, at clock: Int64, _ count: Int) {
        delay.process(block, isBefore: isBefore, at: clock, count)
    }

    /// Lets go of what has closed, and tells how far each lowers.
    @_noLocks
    mutating func settle(at clock: Int64) {
        gate.settle(at: clock)
        equaliser.settle(at: clock)
        compressor.settle(at: clock)
        delay.settle(at: clock)
        limiter.settle(at: clock)
        shared.pointee.delays.store(delay.isActive(), ordering: .releasing)
        // What hears nothing lowers nothing.
        shared.pointee.gate.store(hasRun ? Float(gate.reduction()).bitPattern : 0, ordering: .relaxed)
        shared.pointee.compressor.store(
            hasRun ? Float(compressor.reduction()).bitPattern : 0, ordering: .relaxed)
        shared.pointee.limiter.store((hasRun ? limiter.gain() : 1).bitPattern, ordering: .relaxed)
        hasRun = false
    }
}

/// What processors remember, noted where a recording begins, and recalled where that is rendered again.
extension ProcessorBank {
    /// Notes what it remembers of what is played, before the block that begins at `clock`, and begins to
    /// remember anew before that, if that is of another playthrough. Audio thread only; wait-free.
    /// - Parameter goesApart: as for `beginLimiter`.
    @_noLocks
    mutating func note(
        in log: MemoryLog, _ note: MemoryNote, _ playthrough: LinePlaythrough, goesApart: Bool,
        at clock: Int64
    ) {
        follow(playthrough, at: clock)
        limiter.follow(playthrough, goesApart: goesApart)
        var page = log.page()
        if gate.isThere() {
            gate.pass(&page)
            log.put(page, of: note, MemoryPlace(.gate))
        }
        if equaliser.isThere() {
            page = log.page()
            equaliser.pass(&page, at: clock)
            log.put(page, of: note, MemoryPlace(.equaliser))
        }
        if compressor.isThere() {
            page = log.page()
            compressor.pass(&page)
            log.put(page, of: note, MemoryPlace(.compressor))
        }
        if delay.isActive() { delay.note(in: log, note) }
        if !limiter.isActive() { return }
        page = log.page()
        limiter.pass(&page)
        log.put(page, of: note, MemoryPlace(.limiter))
    }

    /// Remembers what was noted, and nothing else, in this playthrough. For who mixes offline.
    mutating func recall(_ recall: LineRecall, _ playthrough: LinePlaythrough, at clock: Int64) {
        reset()
        begins = (.min, .min)
        memory.enter(playthrough.playthrough, hearsInputs: playthrough.hearsInputs)
        limiter.forget(playthrough)
        recall.read(MemoryPlace(.gate)) { gate.pass(&$0) }
        recall.read(MemoryPlace(.equaliser)) { equaliser.pass(&$0, at: clock) }
        recall.read(MemoryPlace(.compressor)) { compressor.pass(&$0) }
        delay.recall(recall)
        recall.read(MemoryPlace(.limiter)) { limiter.pass(&$0) }
    }
}
