import Glibc
import Timeline

/// How a number of some unit travels as a float from 0 to 1 ("Unofficial X32/M32 OSC Remote Protocol",
/// "Type rules"): linf, logf and level.
package struct WireScale: Equatable {
    package enum Law: Equatable { case linear, logarithmic, level }

    package let law: Law
    /// What 0 and 1 stand for.
    package let low: Double
    package let high: Double
    /// How many steps there are between the ends.
    package let steps: Double

    /// From silence to +10 dB.
    package static let level = WireScale(law: .level, low: -90, high: 10, steps: 0)

    /// In steps of so much.
    package static func linear(_ low: Double, _ high: Double, step: Double) -> WireScale {
        WireScale(law: .linear, low: low, high: high, steps: ((high - low) / step).rounded())
    }

    /// Of so many values.
    package static func logarithmic(_ low: Double, _ high: Double, values: Double) -> WireScale {
        WireScale(law: .logarithmic, low: low, high: high, steps: values - 1)
    }

    /// What is told of a value. Frequencies and times are told in the steps that a desk has, for remotes read
    /// them as whole numbers and cut off the rest; all else is told as it is.
    package func snapped(_ part: Float) -> Float {
        law == .logarithmic ? Float((Double(part) * steps).rounded() / steps) : part
    }

    /// In its unit; a level in dB.
    package func number(_ part: Float) -> Double {
        let part = Double(part)
        return switch law {
        case .linear: low + (high - low) * part
        case .logarithmic: low * pow(high / low, part)
        case .level: Self.decibels(part)
        }
    }

    /// From 0 to 1; what is beyond an end stands there.
    package func part(_ number: Double) -> Float {
        let part =
            switch law {
            case .linear: (number - low) / (high - low)
            case .logarithmic: number <= 0 ? 0 : log(number / low) / log(high / low)
            case .level: Self.position(number)
            }
        return Float(min(1, max(0, part)))
    }

    /// Four straight lines: 10 dB at 1, -10 at a half, -30 at a quarter, -60 at a sixteenth, -90 above 0.
    private static func decibels(_ part: Double) -> Double {
        if part >= 0.5 { return 40 * part - 30 }
        if part >= 0.25 { return 80 * part - 50 }
        if part >= 0.0625 { return 160 * part - 70 }
        return part <= 0 ? -.infinity : 480 * part - 90
    }

    private static func position(_ decibels: Double) -> Double {
        if decibels >= -10 { return (decibels + 30) / 40 }
        if decibels >= -30 { return (decibels + 50) / 80 }
        if decibels >= -60 { return (decibels + 70) / 160 }
        return decibels < -90 ? 0 : (decibels + 90) / 480
    }

    /// A level as a gain, and back.
    package func gain(_ part: Float) -> Double { Volume.gain(level: number(part)) }
    package func part(gain: Double) -> Float { part(Volume.level(gain: gain)) }
}
