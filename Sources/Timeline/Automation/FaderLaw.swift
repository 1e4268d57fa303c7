import Glibc

/// Where a fader of 0 to 1 stands for a gain: the law that Ardour's faders follow, from silence at 0 over
/// unity at 0.78 to +6 dB (a gain of 2) at 1.
///
///     position = ((6 log2(gain) + 192) / 198)^8
public enum FaderLaw {
    /// 0 to 1; gains above 2 stand at 1.
    public static func position(gain: Double) -> Double {
        gain <= 0 ? 0 : min(1, pow(max(0, 6 * log2(gain) + 192) / 198, 8))
    }

    /// 0 to 2, the same on every processor; position 0 is silence.
    public static func gain(position: Double) -> Double {
        position <= 0
            ? 0 : ExactPower.ofTwo((position.squareRoot().squareRoot().squareRoot() * 198 - 192) / 6)
    }
}
