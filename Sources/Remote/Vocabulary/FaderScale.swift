import OSC
import Speakers
import Timeline

/// How a fader's value is told beside as a gain.
public enum FaderScale: String, CaseIterable, Sendable {
    /// In dB, from negative infinity.
    case db
    /// Where a physical fader stands, from 0 to 1: `FaderLaw`.
    case position

    public func value(gain: Double) -> Double {
        switch self {
        case .db: Volume.level(gain: gain)
        case .position: FaderLaw.position(gain: gain)
        }
    }

    /// - Throws: `CommandError` for what is not on the scale: refused, never clamped.
    public func gain(_ value: Double) throws(CommandError) -> Double {
        switch self {
        case .db:
            guard value <= Volume.level(gain: Volume.range.upperBound) else {
                throw CommandError("\(value) dB is not a volume: it goes from -inf to +12 dB")
            }
            return Volume.gain(level: value)
        case .position:
            guard (0...1).contains(value) else {
                throw CommandError("\(value) is not a fader's position: it goes from 0 to 1")
            }
            return FaderLaw.gain(position: value)
        }
    }
}
