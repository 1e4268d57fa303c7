/// Gains and levels in dB and back for every frame: this program's own series, so that they are the same on every processor.
enum Decibels {
    /// 20 log10(2).
    @_noLocks
    static func ofTwo() -> Double { 6.02059991327962390427 }

    /// Of a level above 0, in dB: its exponent by its bits, and the series of the inverse hyperbolic tangent to the 17th power of
    /// z = (m - 1) / (m + 1), |z| < 0.172. The error is below 1e-13 dB.
    @_noLocks
    static func of(_ level: Double) -> Double {
        let bits = level.bitPattern
        var exponent = Double(Int(bits >> 52) - 1023)
        var mantissa = Double(bitPattern: bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000)
        if mantissa > 1.41421356237309505 { (mantissa, exponent) = (mantissa * 0.5, exponent + 1) }
        let z = (mantissa - 1) / (mantissa + 1)
        let u = z * z
        var sum = 1 / 17.0
        sum = sum * u + 1 / 15.0
        sum = sum * u + 1 / 13.0
        sum = sum * u + 1 / 11.0
        sum = sum * u + 1 / 9.0
        sum = sum * u + 1 / 7.0
        sum = sum * u + 1 / 5.0
        sum = sum * u + 1 / 3.0
        sum = sum * u + 1
        // 20 log10(e), for the logarithm is 2 z sum.
        return exponent * ofTwo() + 17.3717792761300731 * z * sum
    }

    /// 10^(decibels / 20), for -6000 to 6000 dB: a power of two by its bits, the rest by the Taylor series of e^t to the 12th power, |t| < 0.347.
    /// The relative error is below 1e-14.
    @_noLocks
    static func gain(_ decibels: Double) -> Double {
        let x = min(996, max(-996, decibels / ofTwo()))
        var whole = Int(x)
        if Double(whole) > x { whole -= 1 }
        let t = (x - Double(whole) - 0.5) * 0.693147180559945309417
        var sum = 1 / 479_001_600.0
        sum = sum * t + 1 / 39_916_800.0
        sum = sum * t + 1 / 3_628_800.0
        sum = sum * t + 1 / 362_880.0
        sum = sum * t + 1 / 40_320.0
        sum = sum * t + 1 / 5040.0
        sum = sum * t + 1 / 720.0
        sum = sum * t + 1 / 120.0
        sum = sum * t + 1 / 24.0
        sum = sum * t + 1 / 6.0
        sum = sum * t + 0.5
        sum = sum * t + 1
        sum = sum * t + 1
        // sqrt 2, for the series lies about the middle.
        return sum * 1.41421356237309504880 * Double(bitPattern: UInt64(whole + 1023) << 52)
    }
}
