import Realtime

/// What a duck by signal remembers, and its gains in the present block. The formula stands at `Duck`. Audio
/// thread only; wait-free.
struct DuckMemory {
    /// Of what is played, and of what was played before, while that is crossed over from.
    private var state = DuckState()
    private var stateBefore = DuckState()
    private(set) var gain: GainBlock
    private(set) var gainBefore: GainBlock
    private var memory = PlaythroughMemory()
    /// What was played before has a state of its own: it began anew at the last locate.
    private(set) var isElsewhere = false
    /// Behind the frames that it has been asked for: one that was away begins anew.
    private var end: Int64 = .min

    init() {
        gain = GainBlock(scratch: LockedMemory.allocate(Float.self, Block.frames()))
        gainBefore = GainBlock(scratch: LockedMemory.allocate(Float.self, Block.frames()))
    }

    func deallocate() {
        LockedMemory.free(gain.values, Block.frames())
        LockedMemory.free(gainBefore.values, Block.frames())
    }

    /// Begins anew where another playthrough begins; what was remembered goes on being that of what was
    /// played before.
    /// - Parameter isLive: it goes by what comes in by ports, which goes on wherever playing goes.
    @_noLocks
    mutating func follow(_ playthrough: Playthrough, isLive: Bool) {
        switch memory.advance(to: playthrough, hearsInputs: isLive) {
        case .onward: break
        case .elsewhere(let goesOn):
            isElsewhere = !goesOn
            if !goesOn { (stateBefore, state) = (state, DuckState()) }
        case .beginning: (isElsewhere, stateBefore, state) = (true, DuckState(), DuckState())
        }
    }

    @_noLocks
    mutating func pass(_ page: inout MemoryPage) { state.pass(&page) }

    /// Begins anew, in this playthrough. For who mixes offline.
    mutating func forget(_ playthrough: Playthrough, isLive: Bool, at clock: Int64) {
        memory.enter(playthrough, hearsInputs: isLive)
        (isElsewhere, state, end) = (false, DuckState(), clock)
    }

    /// Works out the gains of a block.
    /// - Parameters:
    ///   - goes: what it lowers goes, and hears what was played before alone.
    ///   - crosses: also of what was played before.
    @_noLocks
    mutating func advance(
        _ duck: SignalDuck, _ levels: KeyLevels, goes: Bool, crosses: Bool, at clock: Int64, _ count: Int
    ) {
        if clock != end { (stateBefore, state) = (DuckState(), DuckState()) }
        end = clock + Int64(count)
        state.advance(duck, goes ? levels.past : levels.present, &gain, count)
        if crosses, isElsewhere { stateBefore.advance(duck, levels.past, &gainBefore, count) }
    }
}

/// Where a duck by signal stands. Audio thread only.
private struct DuckState {
    private var gain = 1.0
    /// For how many frames it has heard nothing that opens it; nil: it is closed.
    private var quiet: Int64?

    @_noLocks
    init() {}

    @_noLocks
    mutating func pass(_ page: inout MemoryPage) {
        page.pass(&gain, atLeast: 0, atMost: 1)
        page.pass(&quiet)
    }

    @_noLocks
    mutating func advance(
        _ duck: SignalDuck, _ levels: UnsafePointer<Float>, _ gains: inout GainBlock, _ count: Int
    ) {
        gains = GainBlock(scratch: gains.values)
        for i in 0..<count {
            if Double(levels[i]) >= duck.threshold {
                quiet = 0
            } else if let frames = quiet {
                quiet = frames + 1 > duck.hold ? nil : frames + 1
            }
            let (goal, step) = quiet == nil ? (1, duck.up) : (duck.to, duck.down)
            if gain != goal {
                let distance = goal - gain
                gain = abs(distance) <= step ? goal : gain + (distance > 0 ? step : -step)
            }
            gains.set(gain, at: i, of: count)
        }
    }
}
