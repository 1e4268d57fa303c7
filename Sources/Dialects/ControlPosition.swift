import Glibc
import Remote
import Timeline

/// Where a knob or a fader stands for a control's value, from 0 to 1, and back: what surfaces without a law
/// of their own go by. Volumes follow `FaderLaw`; frequencies, and other ranges of two decades and more, go
/// by octaves; the rest is even.
extension Control.Kind {
    /// nil for a value that has no place on a knob.
    func position(of value: ControlValue) -> Double? {
        switch (self, value) {
        case (.volume, .number(let gain)): FaderLaw.position(gain: gain)
        case (.number(let range), .number(let number)): Self.position(number, in: range)
        case (.flag, .flag(let flag)): flag ? 1 : 0
        case (.choice(let words), .text(let word)):
            words.firstIndex(of: word).map { Double($0) / Double(max(1, words.count - 1)) }
        default: nil
        }
    }

    /// - Parameter position: 0 to 1.
    func value(at position: Double) -> ControlValue? {
        switch self {
        case .volume: .number(FaderLaw.gain(position: position))
        case .number(let range): .number(Self.number(at: position, in: range))
        case .flag: .flag(position >= 0.5)
        case .choice(let words): .text(words[Int((position * Double(words.count - 1)).rounded())])
        default: nil
        }
    }

    private static func goesByOctaves(_ range: ClosedRange<Double>) -> Bool {
        range.lowerBound > 0 && range.upperBound >= 100 * range.lowerBound
    }

    private static func position(_ number: Double, in range: ClosedRange<Double>) -> Double {
        let (low, high) = (range.lowerBound, range.upperBound)
        let share =
            goesByOctaves(range)
            ? log2(max(low, number) / low) / log2(high / low) : (number - low) / (high - low)
        return min(1, max(0, share))
    }

    private static func number(at position: Double, in range: ClosedRange<Double>) -> Double {
        let (low, high) = (range.lowerBound, range.upperBound)
        let number = goesByOctaves(range) ? low * pow(high / low, position) : low + (high - low) * position
        return min(high, max(low, number))
    }
}
