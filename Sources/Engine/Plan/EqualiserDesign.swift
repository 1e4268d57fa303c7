import Timeline

/// The sections of an equaliser at some rate: high pass twice, low pass twice, four bands; nil for what
/// changes nothing.
struct EqualiserDesign {
    private let sampleRate: Int32

    init(sampleRate: Int32) { self.sampleRate = sampleRate }

    /// What a section is made of, and where it stands.
    struct Section: Equatable {
        let design: FilterDesign
        /// In Hz, and in dB.
        var frequency: Double
        var gain = 0.0
        var quality = 1.0
    }

    /// Always as many as `EqualiserBank.sections()`.
    func sections(_ equaliser: Equaliser?) -> [FilterCoefficients?] {
        Self.sections(of: equaliser).map { section in
            guard let section else { return nil }
            // Nothing is heard of a band at 0 dB.
            if section.gain == 0, section.design != .highPass, section.design != .lowPass { return nil }
            return section.design.coefficients(
                section.frequency, section.gain, section.quality, Double(sampleRate))
        }
    }

    /// The same before the rate is known, with the bands that are flat; nil for passes that are off, and for
    /// all where the equaliser is.
    static func sections(of equaliser: Equaliser?) -> [Section?] {
        guard let equaliser, equaliser.isOn else {
            return Array(repeating: nil, count: EqualiserBank.sections())
        }
        let high = equaliser.highPass.map { Section(design: .highPass, frequency: $0.frequency) }
        let low = equaliser.lowPass.map { Section(design: .lowPass, frequency: $0.frequency) }
        let (isHighSteep, isLowSteep) = (
            equaliser.highPass?.slope == .steep, equaliser.lowPass?.slope == .steep
        )
        return [high, isHighSteep ? high : nil, low, isLowSteep ? low : nil]
            + equaliser.bands.map { band in
                let design: FilterDesign =
                    switch band.type {
                    case .bell: .bell
                    case .lowshelf: .lowShelf
                    case .highshelf: .highShelf
                    }
                return Section(design: design, frequency: band.frequency, gain: band.gain, quality: band.q)
            }
    }
}
