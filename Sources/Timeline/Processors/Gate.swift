import JSON

/// Lowers what is quieter than a threshold, before the equaliser.
///
/// It opens where the level in dB of its loudest channel, or of its key's, is at the threshold or above, and
/// closes where that has been below `close` for longer than `hold`. The gain reduction x is 0 while it is
/// open, else `range`; it goes to y = a y + (1 - a) x with a = exp(-1 / (time rate)), the attack's while x <
/// y, else the release's; and the gain is -y dB. A range of 120 dB is all the way: x is then 144 dB, and from
/// 120 dB on there is silence.
public struct Gate: Dynamics {
    public var isOn = true
    public var key: StripID?
    /// In dB.
    public var threshold = -40.0
    /// So many dB below the threshold it closes.
    public var hysteresis = 6.0
    /// How far it lowers what is below, in dB, 0 to 120; 120 is silence.
    public var range = 120.0
    /// The time constant at which it opens.
    public var attack = MediaTime(value: 1, timescale: 1000)
    /// How long it stays open.
    public var hold = MediaTime(value: 100, timescale: 1000)
    /// The time constant at which it closes.
    public var release = MediaTime(value: 100, timescale: 1000)
    public var unknown = JSONObject()

    /// All the way below -40 dB.
    public init() {}

    /// The range that stands for all the way.
    public static let endlessRange = 120.0

    /// The level below which it closes, in dB, -168 at the least; another threshold takes it along.
    public var close: Double {
        get { max(Self.lowestClose, threshold - hysteresis) }
        set { hysteresis = threshold - newValue }
    }

    /// In dB: below all thresholds by as much as a gate can have.
    static let lowestClose = -168.0

    /// Why it cannot be so; nil where it can.
    public var problem: String? {
        hysteresis < 0 ? "a gate closes below where it opens, and \(close) dB is above \(threshold)" : nil
    }

    public static let parameters: [Parameter<Gate>] = [
        Parameter("threshold", \.threshold, in: -120...24, "the level at which the gate opens, in dB"),
        Parameter(
            "close", \.close, in: lowestClose...24,
            "the level below which the gate closes, in dB, at most the threshold; 6 below it unless told"),
        Parameter(
            "range", \.range, in: 0...endlessRange,
            "how many dB the closed gate lowers the signal; 120 is silence"),
        Parameter(
            "attack", \.attack, in: 0...10_000, "the time constant at which the gate opens, in milliseconds"),
        Parameter(
            "hold", \.hold, in: 0...60_000,
            "how long the level has to be below close before the gate closes, in milliseconds"),
        Parameter(
            "release", \.release, in: 0...60_000,
            "the time constant at which the gate closes, in milliseconds"),
    ]
}
