import JSON

/// What a strip's sound is filtered by, between its trim and its automation: a high pass, a low pass and four
/// bands, with the curves of the W3C's Audio EQ Cookbook (Note of 8 June 2021).
public struct Equaliser: Equatable, Sendable {
    /// Off, it is kept and changes nothing.
    public var isOn = true
    /// What is below it is cut.
    public var highPass: Pass?
    /// What is above it is cut.
    public var lowPass: Pass?
    /// Always four.
    public var bands = Self.frequencies.map { Band(frequency: $0) }
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// In Hz. What lies above 0.49 of the rate that is played at is taken as that.
    public static let frequencyRange = 10.0...40_000.0
    /// In dB.
    public static let gainRange = -24.0...24.0
    /// Of a bell; a shelf's is its steepness.
    public static let qualityRange = 0.1...40.0
    /// Where the bands lie unless told, in Hz.
    public static let frequencies = [100.0, 400, 2000, 8000]
    /// How many bands there are.
    public static let bandCount = 4

    /// One that changes nothing.
    public init() {}

    /// A filter that cuts what lies beyond a frequency, of second order with a quality of 1/sqrt 2.
    public struct Pass: Equatable, Sendable {
        /// In Hz.
        public var frequency: Double
        /// In dB for an octave.
        public var slope = Slope.soft

        /// In dB for an octave: one such filter, or two.
        public enum Slope: Int, CaseIterable, Sendable {
            /// One filter of the second order.
            case soft = 12
            /// Two of them, one after the other.
            case steep = 24
        }

        /// Of 12 dB unless told.
        public init(frequency: Double, slope: Slope = .soft) {
            (self.frequency, self.slope) = (frequency, slope)
        }
    }

    /// One of the four.
    public struct Band: Equatable, Sendable {
        /// The first may be a low shelf, the last a high shelf.
        public var type = Kind.bell
        /// In Hz.
        public var frequency: Double
        /// In dB; 0 changes nothing.
        public var gain = 0.0
        /// 1 for a bell, 1/sqrt 2 for a shelf unless told, which is a slope of 1.
        public var quality: Double?
        /// Fields of the file that this version does not know, kept for the next save.
        public var unknown = JSONObject()

        /// Its curve.
        public enum Kind: String, CaseIterable, Sendable {
            /// Raises or lowers what is around its frequency.
            case bell
            /// Raises or lowers what is below its frequency.
            case lowshelf
            /// Raises or lowers what is above its frequency.
            case highshelf
        }

        /// A bell that changes nothing.
        public init(frequency: Double) { self.frequency = frequency }

        /// As it is set, or what it is unless told.
        public var q: Double { quality ?? (type == .bell ? 1 : 0.5.squareRoot()) }
    }

    /// The types that a band may have; bands count from 0.
    public static func types(ofBand band: Int) -> [Band.Kind] {
        band == 0 ? [.bell, .lowshelf] : band == bandCount - 1 ? [.bell, .highshelf] : [.bell]
    }

    /// Whether it changes anything.
    public var isFlat: Bool {
        !isOn || highPass == nil && lowPass == nil && bands.allSatisfy { $0.gain == 0 }
    }
}

extension Equaliser {
    /// Why there can be none with these numbers, or nil.
    public var problem: String? {
        if bands.count != Self.bandCount { return "an equaliser has \(Self.bandCount) bands" }
        for pass in [highPass, lowPass] {
            if let pass, let problem = Self.problem(pass.frequency, "a frequency", Self.frequencyRange) {
                return problem
            }
        }
        for (index, band) in bands.enumerated() {
            if !Self.types(ofBand: index).contains(band.type) {
                return "band \(index + 1) cannot be a \(band.type.rawValue)"
            }
            if let problem = Self.problem(band.frequency, "a frequency", Self.frequencyRange)
                ?? Self.problem(band.gain, "a gain", Self.gainRange)
                ?? Self.problem(band.q, "a quality", Self.qualityRange)
            {
                return "band \(index + 1): \(problem)"
            }
        }
        return nil
    }

    private static func problem(_ number: Double, _ what: String, _ range: ClosedRange<Double>) -> String? {
        range.contains(number)
            ? nil : "\(number) is not \(what): it goes from \(range.lowerBound) to \(range.upperBound)"
    }
}
