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
