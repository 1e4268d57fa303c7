import JSON

/// A time as someone asked for it: frames are only a time once the session's rate is known.
public enum TimeSpec: Equatable, Sendable {
    /// A time by itself.
    case time(MediaTime)
    /// Frames at the session's rate.
    case frames(Int64)
    /// Seconds that came as a float: taken to the nearest frame.
    case seconds(Double)

    /// The time at `sampleRate` frames a second.
    public func time(atRate sampleRate: Int32) -> MediaTime {
        switch self {
        case .time(let time): time
        case .frames(let frames): MediaTime(frame: frames, rate: sampleRate)
        case .seconds(let seconds): MediaTime(seconds: seconds, preferredTimescale: sampleRate)
        }
    }

    /// The last frame that can be named: at every rate that a session may have it lies before
    /// `MediaTime.latest`.
    public static let latestFrame = MediaTime.latest.value * Int64(Session.sampleRates.lowerBound)

    /// The same time, if it lies on the timeline.
    /// - Throws: `TimeTextError` for times below zero and beyond `MediaTime.latest`.
    public func checked() throws(TimeTextError) -> TimeSpec {
        switch self {
        case .time(let time):
            guard time <= .latest else { throw TimeTextError(text: "\(time)", reason: Self.tooLate) }
            guard time.isOnTimeline else { throw TimeTextError(text: "\(time)", reason: Self.negative) }
        case .frames(let frames):
            guard frames <= Self.latestFrame else {
                throw TimeTextError(text: "\(frames)f", reason: "it is beyond frame \(Self.latestFrame)")
            }
            guard frames >= 0 else { throw TimeTextError(text: "\(frames)f", reason: Self.negative) }
        case .seconds(let seconds):
            guard seconds <= MediaTime.latest.seconds else {
                throw TimeTextError(text: "\(seconds)", reason: Self.tooLate)
            }
            guard seconds >= 0 else { throw TimeTextError(text: "\(seconds)", reason: Self.negative) }
        }
        return self
    }

    private static let negative = "times begin at 0"
    private static let tooLate = "a timeline ends after a million hours, at \(MediaTime.latest)"

    /// Reads a time of the forms `2s` `0.5s` `500ms` `1:30` `1:02:03.25` `96000/48000` `96000f`; a bare
    /// number is seconds.
    /// - Throws: `TimeTextError` for anything else, for times below zero and beyond `MediaTime.latest`.
    public init(parsing text: String) throws(TimeTextError) {
        func fail(_ reason: String) -> TimeTextError { TimeTextError(text: text, reason: reason) }
        if text.isEmpty { throw fail("it is empty") }
        if text.utf8.count > 64 { throw fail("it is too long") }
        if text.hasPrefix("-") { throw fail(Self.negative) }
        if text.hasSuffix("f") {
            guard let frames = Self.digits(text.dropLast()), let count = Int64(exactly: frames) else {
                throw fail("frames are a whole number")
            }
            self = try Self.frames(count).checked()
            return
        }
        let time = try Self.exact(text)
        guard time <= .latest else { throw fail(Self.tooLate) }
        self = .time(time)
    }

    /// The time that a text says by itself, wherever it lies.
    static func exact(_ text: String) throws(TimeTextError) -> MediaTime {
        let failure = TimeTextError(text: text, reason: "no such form")
        if text.contains("/") {
            // With the timescale that was written.
            guard let ratio = ratio(text) else {
                throw hasLargeTimescale(text) ? TimeTextError(text: text, reason: tooFine) : failure
            }
            return ratio
        }
        let fraction: Fraction?
        if text.contains(":") {
            fraction = clock(text)
        } else if text.hasSuffix("ms") {
            fraction = decimal(text.dropLast(2)).map { Fraction($0.numerator, $0.denominator * 1000) }
        } else {
            fraction = decimal(text.hasSuffix("s") ? text.dropLast() : text[...])
        }
        guard let fraction else { throw failure }
        return MediaTime.reduced(fraction.numerator, over: fraction.denominator)
    }

    private struct Fraction {
        let numerator: Int128
        let denominator: Int128
        init(_ numerator: Int128, _ denominator: Int128) {
            let divisor = greatestCommonDivisor(numerator, denominator)
            self.numerator = numerator / divisor
            self.denominator = denominator / divisor
        }
    }

    private static func digits(_ text: Substring, atMost most: Int = 18) -> Int128? {
        guard !text.isEmpty, text.utf8.count <= most, text.utf8.allSatisfy(isDigit) else { return nil }
        return Int128(text)
    }

    /// `12`, `12.5`, `.5`, `12.`, and `1e-05` as programs print small floats.
    private static func decimal(_ text: Substring) -> Fraction? {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let number = plainDecimal(parts[0]) else { return nil }
        guard parts.count == 2 else { return number }
        guard parts[1].hasPrefix("-"), let power = digits(parts[1].dropFirst(), atMost: 3) else { return nil }
        // Far below the finest timescale there is nothing but zero.
        return power > 18 ? Fraction(0, 1) : Fraction(number.numerator, number.denominator * tens(Int(power)))
    }

    /// Up to 18 digits before the point and 15 behind it; what follows these is rounded.
    private static func plainDecimal(_ text: Substring) -> Fraction? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let behind = parts.count == 1 ? "" : parts[1]
        guard !(parts[0].isEmpty && behind.isEmpty), behind.utf8.allSatisfy(isDigit) else { return nil }
        let kept = behind.prefix(15)
        let whole = parts[0].isEmpty ? 0 : digits(parts[0])
        let part = kept.isEmpty ? 0 : digits(kept)
        guard let whole, let part else { return nil }
        let rounding: Int128 = behind.dropFirst(15).first.map { $0 >= "5" } == true ? 1 : 0
        let scale = tens(kept.utf8.count)
        return Fraction(whole * scale + part + rounding, scale)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func tens(_ power: Int) -> Int128 { (0..<power).reduce(1) { product, _ in product * 10 } }

    private static func ratio(_ text: String) -> MediaTime? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        // The end of the timeline has 19 digits in the finest timescale.
        guard parts.count == 2, let top = digits(parts[0], atMost: 19), let bottom = digits(parts[1]),
            bottom > 0, bottom <= Int32.max, top <= Int64.max
        else { return nil }
        return MediaTime(value: Int64(top), timescale: Int32(bottom))
    }

    /// Whether it is such a ratio but for the size of its timescale.
    private static func hasLargeTimescale(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }
            && (digits(parts[1]) ?? .max) > Int32.max
    }

    private static let tooFine = "a timescale, behind the /, is at most \(Int32.max)"

    /// `[hours:]minutes:seconds`; below the first, minutes and seconds stay under 60.
    private static func clock(_ text: String) -> Fraction? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let seconds = plainDecimal(parts[parts.count - 1]),
            seconds.numerator < 60 * seconds.denominator
        else { return nil }
        var minutes: Int128 = 0
        for (index, part) in parts.dropLast().enumerated() {
            guard let number = digits(part), index == 0 || number < 60 else { return nil }
            minutes = minutes * 60 + number
        }
        return Fraction(minutes * 60 * seconds.denominator + seconds.numerator, seconds.denominator)
    }
}
