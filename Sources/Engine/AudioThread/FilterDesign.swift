/// What a section of an equaliser is made of: the formulas of the Audio EQ Cookbook in the form of a state
/// variable filter, with A = 10^(gain / 40) and g = tan(pi frequency / rate):
///
///     high pass   g               k = 1 / Q          y = x - k band - low
///     low pass    g               k = 1 / Q          y = low
///     bell        g               k = 1 / (Q A)      y = x + k (A^2 - 1) band
///     low shelf   g / sqrt A      k = 1 / Q          y = x + k (A - 1) band + (A^2 - 1) low
///     high shelf  g sqrt A        k = 1 / Q          y = A^2 x + k (1 - A) A band + (1 - A^2) low
///
/// Tangent and power are this program's own series, so that they are the same on every processor: their
/// relative errors are below 1e-10.
enum FilterDesign: Equatable {
    case highPass, lowPass, bell, lowShelf, highShelf

    /// - Parameters:
    ///   - frequency: in Hz.
    ///   - gain: in dB; a pass has none.
    ///   - quality: that of a pass is 1 / sqrt 2.
    @_noLocks
    func coefficients(
        _ frequency: Double, _ gain: Double, _ quality: Double, _ sampleRate: Double
    ) -> FilterCoefficients {
        let (g, passing) = (Self.tangent(frequency, sampleRate), 1.41421356237309504880)
        switch self {
        case .highPass: return FilterCoefficients(g: g, k: passing, dry: 1, band: -passing, low: -1)
        case .lowPass: return FilterCoefficients(g: g, k: passing, dry: 0, band: 0, low: 1)
        case .bell, .lowShelf, .highShelf: return band(g, 1 / quality, gain / 40 * 3.32192809488736234787)
        }
    }

    /// - Parameter octaves: the logarithm of A to the base of 2.
    @_noLocks
    private func band(_ g: Double, _ k: Double, _ octaves: Double) -> FilterCoefficients {
        let a = powerOfTwo(octaves)
        return switch self {
        case .lowShelf:
            FilterCoefficients(
                g: g * powerOfTwo(-octaves / 2), k: k, dry: 1, band: k * (a - 1), low: a * a - 1)
        case .highShelf:
            FilterCoefficients(
                g: g * powerOfTwo(octaves / 2), k: k, dry: a * a, band: k * (1 - a) * a, low: 1 - a * a)
        case .highPass, .lowPass, .bell:
            FilterCoefficients(g: g, k: k / a, dry: 1, band: k / a * (a * a - 1), low: 0)
        }
    }

    @_noLocks
    private static func tangent(_ frequency: Double, _ sampleRate: Double) -> Double {
        // In quarters of a turn, below the one where it has no end.
        let quarters = min(0.98, 2 * frequency / sampleRate)
        return sineOfQuarterTurns(quarters) / sineOfQuarterTurns(1 - quarters)
    }
}
