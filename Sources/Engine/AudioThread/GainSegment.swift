import Timeline

/// One stretch of a gain over frames: a value that holds, or a ramp. It governs from `start` until the next
/// one starts.
///
/// The value is computed from the frame's number, in double precision, and rounded once: it never drifts, and
/// is the same whatever the size of the blocks.
package struct GainSegment: Equatable, Sendable {
    package enum Shape: Equatable, Sendable {
        case hold, linear, scurve, equalPowerRising, equalPowerFalling, exponential
    }

    var start: Int64
    /// How far `start` lies into the ramp, in frames: ramps may begin between two frames.
    var lead: Double = 0
    /// 1 / the length of the ramp in frames.
    var inverseLength: Double = 0
    var base: Double
    /// V1 - V0; for an exponential ramp log2(V1 / V0).
    var span: Double = 0
    var shape: Shape = .hold

    /// A value that holds from `start` on.
    @_noLocks
    init(start: Int64, value: Double) {
        self.start = start
        base = value
    }

    /// A ramp between two values that begins `lead` frames before `start` and takes `length` frames (above
    /// 0).
    @_noLocks
    package init(
        start: Int64, lead: Double, length: Double, from first: Double, to last: Double, curve: GainCurve
    ) {
        self.start = start
        self.lead = lead
        inverseLength = 1 / length
        base = first
        span = last - first
        switch curve {
        case .linear: shape = .linear
        case .scurve: shape = .scurve
        case .equalpower: shape = span >= 0 ? .equalPowerRising : .equalPowerFalling
        case .exponential:
            shape = .exponential
            span = log2(last / first)
        }
    }

    /// The gain at `frame`, which must lie in this segment. Audio thread too; wait-free.
    @_noLocks
    package func value(at frame: Int64) -> Double {
        switch shape {
        case .hold: return base
        case .linear: return base + span * progress(at: frame)
        case .scurve:
            let s = sineOfQuarterTurns(progress(at: frame))
            return base + span * (s * s)  // (1 - cos(pi p)) / 2
        case .equalPowerRising: return base + span * sineOfQuarterTurns(progress(at: frame))
        // cos x is the sine of what is left of a quarter
        case .equalPowerFalling: return base + span * (1 - sineOfQuarterTurns(1 - progress(at: frame)))
        case .exponential: return base * powerOfTwo(span * progress(at: frame))
        }
    }

    /// The first frame behind its start, before `end`, whose value `isThere`; `end` if there is none. It is
    /// there from one frame on.
    func firstFrame(to end: Int64, _ isThere: (Double) -> Bool) -> Int64 {
        var (low, high) = (start, end)
        while low < high {
            let middle = low + (high - low) / 2
            if isThere(value(at: middle)) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The same way from one of its frames on, between other values.
    func part(from frame: Int64, base: Double, span: Double) -> GainSegment {
        var part = self
        (part.base, part.span) = (base, span)
        if frame != start { (part.start, part.lead) = (frame, lead + Double(frame - start)) }
        return part
    }

    /// p: how far the ramp has come at `frame`. Only of ramps: what holds from the beginning starts at the
    /// least number there is, and no difference to that exists.
    @_noLocks
    private func progress(at frame: Int64) -> Double { (Double(frame - start) + lead) * inverseLength }
}

/// sin(pi x / 2) for x from 0 to 1: the Taylor series to the 15th power; the first term left out is below
/// 1e-11.
@_noLocks
func sineOfQuarterTurns(_ x: Double) -> Double {
    let t = x * (Double.pi / 2)
    let u = t * t
    var sum = -1 / 1_307_674_368_000.0
    sum = sum * u + 1 / 6_227_020_800.0
    sum = sum * u - 1 / 39_916_800.0
    sum = sum * u + 1 / 362_880.0
    sum = sum * u - 1 / 5040.0
    sum = sum * u + 1 / 120.0
    sum = sum * u - 1 / 6.0
    return t + t * u * sum
}

/// 2^x for x from -1000 to 1000: 2 to the whole part by its bits, the rest by the Taylor series of e^(f ln 2)
/// to the 13th power; the first term left out is below 1e-13.
@_noLocks
func powerOfTwo(_ x: Double) -> Double {
    let bounded = min(1000, max(-1000, x))
    var whole = Int(bounded)
    if Double(whole) > bounded { whole -= 1 }
    let t = (bounded - Double(whole)) * 0.693147180559945309417
    var sum = 1.0
    var n = 13.0
    while n > 0 {
        sum = 1 + sum * t / n
        n -= 1
    }
    return sum * Double(bitPattern: UInt64(whole + 1023) << 52)
}

/// log2(x) for x above 0, by its bits and the series of the inverse hyperbolic tangent; relative error below
/// 1e-14.
@_noLocks
func log2(_ x: Double) -> Double {
    let bits = x.bitPattern
    var exponent = Int(bits >> 52) - 1023
    var mantissa = Double(bitPattern: bits & 0x000f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000)
    if mantissa > 1.41421356237309505 { (mantissa, exponent) = (mantissa / 2, exponent + 1) }
    let z = (mantissa - 1) / (mantissa + 1)
    let u = z * z
    var sum = 0.0
    var n = 21.0
    while n >= 1 {
        sum = sum * u + 1 / n
        n -= 2
    }
    return Double(exponent) + 2 * z * sum * 1.44269504088896340736
}
