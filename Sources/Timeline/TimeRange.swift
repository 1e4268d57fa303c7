/// The times from `start` up to, but not at, `end`.
public struct TimeRange: Hashable, Sendable {
    public let start: MediaTime
    public let duration: MediaTime

    public init(start: MediaTime, duration: MediaTime) {
        self.start = start
        self.duration = duration
    }

    public init(start: MediaTime, end: MediaTime) { self.init(start: start, duration: end - start) }

    public var end: MediaTime { start + duration }
    public var isEmpty: Bool { duration == .zero }

    public func contains(_ time: MediaTime) -> Bool { start <= time && time < end }

    /// Whether they share any time; ranges that only touch do not.
    public func overlaps(_ other: TimeRange) -> Bool { start < other.end && other.start < end }
}

extension TimeRange: CustomStringConvertible {
    /// As the mixer's messages say it: `2s-4s`.
    public var description: String { "\(start)-\(end)" }
}
