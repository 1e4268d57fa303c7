import Timeline

/// The sections of an equaliser at some rate: high pass twice, low pass twice, four bands; nil for what changes nothing.
///
/// The formulas of the Audio EQ Cookbook in the form of a state variable filter, with A = 10^(gain / 40) and g = tan(pi frequency / rate):
///
///     high pass   g               k = 1 / Q          y = x - k band - low
///     low pass    g               k = 1 / Q          y = low
///     bell        g               k = 1 / (Q A)      y = x + k (A^2 - 1) band
///     low shelf   g / sqrt A      k = 1 / Q          y = x + k (A - 1) band + (A^2 - 1) low
///     high shelf  g sqrt A        k = 1 / Q          y = A^2 x + k (1 - A) A band + (1 - A^2) low
///
/// Tangent and power are this program's own series, so that they are the same on every processor: their relative errors are below 1e-10.
struct EqualiserDesign {
    private let sampleRate: Int32

    init(sampleRate: Int32) { self.sampleRate = sampleRate }

    /// Always as many as `EqualiserBank.sections()`.
    func sections(_ equaliser: Equaliser?) -> [FilterCoefficients?] {
        guard let equaliser, equaliser.isOn else { return Array(repeating: nil, count: EqualiserBank.sections()) }
        let high = equaliser.highPass.map { pass($0) { k in (1, -k, -1) } }
        let low = equaliser.lowPass.map { pass($0) { _ in (0, 0, 1) } }
        let (isHighSteep, isLowSteep) = (equaliser.highPass?.slope == .steep, equaliser.lowPass?.slope == .steep)
        return [high, isHighSteep ? high : nil, low, isLowSteep ? low : nil] + equaliser.bands.map(band)
    }

    private func tangent(_ frequency: Double) -> Double {
        // In quarters of a turn, below the one where it has no end.
        let quarters = min(0.98, 2 * frequency / Double(sampleRate))
        return sineOfQuarterTurns(quarters) / sineOfQuarterTurns(1 - quarters)
    }

    private func pass(_ pass: Equaliser.Pass, _ mix: (Double) -> (Double, Double, Double)) -> FilterCoefficients {
        let k = 2.0.squareRoot()
        let (dry, band, low) = mix(k)
        return FilterCoefficients(g: tangent(pass.frequency), k: k, dry: dry, band: band, low: low)
    }

    private func band(_ band: Equaliser.Band) -> FilterCoefficients? {
        if band.gain == 0 { return nil }
        let a = powerOfTwo(band.gain / 40 * 3.32192809488736234787)
        let (g, k) = (tangent(band.frequency), 1 / band.q)
        switch band.type {
        case .bell: return FilterCoefficients(g: g, k: k / a, dry: 1, band: k / a * (a * a - 1), low: 0)
        case .lowshelf: return FilterCoefficients(g: g / a.squareRoot(), k: k, dry: 1, band: k * (a - 1), low: a * a - 1)
        case .highshelf: return FilterCoefficients(g: g * a.squareRoot(), k: k, dry: a * a, band: k * (1 - a) * a, low: 1 - a * a)
        }
    }
}
