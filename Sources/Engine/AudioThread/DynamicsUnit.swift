import CVector
import Realtime

/// A compressor or a gate as it is asked for: its curve, and how fast it goes there.
package struct DynamicsSetting: Equatable {
    var isGate = false
    var curve = DynamicsCurve()
    /// What is left of the way to a greater, and to a smaller reduction after one frame: exp(-1 / (time
    /// rate)).
    var growth = 0.0
    var decay = 0.0
    /// For so many frames a gate stays open.
    var hold: Int64 = 0

    @_noLocks
    init() {}
}

/// A compressor or a gate of a strip, on its way from one curve to another. Audio thread only; wait-free.
struct DynamicsUnit {
    /// nil: it changes nothing, and is not run.
    private(set) var setting: DynamicsSetting?
    /// While it glides: from where, since when on the mixer's clock, and how long.
    private var origin = DynamicsCurve()
    private var start: Int64 = 0
    private var frames: Int64 = 0
    /// It glides to nothing, and is not run any more once it is there.
    private var closes = false
    private var newest = Newest()
    private var memory = DynamicsMemory()
    /// Of what was played before, while that is crossed over from.
    private var memoryBefore = DynamicsMemory()
    /// The frame of the next block from which on it remembers anew; that may be right behind the block.
    var beginning = Int.max
    /// For a number each of `chunk` frames, also another unit's.
    private let room: UnsafeMutablePointer<Double>

    @_noLocks
    init(_ room: UnsafeMutablePointer<Double>) { self.room = room }

    /// How far it lowers, in dB.
    @_noLocks
    mutating func reduction() -> Double { isThere() ? memory.reduction : 0 }

    /// Whether it changes anything.
    @_noLocks
    mutating func isThere() -> Bool { if case .some = setting { true } else { false } }

    /// Begins to remember anew; what it remembers goes on being that of what was played before.
    @_noLocks
    mutating func reset() { (memoryBefore, memory) = (memory, DynamicsMemory()) }

    /// What it remembers of what is played.
    @_noLocks
    mutating func pass(_ page: inout MemoryPage) { memory.pass(&page) }

    /// Glides to another setting over `frames` from `clock` on, or to nothing, unless another order overrules
    /// this.
    @_noLocks
    mutating func obey(_ next: DynamicsSetting?, over frames: Int64, _ order: NumberedOrder, at clock: Int64)
    {
        if !newest.admits(order) { return }
        settle(at: clock)
        guard let setting else {
            if let next { glide(from: next.curve.off(), to: next, over: frames, at: clock, closes: false) }
            return
        }
        var last = setting
        last.curve = setting.curve.off()
        let closes = if case .none = next { true } else { false }
        glide(from: curve(setting, at: clock), to: next ?? last, over: frames, at: clock, closes: closes)
    }

    @_noLocks
    private mutating func glide(
        from origin: DynamicsCurve, to setting: DynamicsSetting, over frames: Int64, at clock: Int64,
        closes: Bool
    ) {
        (self.origin, self.setting, self.frames, start, self.closes) = (
            origin, setting, frames, clock, closes
        )
    }

    @_noLocks
    private mutating func framesLeft(at clock: Int64) -> Int64 { max(0, start + frames - clock) }

    @_noLocks
    private mutating func curve(_ setting: DynamicsSetting, at clock: Int64) -> DynamicsCurve {
        if framesLeft(at: clock) == 0 { return setting.curve }
        return setting.curve.mixed(from: origin, Double(clock - start) / Double(frames))
    }

    /// Lets go of its setting if it has closed.
    @_noLocks
    mutating func settle(at clock: Int64) {
        if !closes || framesLeft(at: clock) > 0 { return }
        (setting, closes, memory, memoryBefore) = (nil, false, DynamicsMemory(), DynamicsMemory())
    }

    /// Lowers a block that begins at `clock`, in its place.
    /// - Parameters:
    ///   - lanes: what the timeline says in place of what hands have set.
    ///   - key: levels to go by, as many as frames; nil: its own loudest channel's.
    ///   - isBefore: it is what was played before, while that is crossed over from.
    @_noLocks
    mutating func process(
        _ block: Channels, _ lanes: LaneView, key: UnsafePointer<Float>?, isBefore: Bool, at clock: Int64,
        _ count: Int
    ) {
        guard let setting else { return }
        var memory = isBefore ? memoryBefore : memory
        var start = 0
        while start < count {
            if start == beginning { memory = DynamicsMemory() }
            let frames = min(Self.chunk(), (start < beginning ? min(beginning, count) : count) - start)
            room.update(repeating: 0, count: frames)
            if let key {
                raise_levels(key + start, room, frames)
            } else {
                for channel in 0..<block.count { raise_levels(block.channel(channel) + start, room, frames) }
            }
            levels_to_decibels(room, frames)
            follow(&memory, setting, lanes, at: clock, from: start, frames)
            decibels_to_gains(room, frames)
            for channel in 0..<block.count { scale_by(block.channel(channel) + start, room, frames) }
            start += frames
        }
        if beginning == count { memory = DynamicsMemory() }
        if isBefore { memoryBefore = memory } else { self.memory = memory }
    }

    /// How many frames are worked on at once.
    @_noLocks
    static func chunk() -> Int { 64 }

    /// Puts what each frame is changed by in place of its level, both in dB.
    @_noLocks
    private mutating func follow(
        _ memory: inout DynamicsMemory, _ setting: DynamicsSetting, _ lanes: LaneView, at clock: Int64,
        from start: Int, _ frames: Int
    ) {
        let isMoved = lanes.moves(isGate: setting.isGate)
        let left = framesLeft(at: clock + Int64(start))
        if !isMoved, left == 0 {
            for i in 0..<frames { room[i] = memory.next(room[i], setting, setting.curve) }
            return
        }
        for i in 0..<frames {
            var curve = curve(setting, at: clock + Int64(start + i))
            if isMoved { curve = lanes.curve(curve, isGate: setting.isGate, at: start + i) }
            room[i] = memory.next(room[i], setting, curve)
        }
    }
}

extension Channels {
    /// How many of the first `count` frames are silent: up to the first sample that is not 0.
    @_noLocks
    func silence(_ count: Int) -> Int {
        var silence = count
        for channel in 0..<self.count {
            let samples = self.channel(channel)
            var i = 0
            while i < silence, samples[i] == 0 { i += 1 }
            silence = i
        }
        return silence
    }

    /// The loudest channel's absolute value at a frame.
    @_noLocks
    func level(at frame: Int) -> Float {
        var level: Float = 0
        for channel in 0..<count { level = max(level, abs(self.channel(channel)[frame])) }
        return level
    }
}
