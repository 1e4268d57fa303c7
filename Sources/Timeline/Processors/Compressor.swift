import JSON

/// Lowers what is louder than a threshold, behind the equaliser.
///
/// With the level L in dB of its loudest channel, or of its key's, threshold T, ratio R and knee W, the gain
/// reduction x is 0 where 2 (L - T) <= -W, (1 - 1/R) (L - T + W/2)^2 / (2 W) in the knee, and (1 - 1/R) (L -
/// T) above it. It goes to y = a y + (1 - a) x with a = exp(-1 / (time rate)), the attack's while x > y, else
/// the release's; and the gain is makeup - y dB. (The static curve and the branching smoother of Giannoulis,
/// Massberg and Reiss, "Digital Dynamic Range Compressor Design", JAES 60(6), 2012.)
public struct Compressor: Dynamics {
    public var isOn = true
    public var key: StripID?
    /// In dB.
    public var threshold = -20.0
    /// By what the excess is divided, 1 to 1000; 1000 stands for what has no end.
    public var ratio = 3.0
    /// In dB: how wide the curve is bent around the threshold.
    public var knee = 6.0
    /// The time constant at which the reduction grows.
    public var attack = MediaTime(value: 10, timescale: 1000)
    /// The time constant at which it goes back.
    public var release = MediaTime(value: 150, timescale: 1000)
    /// What is added, in dB.
    public var makeup = 0.0
    public var unknown = JSONObject()

    /// 3 to 1 above -20 dB.
    public init() {}

    /// The ratio that stands for what has no end.
    public static let endlessRatio = 1000.0

    public static let parameters: [Parameter<Compressor>] = [
        Parameter(
            "threshold", \.threshold, in: -120...24,
            "the level above which the compressor lowers the signal, in dB"),
        Parameter(
            "ratio", \.ratio, in: 1...endlessRatio,
            "compression ratio: the divisor of the excess over the threshold, in dB; 1000 is infinite"),
        Parameter(
            "knee", \.knee, in: 0...48, "how wide the compressor's curve is bent about its threshold, in dB"),
        Parameter(
            "attack", \.attack, in: 0...10_000,
            "the time constant with which the gain reduction grows, in milliseconds"),
        Parameter(
            "release", \.release, in: 0...60_000,
            "the time constant with which the gain reduction falls back, in milliseconds"),
        Parameter("makeup", \.makeup, in: -24...48, "what is added behind the compressor, in dB"),
    ]
}
