import JSON

/// One control of a strip or send over the timeline, mostly its volume: points that hold and ramps that
/// interpolate.
///
/// Before the first event it says nothing: a volume is 1, a pan where the hand has put it. A point holds
/// until the next event; a ramp goes from its first value to its second and then holds that. Events are kept
/// in order of time, so that asking and adding at the end are quick with many.
public struct Automation: Equatable, Sendable {
    /// Which control it moves.
    public enum Control: String, CaseIterable, Sendable {
        /// Multiplies what is heard: 0 to 4.
        case volume
        /// Where it is heard, in place of where the hand has put it: -1 to 1.
        case pan
        /// Multiplies the trim: 0 to 4.
        case trim
        /// Silences it, by a fade of 5 ms: 1, and 0 to be heard. Points alone.
        case mute
        // What a strip's processors are set to, in place of where the hand has put it.
        /// Where the equaliser's high pass begins, in Hz.
        case highPass = "eq/hp"
        /// Where its low pass begins, in Hz.
        case lowPass = "eq/lp"
        /// The middle of its first band, in Hz.
        case frequency1 = "eq/1/freq"
        /// How far its first band raises what is there, in dB.
        case gain1 = "eq/1/gain"
        /// How narrow its first band is.
        case quality1 = "eq/1/q"
        /// The middle of its second band, in Hz.
        case frequency2 = "eq/2/freq"
        /// How far its second band raises what is there, in dB.
        case gain2 = "eq/2/gain"
        /// How narrow its second band is.
        case quality2 = "eq/2/q"
        /// The middle of its third band, in Hz.
        case frequency3 = "eq/3/freq"
        /// How far its third band raises what is there, in dB.
        case gain3 = "eq/3/gain"
        /// How narrow its third band is.
        case quality3 = "eq/3/q"
        /// The middle of its fourth band, in Hz.
        case frequency4 = "eq/4/freq"
        /// How far its fourth band raises what is there, in dB.
        case gain4 = "eq/4/gain"
        /// How narrow its fourth band is.
        case quality4 = "eq/4/q"
        /// The level from which the compressor lowers, in dB.
        case compressorThreshold = "comp/threshold"
        /// How many dB of level become one above the compressor's threshold.
        case compressorRatio = "comp/ratio"
        /// Over how many dB about its threshold the compressor sets in.
        case compressorKnee = "comp/knee"
        /// What the compressor raises all by, in dB.
        case compressorMakeup = "comp/makeup"
        /// The level below which the gate closes, in dB.
        case gateThreshold = "gate/threshold"
        /// How far the gate lowers what is below it, in dB.
        case gateRange = "gate/range"

        /// Those of processors.
        public static let ofProcessors = allCases.filter { $0.unit != nil }

        /// A part of what a strip's sound goes through.
        public enum Unit: Hashable, Sendable {
            /// What cuts below a frequency, and what cuts above one.
            case highPass, lowPass
            /// From 1.
            case band(Int)
            /// What lowers what is loud, and what lowers what is quiet.
            case compressor, gate
        }

        /// The processor that it is of; nil: of none.
        public var unit: Unit? {
            switch self {
            case .volume, .pan, .trim, .mute: nil
            case .highPass: .highPass
            case .lowPass: .lowPass
            case .frequency1, .gain1, .quality1: .band(1)
            case .frequency2, .gain2, .quality2: .band(2)
            case .frequency3, .gain3, .quality3: .band(3)
            case .frequency4, .gain4, .quality4: .band(4)
            case .compressorThreshold, .compressorRatio, .compressorKnee, .compressorMakeup: .compressor
            case .gateThreshold, .gateRange: .gate
            }
        }

        /// The last word of its name.
        public var word: String { String(rawValue.split(separator: "/").last ?? "") }

        /// The values that it may have.
        public var range: ClosedRange<Double> {
            switch self {
            case .volume, .trim: Volume.range
            case .pan: -1...1
            case .mute: 0...1
            case .highPass, .lowPass: Equaliser.frequencyRange
            case .frequency1, .frequency2, .frequency3, .frequency4: Equaliser.frequencyRange
            case .gain1, .gain2, .gain3, .gain4: Equaliser.gainRange
            case .quality1, .quality2, .quality3, .quality4: Equaliser.qualityRange
            case .compressorThreshold, .compressorRatio, .compressorKnee, .compressorMakeup:
                Compressor.range(of: word)
            case .gateThreshold, .gateRange: Gate.range(of: word)
            }
        }
    }

    /// What it moves.
    public let control: Control

    /// A point or a ramp.
    public struct Event: Equatable, Sendable {
        /// The two kinds of events.
        public enum Kind: Equatable, Sendable {
            /// The value from a time on, until the next event.
            case point(value: Double, at: MediaTime)
            /// From one value to another over a range, then held.
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

    /// Without events.
    public init(_ control: Control = .volume) { self.control = control }

