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
