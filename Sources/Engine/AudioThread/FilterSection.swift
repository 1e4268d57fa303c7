/// A section on its way from one set of coefficients to another: what a hand moves. Audio thread only;
/// wait-free.
struct FilterSection {
    /// nil: it changes nothing, and is not run.
    private(set) var target: FilterCoefficients?
    /// While it glides: from where, since when on the mixer's clock, and how long.
    private var origin: FilterCoefficients
    private var start: Int64 = 0
    private var frames: Int64 = 0
    /// It glides to nothing, and is not run any more once it is there.
    private var closes = false
    private var newest = Newest()

    @_noLocks
    init() { origin = FilterCoefficients(g: 0, k: 1, dry: 1, band: 0, low: 0) }

    /// Whether it changes anything. (What compares with nil where the type is another file's would look its
    /// metadata up.)
    @_noLocks
    func isThere() -> Bool { if case .some = target { true } else { false } }

    /// Glides to `next` over `frames` from `clock` on; nil: to nothing.
    @_noLocks
    mutating func move(to next: FilterCoefficients?, over frames: Int64, at clock: Int64) {
        guard let present = present(at: clock) else {
            guard let next else { return }
            return glide(
                from: FilterCoefficients(likeDry: next), to: next, over: frames, at: clock, closes: false)
        }
        let closes = if case .none = next { true } else { false }
        glide(
            from: present, to: next ?? FilterCoefficients(likeDry: present), over: frames, at: clock,
            closes: closes)
    }

    @_noLocks
    private mutating func glide(
        from origin: FilterCoefficients, to target: FilterCoefficients, over frames: Int64, at clock: Int64,
        closes: Bool
    ) {
        (self.origin, self.target, self.frames, start, self.closes) = (origin, target, frames, clock, closes)
    }

    /// Moves as the order says, unless another overrules it.
    @_noLocks
    mutating func obey(
        _ next: FilterCoefficients?, over frames: Int64, _ order: NumberedOrder, at clock: Int64
    ) {
        if newest.admits(order) { move(to: next, over: frames, at: clock) }
    }

    /// How many frames from `clock` on it still glides.
    @_noLocks
    func framesLeft(at clock: Int64) -> Int64 { max(0, start + frames - clock) }

    /// What it is at a frame; nil: nothing.
    @_noLocks
    func present(at clock: Int64) -> FilterCoefficients? {
        guard let target else { return nil }
        if framesLeft(at: clock) == 0 { return target }
        return target.mixed(from: origin, Double(clock - start) / Double(frames))
    }

    /// Lets go of its coefficients if it has closed.
    /// - Returns: whether it has.
    @_noLocks
    mutating func closes(at clock: Int64) -> Bool {
        if !closes || framesLeft(at: clock) > 0 { return false }
        (target, closes) = (nil, false)
        return true
    }
}

/// What a section remembers of two channels; `filter_two` writes it as it lies here. Audio thread only.
struct FilterMemory {
    private var first = SIMD2<Double>.zero
    private var second = SIMD2<Double>.zero

    @_noLocks
    init() {}

    @_noLocks
    mutating func pass(_ page: inout MemoryPage) {
        for i in 0..<2 {
            page.pass(&first[i], atLeast: -1e12, atMost: 1e12)
            page.pass(&second[i], atLeast: -1e12, atMost: 1e12)
        }
    }
}
