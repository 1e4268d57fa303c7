extension MediaTime {
    /// The sum, as CMTimeAdd's documentation has it: exact where a timescale of 31 bits can say it, else
    /// rounded and marked so; what overflows is said in coarser units.
    ///
    /// Infinities absorb what is not infinite; opposite ones give invalid. Epoch zero holds durations, which
    /// can be added to times of any epoch; times of one other epoch give a duration, those of two give
    /// invalid.
    public static func + (a: MediaTime, b: MediaTime) -> MediaTime { sum(a, b, sign: 1) }
    /// The difference, by the rules of the sum.
    public static func - (a: MediaTime, b: MediaTime) -> MediaTime { sum(a, b, sign: -1) }
    /// As far on the other side of zero.
    public static prefix func - (a: MediaTime) -> MediaTime { a * -1 }
    /// Adds.
    public static func += (a: inout MediaTime, b: MediaTime) { a = a + b }
    /// Subtracts.
    public static func -= (a: inout MediaTime, b: MediaTime) { a = a - b }
    /// So many times this time, by the rules of the sum.
    public static func * (a: MediaTime, factor: Int32) -> MediaTime { a.multiplied(by: factor, over: 1) }

    /// This time `numerator / denominator` times: exact where a timescale of 31 bits can say it. A
    /// denominator of 0 gives `.invalid`.
    ///
    /// An infinity stays one, its sign turned by a negative factor; times zero it is indefinite.
    public func multiplied(by numerator: Int32, over denominator: Int32) -> MediaTime {
        guard isValid, denominator != 0 else { return .invalid }
        let sign = Int(numerator.signum() * denominator.signum())
        guard isNumeric else {
            if flags.contains(.indefinite) || sign == 0 { return .indefinite }
            return .infinity(Int128(infinitySign * sign))
        }
        let top = Int128(value) * Int128(numerator) * Int128(denominator.signum())
        return MediaTime.reduced(
            top, over: Int128(timescale) * Int128(denominator.magnitude), epoch: epoch,
            rounded: hasBeenRounded)
    }

    /// This time `factor` times: exact where a timescale of 31 bits can say it, else rounded to the finest
    /// and marked so. A factor that is not a number gives `.invalid`.
    public func multiplied(by factor: Double) -> MediaTime {
        guard isValid, !factor.isNaN else { return .invalid }
        guard isNumeric, factor.isFinite else { return multipliedSpecial(by: factor) }
        if let exact = multipliedExactly(by: factor) { return exact }
        let seconds = Double(value) * factor / Double(timescale)
        let fine = MediaTime(seconds: seconds, preferredTimescale: .max)
        let best = fine.isNumeric ? fine : MediaTime(seconds: seconds, preferredTimescale: 1)
        guard best.isNumeric else { return best }
        return MediaTime(
            value: best.value, timescale: best.timescale, flags: [.valid, .hasBeenRounded], epoch: epoch)
    }

    /// Where a timescale of 31 bits can say it.
    private func multipliedExactly(by factor: Double) -> MediaTime? {
        // A Double is a whole number of 53 bits over a power of two.
        let places = factor == 0 ? 0 : max(0, 52 - Int(factor.exponent))
        if places <= 90,
            let numerator = Int64(exactly: factor * Double(sign: .plus, exponent: places, significand: 1))
        {
            let (top, bottom) = (Int128(value) * Int128(numerator), Int128(timescale) << Int128(places))
            let divisor = greatestCommonDivisor(top, bottom)
            if let scale = Int32(exactly: bottom / divisor) {
                return MediaTime.fitted(top / divisor, scale, epoch, rounded: hasBeenRounded)
            }
        }
        return nil
    }

    /// Where one of both is no finite number.
    private func multipliedSpecial(by factor: Double) -> MediaTime {
        let sign =
            (isNumeric ? Int(value.signum()) : infinitySign) * (factor > 0 ? 1 : (factor < 0 ? -1 : 0))
        return flags.contains(.indefinite) || sign == 0 ? .indefinite : .infinity(Int128(sign))
    }

    /// Its distance from zero.
    public var absolute: MediaTime { self < MediaTime.zero(in: epoch) ? -self : self }

    private static func zero(in epoch: Int64) -> MediaTime {
        MediaTime(value: 0, timescale: 1, flags: .valid, epoch: epoch)
    }

    /// The number of the frame at this time at `rate` frames a second.
    ///
    /// Exact in 128 bits; beyond the range of Int64 it stays at the range's end. Not for times that are not
    /// numeric: these give 0.
    public func frame(atRate rate: Int32, rounding: RoundingRule = .nearest) -> Int64 {
        guard isNumeric else { return 0 }
        return Int64(clamping: rounding.divide(Int128(value) * Int128(rate), by: Int128(timescale)))
    }

    /// How many frames at `rate` lie between `start` and this time, parts of frames included: computed
    /// exactly and rounded once. For times of a timeline.
    public func frames(since start: MediaTime, atRate rate: Int32) -> Double {
        let distance = Int128(value) * Int128(start.timescale) - Int128(start.value) * Int128(timescale)
        return Self.double(distance * Int128(rate)) / Double(Int64(timescale) * Int64(start.timescale))
    }

    /// The Double nearest to a number. The standard library's own conversion is generic, and takes a hundred
    /// times as long.
    private static func double(_ number: Int128) -> Double {
        if let small = Int64(exactly: number) { return Double(small) }
        let magnitude = number.magnitude
        // Of its 64 bits or more the upper 63. What is cut off counts only as being there: rounding needs no
        // more.
        let excess = 65 - magnitude.leadingZeroBitCount
        let top = UInt64(magnitude >> excess) | (magnitude.trailingZeroBitCount < excess ? 1 : 0)
        return Double(sign: number < 0 ? .minus : .plus, exponent: excess, significand: Double(top))
    }

    /// The time of frame `frame` at `rate` frames a second.
    public init(frame: Int64, rate: Int32) { self.init(value: frame, timescale: rate) }

    /// The same time in units of 1/`timescale`, rounded by `rounding`; `hasBeenRounded` is set if that
    /// changed it.
    public func converted(to timescale: Int32, rounding: RoundingRule = .nearest) -> MediaTime {
        guard isNumeric, timescale > 0 else { return isNumeric ? .invalid : self }
        let product = Int128(value) * Int128(timescale)
        guard let units = Int64(exactly: rounding.divide(product, by: Int128(self.timescale))) else {
            return .infinity(Int128(value))
        }
        let isExact = !hasBeenRounded && product % Int128(self.timescale) == 0
        return MediaTime(
            value: units, timescale: timescale, flags: isExact ? .valid : [.valid, .hasBeenRounded],
            epoch: epoch)
    }

    private static func sum(_ a: MediaTime, _ b: MediaTime, sign: Int128) -> MediaTime {
        guard a.isValid, b.isValid else { return .invalid }
        guard a.isNumeric, b.isNumeric else {
            return sumOfSpecials(a.infinitySign, b.infinitySign * Int(sign))
        }
        guard a.epoch == b.epoch || a.epoch == 0 || b.epoch == 0 else { return .invalid }
        let (aScale, bScale) = (Int128(a.timescale), Int128(b.timescale))
        let divisor = greatestCommonDivisor(aScale, bScale)
        let scale = aScale / divisor * bScale
        let value = Int128(a.value) * (bScale / divisor) + sign * Int128(b.value) * (aScale / divisor)
        // One of them is zero, or both are one.
        return reduced(
            value, over: scale, epoch: a.epoch ^ b.epoch, rounded: a.hasBeenRounded || b.hasBeenRounded)
    }

    /// Of two times of which one at least is no number, by the signs of their infinities.
    private static func sumOfSpecials(_ a: Int, _ b: Int) -> MediaTime {
        if a == -b { return a == 0 ? .indefinite : .invalid }
        return .infinity(Int128(a + b))
    }

    /// That of a number that is too large, or of a sign.
    private static func infinity(_ number: Int128) -> MediaTime {
        number < 0 ? .negativeInfinity : .positiveInfinity
    }

    private var infinitySign: Int {
        flags.contains(.positiveInfinity) ? 1 : (flags.contains(.negativeInfinity) ? -1 : 0)
    }

    /// `numerator / denominator` as a time: exact if a timescale of 31 bits can say it, else rounded to the
    /// finest that can.
    static func reduced(
        _ numerator: Int128, over denominator: Int128, epoch: Int64 = 0, rounded: Bool = false
    ) -> MediaTime {
        if let scale = Int32(exactly: denominator), Int64(exactly: numerator) != nil {
            return fitted(numerator, scale, epoch, rounded: rounded)
        }
        let divisor = greatestCommonDivisor(numerator, denominator)
        let (top, bottom) = (numerator / divisor, denominator / divisor)
        if let scale = Int32(exactly: bottom) { return fitted(top, scale, epoch, rounded: rounded) }
        // What is beyond 96 bits is far below what rounding takes.
        let excess = max(0, 33 - top.magnitude.leadingZeroBitCount)
        guard bottom >> excess > 0 else { return .infinity(top) }
        return fitted(
            RoundingRule.nearest.divide((top >> excess) * Int128(Int32.max), by: bottom >> excess), .max,
            epoch, rounded: true)
    }

    /// A value that is too large for 64 bits is said in coarser units, each half as fine as the one before;
    /// if even seconds are too many it is an infinity. So CMTimeAdd does.
    private static func fitted(
        _ value: Int128, _ timescale: Int32, _ epoch: Int64, rounded: Bool
    ) -> MediaTime {
        // Beyond that not even seconds can say it, and no product below has more than 128 bits.
        guard value.magnitude >> 95 == 0 else { return .infinity(value) }
        var (units, scale) = (value, timescale)
        while Int64(exactly: units) == nil, scale > 1 {
            scale /= 2
            units = RoundingRule.nearest.divide(value * Int128(scale), by: Int128(timescale))
        }
        guard let units = Int64(exactly: units) else { return .infinity(value) }
        let isExact = Int128(units) * Int128(timescale) == value * Int128(scale) && !rounded
        return MediaTime(
            value: units, timescale: scale, flags: isExact ? .valid : [.valid, .hasBeenRounded], epoch: epoch)
    }
}
