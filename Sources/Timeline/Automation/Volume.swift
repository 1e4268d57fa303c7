import Glibc

/// Why a number or text is not a volume.
public struct VolumeError: Error, Equatable, CustomStringConvertible {
    /// What was to be a volume.
    public let text: String

    public var description: String {
        "\"\(text)\" is not a volume: it goes from 0 to 4 (1 is unity), or -inf to +12dB as in -6dB"
    }
}

/// A linear gain from 0 (silence) over 1 (unity) to 4 (+12 dB).
public enum Volume {
    /// Silence to +12 dB.
    public static let range = 0.0...4.0

    /// `value` itself if it is a volume.
    /// - Throws: `VolumeError` for NaN, infinities, negatives and values above 4: refused, never clamped.
    public static func checked(_ value: Double) throws(VolumeError) -> Double {
        guard range.contains(value) else { throw VolumeError(text: "\(value)") }
        return value + 0  // -0 becomes 0
    }

    /// Reads `0.5`, `-6dB`, `+3 dB`, `-inf`.
    /// - Throws: `VolumeError` for anything that is not such a text or lies out of range.
    public static func parse(_ text: String) throws(VolumeError) -> Double {
        let lower = text.lowercased()
        if ["-inf", "-infdb", "-inf db"].contains(lower) { return 0 }
        let isLevel = lower.hasSuffix("db")
        guard let number = isLevel ? decibels(text) : number(lower) else { throw VolumeError(text: text) }
        let value = isLevel ? gain(level: number) : number
        guard range.contains(value) else { throw VolumeError(text: text) }
        return value + 0
    }

    /// Reads a number of dB: `-6dB`, `-6`, `+3 dB`; nil for anything else.
    public static func decibels(_ text: String) -> Double? {
        let lower = text.lowercased()
        return number(
            lower.hasSuffix("db") ? String(lower.dropLast(2).reversed().drop { $0 == " " }.reversed()) : lower
        )
    }

    /// Plain decimal numbers only: Double's own parser also takes "nan", "inf" and hexadecimal.
    public static func number(_ digits: String) -> Double? {
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.e".contains($0)) }),
            let number = Double(digits), number.isFinite
        else { return nil }
        return number
    }

    /// The gain of a level in dB: 10^(level/20), the same on every processor.
    public static func gain(level: Double) -> Double { ExactPower.gain(level: level) }

    /// The level in dB of a gain: 20 log10(gain); negative infinity for 0.
    public static func level(gain: Double) -> Double { 20 * log10(gain) }
}
