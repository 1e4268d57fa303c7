import Realtime

/// How much a compressor or a gate lowers at which level: what glides when a hand moves it. The formulas stand at `Compressor` and `Gate`.
package struct DynamicsCurve: Equatable {
    /// In dB: where a compressor begins to lower, or a gate opens.
    var threshold = 0.0
    /// In dB: below it a gate closes.
    var close = 0.0
    /// 1 - 1 / ratio of a compressor.
    var slope = 0.0
    /// In dB: how wide the curve is bent about the threshold.
    var knee = 0.0
    /// In dB: what a closed gate goes to.
    var range = 0.0
    /// In dB.
    var makeup = 0.0
    /// How much of all that is heard: 0 while it is off.
    var amount = 1.0

    @_noLocks
    init() {}

    /// The same, of which nothing is heard.
    @_noLocks
    func off() -> DynamicsCurve {
        var curve = self
        curve.amount = 0
        return curve
    }

    /// What lies between `other` and this, at `share` of the way.
    @_noLocks
    func mixed(from other: DynamicsCurve, _ share: Double) -> DynamicsCurve {
        var mixed = self
        mixed.threshold = other.threshold + (threshold - other.threshold) * share
        mixed.close = other.close + (close - other.close) * share
        mixed.slope = other.slope + (slope - other.slope) * share
        mixed.knee = other.knee + (knee - other.knee) * share
        mixed.range = other.range + (range - other.range) * share
        mixed.makeup = other.makeup + (makeup - other.makeup) * share
        mixed.amount = other.amount + (amount - other.amount) * share
        return mixed
    }

    /// By how many dB a compressor lowers a level in dB, once it has had its time.
    @_noLocks
    func reduction(at level: Double) -> Double {
        let excess = level - threshold
        if 2 * excess <= -knee { return 0 }
        if 2 * excess >= knee { return slope * excess }
        let bent = excess + knee / 2
        return slope * bent * bent / (2 * knee)
    }
}

/// A compressor or a gate as it is asked for: its curve, and how fast it goes there.
package struct DynamicsSetting: Equatable {
    var isGate = false
    var curve = DynamicsCurve()
    /// What is left of the way to a greater, and to a smaller reduction after one frame: exp(-1 / (time rate)).
    var growth = 0.0
    var decay = 0.0
    /// For so many frames a gate stays open.
    var hold: Int64 = 0

    @_noLocks
    init() {}
}

/// What a compressor or a gate remembers. Audio thread only.
struct DynamicsMemory {
    /// In dB.
    var reduction = 0.0
    /// For how many frames an open gate has heard nothing that keeps it open; nil: it is closed.
    private var quiet: Int64?
    /// The last change in dB, and its gain: most are followed by the same.
    private var change = 0.0
    private var gain = 1.0

    @_noLocks
    init() {}

    /// The gain of the next frame.
    @_noLocks
    mutating func next(_ level: Double, _ setting: DynamicsSetting, _ curve: DynamicsCurve) -> Double {
        // Levels below -300 dB are as good as none.
        let decibels = level > 1e-15 ? Decibels.of(level) : -300
        let target = setting.isGate ? gate(decibels, setting.hold, curve) : curve.reduction(at: decibels)
        let rest = target > reduction ? setting.growth : setting.decay
        reduction = rest * reduction + (1 - rest) * target
        // So that it comes back to where nothing is changed.
        if target == 0, reduction < 1e-9 { reduction = 0 }
        if setting.isGate, reduction >= 120, curve.amount == 1 { return 0 }
        let next = curve.amount * (curve.makeup - reduction)
        if next != change { (change, gain) = (next, Decibels.gain(next)) }
        return gain
    }

    /// What the reduction of a gate goes to.
    @_noLocks
    private mutating func gate(_ decibels: Double, _ hold: Int64, _ curve: DynamicsCurve) -> Double {
        if decibels >= curve.threshold {
            quiet = 0
        } else if let frames = quiet {
            quiet = decibels >= curve.close ? 0 : frames + 1 > hold ? nil : frames + 1
        }
        return quiet == nil ? curve.range : 0
    }
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

    @_noLocks
    init() {}

    /// How far it lowers, in dB.
    @_noLocks
    func reduction() -> Double { isThere() ? memory.reduction : 0 }

    /// Whether it changes anything.
    @_noLocks
    func isThere() -> Bool { if case .some = setting { true } else { false } }

    /// Begins to remember anew; what it remembers goes on being that of what was played before.
    @_noLocks
    mutating func begin() { (memoryBefore, memory) = (memory, DynamicsMemory()) }

    /// Glides to another setting over `frames` from `clock` on, or to nothing, unless another order overrules this.
    @_noLocks
    mutating func obey(_ next: DynamicsSetting?, over frames: Int64, _ order: NumberedOrder, at clock: Int64) {
        if !newest.admits(order) { return }
        settle(at: clock)
        guard let setting else {
            if let next { glide(from: next.curve.off(), to: next, over: frames, at: clock, closes: false) }
            return
        }
        var last = setting
        last.curve = setting.curve.off()
        glide(from: curve(setting, at: clock), to: next ?? last, over: frames, at: clock, closes: next == nil)
    }

    @_noLocks
    private mutating func glide(from origin: DynamicsCurve, to setting: DynamicsSetting, over frames: Int64, at clock: Int64, closes: Bool) {
        (self.origin, self.setting, self.frames, start, self.closes) = (origin, setting, frames, clock, closes)
    }

    @_noLocks
    private func framesLeft(at clock: Int64) -> Int64 { max(0, start + frames - clock) }

    @_noLocks
    private func curve(_ setting: DynamicsSetting, at clock: Int64) -> DynamicsCurve {
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
    mutating func run(_ block: Channels, _ lanes: LaneView, key: UnsafePointer<Float>?, isBefore: Bool, at clock: Int64, _ count: Int) {
        guard let setting else { return }
        var memory = isBefore ? memoryBefore : memory
        let isMoved = lanes.moves(isGate: setting.isGate)
        var curve = curve(setting, at: clock)
        let gliding = Int(min(Int64(count), framesLeft(at: clock)))
        for i in 0..<count {
            if i <= gliding || isMoved { curve = self.curve(setting, at: clock + Int64(i)) }
            if isMoved { curve = lanes.curve(curve, isGate: setting.isGate, at: i) }
            let level = if let key { key[i] } else { block.level(at: i) }
            let gain = memory.next(Double(level), setting, curve)
            if gain != 1 { block.scale(at: i, by: gain) }
        }
        if isBefore { memoryBefore = memory } else { self.memory = memory }
    }
}

extension Channels {
    /// The loudest channel's absolute value at a frame.
    @_noLocks
    func level(at frame: Int) -> Float {
        var level: Float = 0
        for channel in 0..<count { level = max(level, abs(self.channel(channel)[frame])) }
        return level
    }

    @_noLocks
    fileprivate func scale(at frame: Int, by gain: Double) {
        for channel in 0..<count { self.channel(channel)[frame] = Float(Double(self.channel(channel)[frame]) * gain) }
    }
}
