import JSON

/// The volume of a track over the timeline: points that hold and ramps that interpolate.
///
/// Before the first event the volume is 1. A point holds until the next event; a ramp goes from its first volume to its
/// second and then holds that. Events are kept in order of time, so that asking and adding at the end are quick with many.
public struct VolumeAutomation: Equatable, Sendable {
    /// A point or a ramp.
    public struct Event: Equatable, Sendable {
        /// The two kinds of events.
        public enum Kind: Equatable, Sendable {
            /// The volume from a time on, until the next event.
            case point(volume: Double, at: MediaTime)
            /// From one volume to another over a range, then held.
            case ramp(from: Double, to: Double, range: TimeRange, curve: Curve)
        }

        /// What it is.
        public let kind: Kind
        /// Fields of the file that this version does not know, kept for the next save.
        let unknown: JSONObject

        /// Where it begins.
        public var start: MediaTime {
            switch kind {
            case .point(_, let time): time
            case .ramp(_, _, let range, _): range.start
            }
        }

        /// Where it ends; a point ends where it begins.
        public var end: MediaTime {
            switch kind {
            case .point(_, let time): time
            case .ramp(_, _, let range, _): range.end
            }
        }

        var isRamp: Bool { if case .ramp = kind { true } else { false } }
    }

    /// In order of their starts; at one time a point stands before a ramp, which then has the say.
    public private(set) var events: [Event] = []

    /// Without events: 1 everywhere.
    public init() {}

    /// Sets the volume from `time` on, until the next event. A point at the time of a point replaces it.
    /// - Parameter replace: remove the ramp that `time` lies strictly inside, instead of refusing.
    /// - Throws: `AutomationError` if the volume is out of range, the time not a time from 0, or strictly inside a ramp.
    public mutating func setVolume(
        _ volume: Double, at time: MediaTime, replace: Bool = false, unknown: JSONObject = JSONObject()
    ) throws(AutomationError) {
        let volume = try Self.checked(volume)
        guard time.isOnTimeline else { throw .time }
        try makeRoom(from: time, to: time, isRamp: false, replace: replace)
        let index = firstIndex(from: time)
        if index < events.count, events[index].start == time, !events[index].isRamp {
            events.remove(at: index)
        }
        events.insert(Event(kind: .point(volume: volume, at: time), unknown: unknown), at: index)
    }

    /// Adds a ramp over `range`.
    /// - Parameter replace: remove the ramps it overlaps and the points strictly inside it, instead of refusing.
    /// - Throws: `AutomationError` if a volume is out of range or unfit for the curve, the range empty or before 0, or not free.
    public mutating func setVolumeRamp(
        from first: Double, to last: Double, over range: TimeRange, curve: Curve = .linear,
        replace: Bool = false, unknown: JSONObject = JSONObject()
    ) throws(AutomationError) {
        let (first, last) = (try Self.checked(first), try Self.checked(last))
        guard range.start.isOnTimeline, range.end.isOnTimeline else { throw .time }
        guard range.duration > .zero else { throw .emptyRamp(range) }
        if curve == .exponential, first == 0 || last == 0 { throw .exponentialFromSilence }
        // By its two times, as its file says it and the contract's formula has it.
        let range = TimeRange(start: range.start, end: range.end)
        try makeRoom(from: range.start, to: range.end, isRamp: true, replace: replace)
        // Nothing begins inside; a point at its start comes before it.
        events.insert(Event(kind: .ramp(from: first, to: last, range: range, curve: curve), unknown: unknown), at: firstIndex(from: range.end))
    }

    /// A stretch of the volume's line: from one volume to another over a range.
    public struct Ramp: Equatable, Sendable {
        /// The volume at its start.
        public let from: Double
        /// The volume at its end.
        public let to: Double
        /// Ends at positive infinity where nothing follows.
        public let range: TimeRange
        /// Its shape between them.
        public let curve: Curve
    }

    /// The ramp that contains `time`; without one, the first that starts later; nil if there is none either.
    ///
    /// A point is a ramp from its volume to the same volume, up to the next event. As AVAudioMixInputParameters' `getVolumeRamp` tells it.
    public func volumeRamp(for time: MediaTime) -> Ramp? {
        let next = firstIndex(after: time)
        if next > 0, !events[next - 1].isRamp || time < events[next - 1].end { return ramp(at: next - 1) }
        return next < events.count ? ramp(at: next) : nil
    }

    private func ramp(at index: Int) -> Ramp {
        switch events[index].kind {
        case .ramp(let first, let last, let range, let curve): return Ramp(from: first, to: last, range: range, curve: curve)
        case .point(let volume, let time):
            let end = index + 1 < events.count ? events[index + 1].start : .positiveInfinity
            return Ramp(from: volume, to: volume, range: TimeRange(start: time, end: end), curve: .linear)
        }
    }

    /// Removes the event at `index` of `events`.
    /// - Throws: `AutomationError.noEvent`.
    public mutating func remove(at index: Int) throws(AutomationError) {
        guard events.indices.contains(index) else { throw .noEvent(index: index, count: events.count) }
        events.remove(at: index)
    }

