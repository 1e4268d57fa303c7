import JSON

/// Keeps what leaves a strip under a level, last of all, with a look-ahead of 1.5 ms: its true peaks, as
/// meters by BS.1770 read them and as an ideal oversampling finds them.
///
/// What leaves the strip is late by that and by what the limiter has to see of it; all that is heard beside
/// it waits for it. Where nothing exceeds the level nothing is changed. The formula stands at `LimiterLine`.
public struct Limiter: LevelProcessor {
    public var isOn = true
    /// In dBTP, -40 to 0.
    public var level = -1.0
    /// The time constant at which its gain goes back.
    public var release = MediaTime(value: 100, timescale: 1000)
    public var unknown = JSONObject()

    /// At -1 dBTP.
    public init() {}

    /// By so many dB it stays below its level: what peaks between frames are taken for may be so much too
    /// low.
    public static let margin = 0.12

    public static let parameters: [Parameter<Limiter>] = [
        Parameter(
            "level", \.level, in: -40...0,
            "the level for true peaks, in dBTP; meters read at most 0.1 dB more"),
        Parameter(
            "release", \.release, in: 1...10_000,
            "the time constant with which the gain reduction falls back, in milliseconds"),
    ]
}
