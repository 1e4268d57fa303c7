/// A live gain on its way from one value to another, on the mixer's own clock, which runs whether the
/// transport does or not.
struct Glide {
    private var segment: GainSegment
    private var end: Int64
    private(set) var target: Double
    private var newest = Newest()

    @_noLocks
    init(value: Double) {
        segment = GainSegment(start: .min, value: value)
        end = .min
        target = value
    }

    /// Moves as the order says, unless another overrules it. Audio thread only; wait-free.
    @_noLocks
    mutating func obey(_ movement: MixerOrder.Movement, _ order: NumberedOrder, at clock: Int64) {
        if !newest.admits(order) { return }
        move(
            to: movement.target, over: movement.frames(from: value(at: clock)), curve: movement.curve,
            at: clock)
    }

    /// Glides from the present value to `target` over `frames` from `clock` on. Audio thread only; wait-free.
    @_noLocks
    mutating func move(to target: Double, over frames: Int64, curve: GainCurve, at clock: Int64) {
        let present = value(at: clock)
        self.target = target
        let moves = frames > 0 && present != target
        segment =
            moves
            ? GainSegment(
                start: clock, lead: 0, length: Double(frames), from: present, to: target,
                curve: curve.possible(from: present, to: target))
            : GainSegment(start: clock, value: target)
        end = moves ? clock + frames : clock
    }

    @_noLocks
    func value(at clock: Int64) -> Double { clock >= end ? target : segment.value(at: clock) }

    /// It has arrived at zero, and stays there.
    @_noLocks
    func isSilent(at clock: Int64) -> Bool { target == 0 && framesLeft(at: clock) == 0 }

    /// Frames until it has arrived.
    @_noLocks
    func framesLeft(at clock: Int64) -> Int64 { end == .min ? 0 : max(0, end - clock) }

    /// Multiplies `gains` by the values from `clock` on.
    @_noLocks
    func apply(to gains: inout GainBlock, from clock: Int64, count: Int) {
        apply(to: &gains, from: clock, count: count, of: count)
    }

    /// The same of the first `count` frames of a block.
    @_noLocks
    func apply(to gains: inout GainBlock, from clock: Int64, count: Int, of whole: Int) {
        let moving = Int(min(Int64(count), framesLeft(at: clock)))
        if moving == 0 { return gains.multiply(by: target, from: 0, to: count, of: whole) }
        gains.multiply(by: segment, at: clock, from: 0, to: moving, of: whole)
        gains.multiply(by: target, from: moving, to: count, of: whole)
    }
}
