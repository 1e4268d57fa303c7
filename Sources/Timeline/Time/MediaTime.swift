/// A time as a rational number of seconds: `value / timescale`, as CMTime has it.
///
/// Sums, differences and comparisons are exact wherever the result has a timescale of 31 bits; where it has
/// not, the result is rounded and says so (`hasBeenRounded`). Nothing traps: what does not fit in seconds
/// becomes an infinity.
public struct MediaTime: Sendable {
    /// The numerator; meaningful only for a numeric time.
    public let value: Int64
    /// The denominator, units per second, from 1 up; 0 for times that are not numeric.
    public let timescale: Int32
    /// What kind of time it is, and whether it was rounded.
    public let flags: Flags
    /// Tells apart timelines that share numbers; times of different epochs are ordered by epoch. The mixer's
    /// are all zero: it is here for what comes from CMTime.
    public let epoch: Int64

    /// The kinds of times.
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Any time but `.invalid`.
        public static let valid = Flags(rawValue: 1)
        /// Not exactly what was computed.
        public static let hasBeenRounded = Flags(rawValue: 2)
        /// After every number.
        public static let positiveInfinity = Flags(rawValue: 4)
        /// Before every number.
        public static let negativeInfinity = Flags(rawValue: 8)
        /// Not known, as the duration of what has not ended.
        public static let indefinite = Flags(rawValue: 16)
    }

    init(value: Int64, timescale: Int32, flags: Flags, epoch: Int64 = 0) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// `value / timescale` seconds. A timescale below 1 gives `.invalid`.
    public init(value: Int64, timescale: Int32, epoch: Int64 = 0) {
        self =
            timescale > 0
            ? MediaTime(value: value, timescale: timescale, flags: .valid, epoch: epoch) : .invalid
    }

    /// A whole number of seconds; one beyond 64 bits gives an infinity.
    public init(seconds: some BinaryInteger) {
        guard let value = Int64(exactly: seconds) else {
            self = seconds > 0 ? .positiveInfinity : .negativeInfinity
            return
        }
        self.init(value: value, timescale: 1)
    }

    /// The decimal number that `seconds` is written as: 2.5 is 5/2 and 0.1 a tenth, and not the Double next
    /// to it. What no timescale can say is taken to the nearest billionth, not a number gives `.invalid`.
    public init(seconds: Double) {
        guard seconds.isFinite, case .time(let time)? = try? TimeSpec(parsing: "\(abs(seconds))s") else {
            self.init(seconds: seconds, preferredTimescale: 1_000_000_000)
            return
        }
        self = seconds < 0 ? .zero - time : time
    }

    /// A number of thousandths of a second.
    public static func milliseconds(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 1000) }

    /// The multiple of 1/`timescale` that is nearest to `seconds`, ties away from zero; not a number gives
    /// `.invalid`.
    public init(seconds: Double, preferredTimescale timescale: Int32) {
        let scaled = (seconds * Double(timescale)).rounded(.toNearestOrAwayFromZero)
        if seconds.isNaN || timescale <= 0 {
            self = .invalid
        } else if scaled >= 0x1p63 || scaled < -0x1p63 {
            self = seconds > 0 ? .positiveInfinity : .negativeInfinity
        } else {
            let exact = scaled / Double(timescale) == seconds
            self.init(
                value: Int64(scaled), timescale: timescale, flags: exact ? .valid : [.valid, .hasBeenRounded])
        }
    }

    /// The beginning of the timeline.
    public static let zero = MediaTime(value: 0, timescale: 1, flags: .valid)
    /// The end of every timeline, a million hours: at 384 kHz a frame there is still a whole number in a
    /// Double, and no sum of a few such times is beyond 64 bits.
    public static let latest = MediaTime(value: 3_600_000_000, timescale: 1, flags: .valid)
    /// No time at all.
    public static let invalid = MediaTime(value: 0, timescale: 0, flags: [])
    /// A time that is not known.
    public static let indefinite = MediaTime(value: 0, timescale: 0, flags: [.valid, .indefinite])
    /// After every number.
    public static let positiveInfinity = MediaTime(
        value: 0, timescale: 0, flags: [.valid, .positiveInfinity])
    /// Before every number.
    public static let negativeInfinity = MediaTime(
        value: 0, timescale: 0, flags: [.valid, .negativeInfinity])

    /// Whether it is a time at all, be it infinite.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether it is a number.
    public var isNumeric: Bool {
        isValid && flags.isDisjoint(with: [.positiveInfinity, .negativeInfinity, .indefinite])
    }
    /// Whether it lies on a timeline: a number from zero to `latest`.
    public var isOnTimeline: Bool { isNumeric && self >= .zero && self <= .latest }
    /// Whether it differs from what was computed.
    public var hasBeenRounded: Bool { flags.contains(.hasBeenRounded) }

    /// The nearest Double; infinities as such, anything else that is not numeric as NaN. For display, never
    /// for placing.
    public var seconds: Double {
        if isNumeric { return Double(value) / Double(timescale) }
        if flags.contains(.positiveInfinity) { return .infinity }
        return flags.contains(.negativeInfinity) ? -.infinity : .nan
    }
}

extension MediaTime: Comparable, Hashable {
    /// Equal as numbers: 1/2 equals 2/4. CMTime's order: negative infinity, numbers, positive infinity,
    /// indefinite, invalid.
    public static func == (a: MediaTime, b: MediaTime) -> Bool { a.order(to: b) == 0 }
    public static func < (a: MediaTime, b: MediaTime) -> Bool { a.order(to: b) < 0 }

    public func hash(into hasher: inout Hasher) {
        guard isNumeric else { return hasher.combine(rank) }
        let divisor = greatestCommonDivisor(Int128(value), Int128(timescale))
        hasher.combine(epoch)
        hasher.combine(Int128(value) / divisor)
        hasher.combine(Int128(timescale) / divisor)
    }

    private var rank: Int {
        if !isValid { return 4 }
        if flags.contains(.indefinite) { return 3 }
        if flags.contains(.positiveInfinity) { return 2 }
        return flags.contains(.negativeInfinity) ? 0 : 1
    }

    /// -1, 0 or 1, by products of 128 bits: exact for every pair.
    private func order(to other: MediaTime) -> Int {
        guard rank == 1, other.rank == 1 else { return (rank - other.rank).signum() }
        guard epoch == other.epoch else { return epoch < other.epoch ? -1 : 1 }
        let left = Int128(value) * Int128(other.timescale)
        let right = Int128(other.value) * Int128(timescale)
        return left < right ? -1 : (left > right ? 1 : 0)
    }
}

func greatestCommonDivisor(_ a: Int128, _ b: Int128) -> Int128 {
    var (x, y) = (a.magnitude, b.magnitude)
    while y != 0 { (x, y) = (y, x % y) }
    return Int128(max(x, 1))
}
