import Realtime

/// What a member of an automix stands at, and its gains in the present block. The formula stands at
/// `Automix`. Audio thread only; wait-free.
struct ShareMemory {
    /// Its sound waits, in a place of its own, for the levels of all.
    var waits = false
    /// In this block what was played before has shares of its own.
    var wasOther = false
    /// Of what is played, and of what was played before, while that is crossed over from.
    private var state = 0.0
    private var stateBefore = 0.0
    private var memory = PlaythroughMemory()
    /// What was played before has a state of its own: it began anew at the last locate.
    private var isElsewhere = false
    /// In this block what was played before is elsewhere.
    private var crosses = false
    /// Behind the frames that it has been asked for: one that was away begins anew.
    private var end: Int64 = .min
    /// It stands at the floor all through the block: at this, times the gate of its strip.
    private var isFlat = false
    private var flat = 0.0
    /// Else what it stands at in each frame, times that gate.
    private let levels: UnsafeMutablePointer<Double>
    private let levelsBefore: UnsafeMutablePointer<Double>
    /// At the end of the last block.
    private(set) var last: Float = 0
    private(set) var gain: GainBlock
    private(set) var gainBefore: GainBlock

    /// Below this nobody is heard: 10^-6.
    @_noLocks
    private static func floor() -> Double { 1e-6 }

    init() {
        levels = LockedMemory.allocate(Double.self, Block.frames())
        levelsBefore = LockedMemory.allocate(Double.self, Block.frames())
        gain = GainBlock(scratch: LockedMemory.allocate(Float.self, Block.frames()))
        gainBefore = GainBlock(scratch: LockedMemory.allocate(Float.self, Block.frames()))
    }

    func deallocate() {
        LockedMemory.free(levels, Block.frames())
        LockedMemory.free(levelsBefore, Block.frames())
        LockedMemory.free(gain.values, Block.frames())
        LockedMemory.free(gainBefore.values, Block.frames())
    }

    /// Begins anew where another playthrough begins; what it stood at goes on being that of what was
    /// played before.
    @_noLocks
    mutating func follow(_ next: LinePlaythrough) {
        switch memory.advance(to: next.playthrough, hearsInputs: next.hearsInputs) {
        case .onward: break
        case .elsewhere(let goesOn):
            isElsewhere = !goesOn
            if !goesOn { (stateBefore, state) = (state, 0) }
        case .beginning: (isElsewhere, stateBefore, state) = (true, 0, 0)
        }
    }

    @_noLocks
    mutating func pass(_ page: inout MemoryPage) { page.pass(&state, atLeast: 0, atMost: 1e30) }

    /// Begins anew, in this playthrough. For who mixes offline.
    mutating func forget(_ next: LinePlaythrough, at clock: Int64) {
        memory.enter(next.playthrough, hearsInputs: next.hearsInputs)
        (isElsewhere, state, end) = (false, 0, clock)
    }

    /// Follows the levels of a block, which begins at `clock`.
    /// - Parameters:
    ///   - gate: how far its strip is heard.
    ///   - crosses: also those of what was played before, elsewhere.
    @_noLocks
    mutating func follow(
        _ key: KeyLevels, _ pace: SharePace, _ gate: GainBlock, crosses: Bool, at clock: Int64, _ count: Int
    ) {
        if clock != end { (stateBefore, state) = (0, 0) }
        (end, self.crosses) = (clock + Int64(count), crosses && isElsewhere)
        // Who has long been silent stands at the floor.
        isFlat = !waits && state == 0 && !self.crosses && !gate.varies
        if isFlat {
            flat = Self.floor() * Double(gate.constant)
            return
        }
        Self.follow(key.present, pace, gate, &state, levels, count)
        if self.crosses { Self.follow(key.past, pace, gate, &stateBefore, levelsBefore, count) }
    }

    @_noLocks
    private static func follow(
        _ key: UnsafePointer<Float>, _ pace: SharePace, _ gate: GainBlock, _ state: inout Double,
        _ levels: UnsafeMutablePointer<Double>, _ count: Int
    ) {
        for i in 0..<count {
            let level = Double(key[i])
            let rest = level > state ? pace.growth : pace.decay
            state = rest * state + (1 - rest) * level
            // So that it comes to rest: a hundred millionth of the floor.
            if state < 1e-14 { state = 0 }
            levels[i] = state + floor()
        }
        if gate.varies {
            for i in 0..<count { levels[i] *= Double(gate.values[i]) }
        } else if gate.constant != 1 {
            for i in 0..<count { levels[i] *= Double(gate.constant) }
        }
    }

    @_noLocks
    private func levels(isBefore: Bool) -> UnsafeMutablePointer<Double> {
        isBefore && crosses ? levelsBefore : levels
    }

    /// Adds what it stands at to the sum of all.
    @_noLocks
    func add(
        _ weight: Double, to sums: UnsafeMutablePointer<Double>, _ flatSum: inout Double, isBefore: Bool,
        _ count: Int
    ) {
        if isFlat {
            flatSum += weight * flat
            return
        }
        let levels = levels(isBefore: isBefore)
        for i in 0..<count { sums[i] += weight * levels[i] }
    }

    /// Takes its share of the sum of all.
    /// - Parameter inverses: one over that, or 0 where nobody takes anything.
    @_noLocks
    mutating func take(_ weight: Double, of inverses: UnsafePointer<Double>, isBefore: Bool, _ count: Int) {
        let values = (isBefore ? gainBefore : gain).values
        if isFlat {
            if !isBefore { last = Float(weight * flat * inverses[count - 1]) }
            // Nothing of it is heard.
            return
        }
        let levels = levels(isBefore: isBefore)
        for i in 0..<count { values[i] = Float(weight * levels[i] * inverses[i]) }
        if isBefore {
            gainBefore = GainBlock(values)
        } else {
            (gain, last) = (GainBlock(values), values[count - 1])
        }
    }
}

/// How fast members of an automix follow their levels: what is left of a way after one frame, up and down.
struct SharePace: Equatable {
    let growth: Double
    let decay: Double
}

/// An automix: who takes part in it in the new plan, and who did in the one before.
struct ShareMix {
    let members: UnsafeMutablePointer<UnsafeMutablePointer<ShareEdge>>
    let count: Int
    let membersBefore: UnsafeMutablePointer<UnsafeMutablePointer<ShareEdge>>
    let countBefore: Int
}
