import JSON

/// Why a text is not a time.
public struct TimeTextError: Error, Equatable, CustomStringConvertible {
    /// What was to be read.
    public let text: String
    /// What is wrong with it.
    public let reason: String

    public var description: String {
        """
        "\(text)" is not a time (\(reason)): write 2s, 0.5s, 500ms, 1:30, 1:02:03.25, 96000/48000 or 96000f
        """
    }
}

extension MediaTime: CustomStringConvertible {
    /// Exact: `2s`, `0.5s` where nine decimals can say it, else the fraction as it is, `7/44100`. Reads back
    /// as the same time.
    public var description: String {
        guard isNumeric else {
            if !isValid { return "invalid" }
            return flags.contains(.indefinite) ? "indefinite" : (seconds > 0 ? "+infinity" : "-infinity")
        }
        let divisor = greatestCommonDivisor(Int128(value), Int128(timescale))
        let (top, bottom) = (Int128(value) / divisor, Int128(timescale) / divisor)
        var (scale, places): (Int128, Int) = (1, 0)
        while scale % bottom != 0, places < 9 { (scale, places) = (scale * 10, places + 1) }
        guard scale % bottom == 0 else { return "\(value)/\(timescale)" }
        let (sign, digits) = (top < 0 ? "-" : "", (top * (scale / bottom)).magnitude)
        if places == 0 { return "\(sign)\(digits)s" }
        let padded = zeroPadded(digits, places + 1)
        return "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))s"
    }
}

extension MediaTime {
    /// For people: as it is written where that is short, else to the millisecond, as `0:25.329`.
    public var readable: String {
        let text = description
        return isNumeric && (text.contains("/") || text.utf8.count > 8) ? Readable.clock(seconds) : text
    }
}