    /// Sets the value from `time` on, until the next event. A point at the time of a point replaces it.
    /// - Parameter replace: remove the ramp that `time` lies strictly inside, instead of refusing.
    /// - Throws: `AutomationError` if the value is out of range, the time not a time from 0, or strictly
    ///   inside a ramp.
    public mutating func setValue(
        _ volume: Double, at time: MediaTime, replace: Bool = false, unknown: JSONObject = JSONObject()
    ) throws(AutomationError) {
        let volume = try checked(volume)
        guard time.isOnTimeline else { throw .time }
        try makeRoom(from: time, to: time, isRamp: false, replace: replace)
        let index = firstIndex(from: time)
        if index < events.count, events[index].start == time, !events[index].isRamp {
            events.remove(at: index)
        }
        events.insert(Event(kind: .point(value: volume, at: time), unknown: unknown), at: index)
    }

    /// Adds a ramp over `range`.
    /// - Parameter replace: remove the ramps it overlaps and the points strictly inside it, instead of
    ///   refusing.
    /// - Throws: `AutomationError` if a volume is out of range or unfit for the curve, the range empty or
    ///   before 0, or not free.
    public mutating func setRamp(
        from first: Double, to last: Double, over range: TimeRange, curve: Curve = .linear,
        replace: Bool = false, unknown: JSONObject = JSONObject()
    ) throws(AutomationError) {
        let (first, last) = try checkedRamp(from: first, to: last, over: range, curve)
        // By its two times, as its file says it and the contract's formula has it.
        let range = TimeRange(start: range.start, end: range.end)
        try makeRoom(from: range.start, to: range.end, isRamp: true, replace: replace)
        // Nothing begins inside; a point at its start comes before it.
        events.insert(
            Event(kind: .ramp(from: first, to: last, range: range, curve: curve), unknown: unknown),
            at: firstIndex(from: range.end))
    }

    private func checkedRamp(
        from first: Double, to last: Double, over range: TimeRange, _ curve: Curve
    ) throws(AutomationError) -> (first: Double, last: Double) {
        if control == .mute { throw .rampOfSwitch }
        let (first, last) = (try checked(first), try checked(last))
        guard range.start.isOnTimeline, range.end.isOnTimeline else { throw .time }
        guard range.duration > .zero else { throw .emptyRamp(range) }
        if curve == .exponential, first <= 0 || last <= 0 || control == .pan { throw .exponentialFromSilence }
        return (first, last)
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
    /// A point is a ramp from its volume to the same volume, up to the next event. As
    /// AVAudioMixInputParameters' `getVolumeRamp` tells it.
    public func volumeRamp(for time: MediaTime) -> Ramp? {
        let next = firstIndex(after: time)
        if next > 0, !events[next - 1].isRamp || time < events[next - 1].end { return ramp(at: next - 1) }
        return next < events.count ? ramp(at: next) : nil
    }

    private func ramp(at index: Int) -> Ramp {
        switch events[index].kind {
        case .ramp(let first, let last, let range, let curve):
            return Ramp(from: first, to: last, range: range, curve: curve)
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
    public mutating func move(
        at index: Int, to time: MediaTime, replace: Bool = false
    ) throws(AutomationError) {
        var moved = self
        try moved.remove(at: index)
        let event = events[index]
        switch event.kind {
        case .point(let volume, _):
            try moved.setValue(volume, at: time, replace: replace, unknown: event.unknown)
        case .ramp(let first, let last, let range, let curve):
            let target = TimeRange(start: time, duration: range.duration)
            try moved.setRamp(
                from: first, to: last, over: target, curve: curve, replace: replace, unknown: event.unknown)
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

    /// The same with no more than the few events that say what it is at `time`, give or take a frame.
    package func near(_ time: MediaTime) -> Automation {
        let next = firstIndex(after: time)
        var near = self
        near.events = Array(events[max(0, next - 3)..<min(events.count, next + 2)])
        return near
    }

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
    private mutating func makeRoom(
        from start: MediaTime, to end: MediaTime, isRamp: Bool, replace: Bool
    ) throws(AutomationError) {
        // No point lies inside a ramp, so only the event just before can reach into the new range.
        var index = firstIndex(after: start)
        var taken: [Int] = []
        if index > 0, events[index - 1].isRamp, events[index - 1].end > start,
            isRamp || events[index - 1].start < start
        {
            taken.append(index - 1)
        }
        while index < events.count, events[index].start < end {
            taken.append(index)
            index += 1
        }
        guard let first = taken.first else { return }
        if !replace {
            throw Self.refusal(of: TimeRange(start: start, end: end), isRamp: isRamp, events[first])
        }
        for index in taken.reversed() { events.remove(at: index) }
    }

    /// Why nothing is set in a range that an event lies in.
    private static func refusal(of asked: TimeRange, isRamp: Bool, _ event: Event) -> AutomationError {
        switch event.kind {
        case .ramp(_, _, let range, _) where isRamp: .rampOverlapsRamp(asked: asked, existing: range)
        case .ramp(_, _, let range, _): .pointInsideRamp(at: asked.start, existing: range)
        case .point(_, let time): .rampOverPoint(asked: asked, existing: time)
        }
    }

    private func checked(_ value: Double) throws(AutomationError) -> Double {
        switch control {
        case .volume, .trim: do { return try Volume.checked(value) } catch { throw .volume(error) }
        case .mute where value != 0 && value != 1: throw .value(value, control)
        default:
            guard control.range.contains(value) else { throw .value(value, control) }
            return value + 0  // -0 becomes 0
        }
    }
}
