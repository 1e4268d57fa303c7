import Glibc
import Timeline

extension Equaliser {
    /// What it does to a tone, in dB: the curve of the filters that are heard, as it stands without the
    /// timeline.
    /// - Parameters:
    ///   - frequency: in Hz, above 0; above half the rate nothing is heard.
    ///   - sampleRate: that it plays at.
    public func response(at frequency: Double, sampleRate: Int32) -> Double {
        let turn = tan(Double.pi * min(frequency / Double(sampleRate), 0.4999))
        return EqualiserDesign(sampleRate: sampleRate).sections(self).compactMap { $0 }
            .reduce(0) { $0 + 10 * log10($1.power(at: turn)) }
    }
}

extension FilterCoefficients {
    /// The square of what it does to a tone.
    ///
    /// With s = i t / g, where t is the tangent of half the tone's step, the state variable filter makes of
    /// 1: low = 1 / (s^2 + k s + 1) and band = s low.
    /// - Parameter turn: that tangent.
    fileprivate func power(at turn: Double) -> Double {
        let s = turn / g
        let (below, beside) = (1 - s * s, k * s)
        // (dry (s^2 + k s + 1) + band s + low) / (s^2 + k s + 1)
        let (real, imaginary) = (dry * below + low, dry * beside + band * s)
        return (real * real + imaginary * imaginary) / (below * below + beside * beside)
    }
}
