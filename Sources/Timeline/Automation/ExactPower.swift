/// Powers that are the same on every processor: by sums and products alone, each rounded as IEEE 754 says,
/// where the C library's last bit goes by what the processor can do. They are worked out to some 100 bits and
/// rounded once, so they are the nearest number but for one case in about 2^40.
package enum ExactPower {
    /// 10^(level / 20), exactly 1 at 0.
    package static func gain(level: Double) -> Double {
        // log2(10) / 20 in two parts. Far beyond both ends there are no parts.
        power(
            abs(level) < 10_000
                ? TwoDoubles(0.16609640474436813, -8.345257784509387e-18) * TwoDoubles(level)
                : TwoDoubles(level))
    }

    /// 2^x; 0 below the least normal number, and infinity beyond the greatest.
    package static func ofTwo(_ x: Double) -> Double { power(TwoDoubles(x)) }

    /// 2 to the whole part by its bits, e^t for the rest, |t| < 0.35: Taylor's series to the 13th power for a
    /// sixteenth of t, whose first term left out is below 1e-34, squared four times.
    private static func power(_ x: TwoDoubles) -> Double {
        if !(x.high > -1022) { return x.high.isNaN ? .nan : 0 }
        if x.high >= 1024 { return .infinity }
        let whole = x.high.rounded()
        let rest = TwoDoubles(x.high - whole, x.low)
        let t = rest * TwoDoubles(0.6931471805599453 / 16, 2.3190468138462996e-17 / 16)
        var sum = TwoDoubles(1)
        for n in stride(from: 13.0, through: 1, by: -1) { sum = TwoDoubles(1) + t * sum / n }
        for _ in 0..<4 { sum = sum * sum }
        return Double(sign: .plus, exponent: Int(whole), significand: sum.high)
    }
}
