import CEBUR128
import Glibc
import Speakers

/// The gain that brings a programme to a loudness without letting its peaks touch full level.
public struct LoudnessTarget: Equatable, Sendable {
    /// In LUFS, integrated.
    public let integrated: Double
    /// No true peak above this, in dBTP: what EBU R 128 allows a production.
    public static let maximumTruePeak = -1.0
    public static let range = -70.0...0.0

    /// - Throws: `LoudnessError` for what is no loudness of a programme: -70 to 0 LUFS.
    public init(integrated: Double) throws(LoudnessError) {
        guard Self.range.contains(integrated) else {
            throw LoudnessError(
                reason: "\(integrated) is not a loudness: it goes from -70 to 0 LUFS, as in -23")
        }
        self.integrated = integrated
    }

    /// In dB; 0 for silence.
    public func gain(for reading: LoudnessMeter.Reading) -> Double {
        guard reading.integrated.isFinite, reading.truePeak > 0 else { return 0 }
        // A thousandth below, for the true peak is measured, not known.
        return min(
            integrated - reading.integrated, Self.maximumTruePeak - 0.001 - 20 * log10(reading.truePeak))
    }
}
