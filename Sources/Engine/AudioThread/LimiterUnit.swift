import Realtime

/// A strip's limiter. Audio thread only; wait-free.
///
/// Where it is turned on, what passes is heard as it is until the first of it has come through. Where playing
/// goes elsewhere, what is played goes through a line that remembers nothing, and what was played before goes
/// on through its own.
struct LimiterUnit {
    private var room: LimiterRoom?
    private var setting: LimiterSetting?
    private var newest = Newest()
    private var playthrough = PlaythroughMemory()
    /// How much of what is heard is limited.
    private var wet = Passage()
    /// The line of what is played is the second of the two.
    private var isSwapped = false

    @_noLocks
    init() {}

    /// Whether it changes anything, or is about to.
    @_noLocks
    mutating func isActive() -> Bool { if case .some = setting { true } else { false } }

    /// By how many frames it holds back what passes.
    @_noLocks
    mutating func latency() -> Int {
        guard let room, isActive() else { return 0 }
        return room.latency
    }

    /// Sets it as the order says, unless another overrules it; nil: off.
    @_noLocks
    mutating func obey(
        _ next: LimiterSetting?, in room: LimiterRoom, over frames: Int64, _ order: NumberedOrder,
        at clock: Int64
    ) {
        if !newest.admits(order) { return }
        self.room = room
        guard let next else { return wet.move(to: 0, over: frames, from: clock, at: clock) }
        if !isActive() {
            forget()
            wet = Passage()
        }
        let missing = max(0, Int64(room.latency) - room.lines[isSwapped ? 1 : 0].given)
        setting = next
        wet.move(to: 1, over: frames, from: clock + (frames > 0 ? missing : 0), at: clock)
    }

    /// Nothing has been heard.
    @_noLocks
    private mutating func forget() {
        guard let room else { return }
        for i in 0..<2 { room.lines[i].reset() }
    }

    /// Begins to remember anew, if what it remembers is of another playthrough.
    /// - Parameter goesApart: what is played elsewhere is mixed apart from what was played before; else it is
    ///   given both, the one on its way from the other, and goes on.
    @_noLocks
    mutating func follow(_ next: LinePlaythrough, goesApart: Bool) {
        let turn = playthrough.advance(to: next.playthrough, hearsInputs: next.hearsInputs)
        guard let room, isActive() else { return }
        switch turn {
        case .onward: break
        case .beginning: forget()
        case .elsewhere:
            if !goesApart { return }
            isSwapped = !isSwapped
            room.lines[isSwapped ? 1 : 0].reset()
        }
    }

    /// What it remembers of what is played.
    @_noLocks
    mutating func pass(_ page: inout MemoryPage) {
        if let room { room.lines[isSwapped ? 1 : 0].pass(&page) }
    }

    /// Begins anew, in this playthrough. For who mixes offline.
    mutating func forget(_ next: LinePlaythrough) {
        playthrough.enter(next.playthrough, hearsInputs: next.hearsInputs)
        forget()
    }

    /// What it multiplied by last.
    @_noLocks
    mutating func gain() -> Float {
        guard let room, isActive() else { return 1 }
        return room.lines[isSwapped ? 1 : 0].last
    }

    /// Notes what is over.
    @_noLocks
    mutating func settle(at clock: Int64) {
        if wet.isAt(0, clock) { setting = nil }
    }

    /// Limits a block that begins at `clock`, in its place.
    /// - Parameters:
    ///   - dry: room for a block.
    ///   - isBefore: it is what was played before, while that is mixed apart.
    @_noLocks
    mutating func process(_ block: Channels, _ dry: Channels, isBefore: Bool, at clock: Int64, _ count: Int) {
        guard let room, let setting else { return }
        let isWet = wet.isAt(1, clock)
        if !isWet { dry.copy(block, count) }
        room.lines[isSwapped != isBefore ? 1 : 0].process(block, setting, count)
        if !isWet { wet.cross(block, from: dry, at: clock, count) }
    }
}

/// From one sound to another. Audio thread only.
private struct Passage {
    private var origin: Float
    private var target: Float
    private var start: Int64 = 0
    private var length: Int64 = 0

    @_noLocks
    init(_ value: Float = 0) { (origin, target) = (value, value) }

    @_noLocks
    mutating func move(to target: Float, over length: Int64, from start: Int64, at clock: Int64) {
        (origin, self.target, self.start, self.length) = (value(at: clock), target, start, length)
    }

    @_noLocks
    func value(at clock: Int64) -> Float {
        if clock < start { return origin }
        return clock >= start + length
            ? target : origin + (target - origin) * Float(clock - start) / Float(length)
    }

    /// Whether it is there, and stays there.
    @_noLocks
    func isAt(_ value: Float, _ clock: Int64) -> Bool {
        target == value && (origin == value || clock >= start + length)
    }

    /// Goes on from one sound to the other in its place.
    @_noLocks
    func cross(_ block: Channels, from old: Channels, at clock: Int64, _ count: Int) {
        for channel in 0..<block.count {
            let (samples, before) = (block.channel(channel), old.channel(channel))
            for i in 0..<count {
                let share = value(at: clock + Int64(i))
                if share < 1 {
                    samples[i] = share == 0 ? before[i] : before[i] + (samples[i] - before[i]) * share
                }
            }
        }
    }
}
