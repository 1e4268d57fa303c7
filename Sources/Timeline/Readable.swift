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
        let milliseconds = Int((min(abs(seconds), MediaTime.latest.seconds) * 1000).rounded())
        func padded(_ number: Int, _ width: Int) -> String { String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)" }
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        let rest = "\(padded(milliseconds / 1000 % 60, 2)).\(padded(milliseconds % 1000, 3))"
        return "\(seconds < 0 && milliseconds > 0 ? "-" : "")\(hours > 0 ? "\(hours):\(padded(minutes, 2))" : "\(minutes)"):\(rest)"
    }
}
