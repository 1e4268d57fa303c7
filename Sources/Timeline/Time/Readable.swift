import JSON

/// Values as people read them, rounded; programs get exact ones, as JSON.
public enum Readable {
    /// A gain in dB with one decimal: `-6.0 dB`, `-inf dB` for silence.
    public static func level(gain: Double) -> String { "\(decibels(gain: gain)) dB" }

    /// The same without its unit.
    public static func decibels(gain: Double) -> String {
        let level = Volume.level(gain: gain)
        guard level.isFinite else { return gain > 0 ? "inf" : "-inf" }
        let tenths = (level * 10).rounded()
        return "\(tenths == 0 ? 0.0 : tenths / 10)"
    }

    /// A time to the millisecond: `0:19.350`, `1:02:03.250`; a minus before what lies before the start.
    public static func clock(_ seconds: Double) -> String {
        let length = seconds.isNaN ? 0 : min(abs(seconds), MediaTime.latest.seconds)
        let milliseconds = Int((length * 1000).rounded())
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        let rest = "\(zeroPadded(milliseconds / 1000 % 60, 2)).\(zeroPadded(milliseconds % 1000, 3))"
        let sign = seconds < 0 && milliseconds > 0 ? "-" : ""
        return "\(sign)\(hours > 0 ? "\(hours):\(zeroPadded(minutes, 2))" : "\(minutes)"):\(rest)"
    }
}
