import JSON

/// The times from `start` up to, but not at, `end`.
public struct TimeRange: Hashable, Sendable {
    /// The first time in it.
    public let start: MediaTime
    /// How long it lasts.
    public let duration: MediaTime
    /// The first time that is not in it any more.
    public let end: MediaTime

    /// From `start` on for `duration`, both kept as they are said.
    public init(start: MediaTime, duration: MediaTime) {
        (self.start, self.duration, end) = (start, duration, start + duration)
    }

    /// From `start` up to, but not at, `end`, both kept as they are said.
    public init(start: MediaTime, end: MediaTime) {
        (self.start, duration, self.end) = (start, end - start, end)
    }

    /// Begins at zero and lasts no time.
    public static let zero = TimeRange(start: .zero, duration: .zero)
    /// No range at all.
    public static let invalid = TimeRange(start: .invalid, duration: .invalid)

    /// Whether both of its times are valid, and the duration is not negative.
    public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }
    /// Whether it holds no time.
    public var isEmpty: Bool { duration == .zero }

    /// Whether `time` lies in it; its end does not.
    public func contains(_ time: MediaTime) -> Bool { start <= time && time < end }

    /// Whether all of `other` is in it; an empty range is in every range that contains its start.
    public func contains(_ other: TimeRange) -> Bool {
        other.isEmpty ? contains(other.start) : start <= other.start && other.end <= end
    }

    /// Whether they share any time; ranges that only touch do not.
    public func overlaps(_ other: TimeRange) -> Bool { start < other.end && other.start < end }

    /// The time that both have; an empty range if there is none.
    public func intersection(_ other: TimeRange) -> TimeRange {
        let (first, last) = (max(start, other.start), min(end, other.end))
        return first < last ? TimeRange(start: first, end: last) : .zero
    }

    /// From the earlier start to the later end, with whatever lies between.
    public func union(_ other: TimeRange) -> TimeRange {
        TimeRange(start: min(start, other.start), end: max(end, other.end))
    }

    /// `time` itself if it lies in the range or at its end, else the nearer end. As CMTimeClampToRange.
    public func clamp(_ time: MediaTime) -> MediaTime { min(max(time, start), end) }

    /// Where `time` of this range lies in `target` when this is stretched to it. An empty range maps to the
    /// target's start.
    public func map(_ time: MediaTime, to target: TimeRange) -> MediaTime {
        guard duration > .zero, time.isNumeric, target.duration.isNumeric, duration.isNumeric else {
            return time.isNumeric ? target.start : .invalid
        }
        let offset = time - start
        let top = Int128(offset.value) * Int128(duration.timescale)
        let bottom = Int128(offset.timescale) * Int128(duration.value)
        // The share is reduced before it is multiplied, so that 128 bits are enough for what times on a
        // timeline come to.
        let divisor = greatestCommonDivisor(top, bottom)
        let (share, whole) = (top / divisor, bottom / divisor)
        let (numerator, isTooLarge) = share.multipliedReportingOverflow(by: Int128(target.duration.value))
        let (denominator, isTooFine) = whole.multipliedReportingOverflow(
            by: Int128(target.duration.timescale))
        if isTooLarge || isTooFine {
            return target.start + target.duration.multiplied(by: Double(share) / Double(whole))
        }
        return target.start + MediaTime.reduced(numerator, over: denominator)
    }
}

extension TimeRange: CustomStringConvertible, CustomDebugStringConvertible {
    /// As the mixer's messages say it: `2s-4s`.
    public var description: String { "\(start.readable)-\(end.readable)" }

    /// Start and duration as `CMTimeRangeShow` prints them.
    public var debugDescription: String { "{\(start.debugDescription), \(duration.debugDescription)}" }
}

extension MediaTime: CustomDebugStringConvertible {
    /// Value, timescale and seconds as `CMTimeShow` prints them: `{1/3 = 0.333}`.
    public var debugDescription: String {
        guard isNumeric else { return "{\(isValid ? description.uppercased() : "INVALID")}" }
        let thousandths = RoundingRule.nearest.divide(Int128(value) * 1000, by: Int128(timescale))
        let padded = zeroPadded(thousandths.magnitude, 4)
        let seconds = "\(thousandths < 0 ? "-" : "")\(padded.dropLast(3)).\(padded.suffix(3))"
        return "{\(value)/\(timescale) = \(seconds)\(hasBeenRounded ? ", rounded" : "")}"
    }
}
