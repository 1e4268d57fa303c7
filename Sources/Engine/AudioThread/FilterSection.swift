/// What one section of an equaliser is: a state variable filter, of which the output is a sum of what it
/// hears, its band and its low pass.
///
/// The trapezoidal form of Andrew Simper ("Solving the continuous SVF equations using trapezoidal
/// integration", 2013), whose curves are those of the Audio EQ Cookbook, and whose numbers may change from
/// frame to frame without a click.
package struct FilterCoefficients: Equatable {
    /// tan(pi frequency / rate), widened or narrowed by a shelf.
    var g: Double
    /// One over the quality.
    var k: Double
    /// How much of what it hears, of its band and of its low pass is heard.
    var dry: Double
    var band: Double
    var low: Double

    /// Nothing but what it hears.
    @_noLocks
    init(likeDry other: FilterCoefficients) { (g, k, dry, band, low) = (other.g, other.k, 1, 0, 0) }

    @_noLocks
    init(g: Double, k: Double, dry: Double, band: Double, low: Double) {
        (self.g, self.k, self.dry, self.band, self.low) = (g, k, dry, band, low)
    }

    /// What lies between `other` and this, at `share` of the way.
    @_noLocks
    func mixed(from other: FilterCoefficients, _ share: Double) -> FilterCoefficients {
        FilterCoefficients(
            g: other.g + (g - other.g) * share, k: other.k + (k - other.k) * share,
            dry: other.dry + (dry - other.dry) * share,
            band: other.band + (band - other.band) * share, low: other.low + (low - other.low) * share)
    }
}

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
        glide(
            from: present, to: next ?? FilterCoefficients(likeDry: present), over: frames, at: clock,
            closes: next == nil)
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

/// A section at a frame: what it multiplies by, worked out once for all frames that have the same
/// coefficients. `filter_two` reads it as it lies here. Audio thread only.
struct FilterStep {
    private var a1 = 1.0
    private var a2 = 0.0
    private var a3 = 0.0
    private var dry = 1.0
    private var band = 0.0
    private var low = 0.0

    /// One that changes nothing.
    @_noLocks
    init() {}

    @_noLocks
    init(_ c: FilterCoefficients) {
        a1 = 1 / (1 + c.g * (c.g + c.k))
        a2 = c.g * a1
        a3 = c.g * a2
        (dry, band, low) = (c.dry, c.band, c.low)
    }
}

/// What a section remembers of two channels; `filter_two` writes it as it lies here. Audio thread only.
struct FilterMemory {
    private var first = SIMD2<Double>.zero
    private var second = SIMD2<Double>.zero

    @_noLocks
    init() {}
}
