/// How a number between two neighbours becomes one of them.
public enum RoundingRule: Sendable {
    /// The nearer; a tie goes to the one farther from zero.
    case nearest
    /// Towards negative infinity.
    case down
    /// Towards positive infinity.
    case up

    /// `numerator / denominator` (above 0) as a whole number by this rule.
    func divide(_ numerator: Int128, by denominator: Int128) -> Int128 {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        if remainder == 0 { return quotient }
        let floor = remainder < 0 ? quotient - 1 : quotient
        switch self {
        case .down: return floor
        case .up: return floor + 1
        case .nearest:
            let twice = remainder.magnitude * 2
            return twice >= denominator.magnitude ? quotient + remainder.signum() : quotient
        }
    }
}

extension MediaTime {
    public static func + (a: MediaTime, b: MediaTime) -> MediaTime { sum(a, b, sign: 1) }
    public static func - (a: MediaTime, b: MediaTime) -> MediaTime { sum(a, b, sign: -1) }
    public static prefix func - (a: MediaTime) -> MediaTime { .zero - a }

    /// The number of the frame at this time at `rate` frames a second.
    ///
    /// Exact in 128 bits; beyond the range of Int64 it stays at the range's end. Not for times that are not numeric: these give 0.
    public func frame(atRate rate: Int32, rounding: RoundingRule = .nearest) -> Int64 {
        guard isNumeric else { return 0 }
        return Int64(clamping: rounding.divide(Int128(value) * Int128(rate), by: Int128(timescale)))
    }

    /// The time of frame `frame` at `rate` frames a second.
    public init(frame: Int64, rate: Int32) { self.init(value: frame, timescale: rate) }

    /// The same time in units of 1/`timescale`, rounded by `rounding`; `hasBeenRounded` is set if that changed it.
    public func converted(to timescale: Int32, rounding: RoundingRule = .nearest) -> MediaTime {
        guard isNumeric, timescale > 0 else { return isNumeric ? .invalid : self }
        let product = Int128(value) * Int128(timescale)
        return MediaTime.fitted(rounding.divide(product, by: Int128(self.timescale)), timescale, epoch,
                                rounded: hasBeenRounded || product % Int128(self.timescale) != 0)
    }

    private static func sum(_ a: MediaTime, _ b: MediaTime, sign: Int128) -> MediaTime {
        guard a.isValid, b.isValid else { return .invalid }
        guard a.isNumeric, b.isNumeric else { return sumOfSpecials(a, b, sign: sign) }
        let divisor = greatestCommonDivisor(Int128(a.timescale), Int128(b.timescale))
        let scale = Int128(a.timescale) / divisor * Int128(b.timescale)
        let value = Int128(a.value) * (scale / Int128(a.timescale)) + sign * Int128(b.value) * (scale / Int128(b.timescale))
        return reduced(value, over: scale, epoch: a.epoch, rounded: a.hasBeenRounded || b.hasBeenRounded)
    }

    private static func sumOfSpecials(_ a: MediaTime, _ b: MediaTime, sign: Int128) -> MediaTime {
        if a.flags.contains(.indefinite) || b.flags.contains(.indefinite) { return .indefinite }
        let signs = [a.infinitySign, b.infinitySign * Int(sign)].filter { $0 != 0 }
        if Set(signs).count > 1 { return .indefinite }
        return signs[0] > 0 ? .positiveInfinity : .negativeInfinity
    }

    private var infinitySign: Int {
        flags.contains(.positiveInfinity) ? 1 : (flags.contains(.negativeInfinity) ? -1 : 0)
    }

    /// `numerator / denominator` as a time: exact if a timescale of 31 bits can say it, else rounded to the finest that can.
    static func reduced(_ numerator: Int128, over denominator: Int128, epoch: Int64 = 0, rounded: Bool = false) -> MediaTime {
        if let scale = Int32(exactly: denominator), Int64(exactly: numerator) != nil {
            return fitted(numerator, scale, epoch, rounded: rounded)
        }
        let divisor = greatestCommonDivisor(numerator, denominator)
        let (top, bottom) = (numerator / divisor, denominator / divisor)
        if let scale = Int32(exactly: bottom) { return fitted(top, scale, epoch, rounded: rounded) }
        let value = RoundingRule.nearest.divide(top * Int128(Int32.max), by: bottom)
        return fitted(value, .max, epoch, rounded: true)
    }

    private static func fitted(_ value: Int128, _ timescale: Int32, _ epoch: Int64, rounded: Bool) -> MediaTime {
        guard let value = Int64(exactly: value) else { return value > 0 ? .positiveInfinity : .negativeInfinity }
        return MediaTime(value: value, timescale: timescale, flags: rounded ? [.valid, .hasBeenRounded] : .valid, epoch: epoch)
    }
}