    /// Moves the event at `index` of `events` to begin at `time`; a ramp keeps its length.
    /// - Throws: `AutomationError` if there is none, or no room for it there; then nothing has changed.
    public mutating func move(at index: Int, to time: MediaTime, replace: Bool = false) throws(AutomationError) {
        var moved = self
        try moved.remove(at: index)
        let event = events[index]
        switch event.kind {
        case .point(let volume, _): try moved.setVolume(volume, at: time, replace: replace, unknown: event.unknown)
        case .ramp(let first, let last, let range, let curve):
            let target = TimeRange(start: time, duration: range.duration)
            try moved.setVolumeRamp(from: first, to: last, over: target, curve: curve, replace: replace, unknown: event.unknown)
        }
        self = moved
    }

    /// Removes the points from `start` to `end`, both included, and the ramps that share time with them.
    public mutating func clear(from start: MediaTime, to end: MediaTime) {
        events.removeAll { event in
            event.isRamp ? event.start < end && start < event.end : start <= event.start && event.start <= end
        }
    }

    /// Removes every event.
    public mutating func clear() { events = [] }

    // MARK: - Order

    /// The first event that starts at `time` or later.
    private func firstIndex(from time: MediaTime) -> Int { partition { $0.start >= time } }

    /// The first event that starts later than `time`.
    private func firstIndex(after time: MediaTime) -> Int { partition { $0.start > time } }

    private func partition(_ isBeyond: (Event) -> Bool) -> Int {
        if let last = events.last, !isBeyond(last) { return events.count }
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(events[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Finds what a new event from `start` to `end` would overlap, and removes it or refuses.
    private mutating func makeRoom(from start: MediaTime, to end: MediaTime, isRamp: Bool, replace: Bool) throws(AutomationError) {
        // No point lies inside a ramp, so only the event just before can reach into the new range.
        var index = firstIndex(after: start)
        var taken: [Int] = []
        if index > 0, events[index - 1].isRamp, events[index - 1].end > start, isRamp || events[index - 1].start < start {
            taken.append(index - 1)
        }
        while index < events.count, events[index].start < end {
            taken.append(index)
            index += 1
        }
        guard let first = taken.first else { return }
        guard replace else {
            let asked = TimeRange(start: start, end: end)
            switch events[first].kind {
            case .ramp(_, _, let range, _) where isRamp: throw .rampOverlapsRamp(asked: asked, existing: range)
            case .ramp(_, _, let range, _): throw .pointInsideRamp(at: start, existing: range)
            case .point(_, let time): throw .rampOverPoint(asked: asked, existing: time)
            }
        }
        for index in taken.reversed() { events.remove(at: index) }
    }

    private static func checked(_ volume: Double) throws(AutomationError) -> Double {
        do { return try Volume.checked(volume) } catch { throw .volume(error) }
    }
}

/// Why an event cannot stand on the timeline.
public enum AutomationError: Error, Equatable {
    /// Not from 0 to 4.
    case volume(VolumeError)
    /// Before zero, beyond `MediaTime.latest`, or no number.
    case time
    /// A ramp ends after it begins.
    case emptyRamp(TimeRange)
    /// An exponential ramp has both volumes above 0.
    case exponentialFromSilence
    /// Another ramp is in the way.
    case rampOverlapsRamp(asked: TimeRange, existing: TimeRange)
    /// A point lies inside.
    case rampOverPoint(asked: TimeRange, existing: MediaTime)
    /// A ramp is in the way.
    case pointInsideRamp(at: MediaTime, existing: TimeRange)
    /// There is no event of that index.
    case noEvent(index: Int, count: Int)

    /// Something on the timeline is in the way: it can make room.
    public var isInTheWay: Bool {
        switch self {
        case .rampOverlapsRamp, .rampOverPoint, .pointInsideRamp: true
        default: false
        }
    }

    /// The sentence for people; `place` says which track, as in "track 2".
    public func message(place: String) -> String {
        switch self {
        case .volume(let error): "\(error)"
        case .noEvent(let index, let count): "there is no event \(index + 1) (\(place) has \(count))"
        case .time: "a time on the timeline is a number of seconds from 0 to \(MediaTime.latest)"
        case .emptyRamp(let range): "a ramp needs to end after it begins (\(place): \(range))"
        case .exponentialFromSilence: "an exponential ramp needs both volumes above 0 (\(place))"
        case .rampOverlapsRamp(let asked, let existing):
            "The time range of a volume ramp must not overlap the time range of an existing volume ramp (\(place): \(asked) overlaps \(existing))"
        case .rampOverPoint(let asked, let existing):
            "The time range of a volume ramp must not overlap an existing point (\(place): \(asked) has a point at \(existing) inside)"
        case .pointInsideRamp(let time, let existing):
            "The time of a volume must not lie inside the time range of an existing volume ramp (\(place): \(time) lies inside \(existing))"
        }
    }
}
