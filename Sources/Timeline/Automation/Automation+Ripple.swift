import Glibc

/// What becomes of automation where a stretch of the timeline is taken out.
extension Automation {
    /// Takes `range` out: at its start it goes on as it was at its end, and what lies behind comes earlier.
    /// - Throws: `AutomationError.curveIsCut`: a ramp that goes over an edge, and is neither linear nor
    ///   exponential, has no shape that a part of it could be; then nothing has changed.
    mutating func removeRange(_ range: TimeRange) throws(AutomationError) {
        var next = Automation(control)
        var held: Double?
        for event in events where event.start < range.end {
            if event.start < range.start {
                try next.add(event, part: TimeRange(start: event.start, end: min(event.end, range.start)))
            }
            held = try event.value(at: min(event.end, range.end))
        }
        if let held, changesOnly(within: range) { try next.setValue(held, at: range.start, replace: true) }
        for event in events where event.end > range.end || event.start >= range.end {
            let part = TimeRange(start: max(event.start, range.end), end: max(event.end, range.end))
            try next.add(event, part: part, earlierBy: range.duration)
        }
        self = next
    }

    /// Whether something changes within a range, and nothing goes on behind it.
    private func changesOnly(within range: TimeRange) -> Bool {
        let isChanged = events.contains {
            $0.start < range.end && ($0.start >= range.start || $0.end > range.start)
        }
        let goesOn = events.contains {
            $0.start == range.end || $0.start < range.end && range.end < $0.end
        }
        return isChanged && !goesOn
    }

    /// Adds the part of an event that lies in `part`.
    private mutating func add(
        _ event: Event, part: TimeRange, earlierBy distance: MediaTime = .zero
    ) throws(AutomationError) {
        // Times that no timescale has in common are rounded: what touched goes on touching.
        let start = max(part.start - distance, events.last?.end ?? .zero)
        let moved = TimeRange(start: start, end: max(start, part.end - distance))
        switch event.kind {
        case .point(let value, _): try setValue(value, at: moved.start, unknown: event.unknown)
        case .ramp(let first, let last, let range, let curve):
            if moved.duration == .zero { return }
            // A ramp that is all there has its own values.
            try setRamp(
                from: part.start == range.start ? first : try event.value(at: part.start),
                to: part.end == range.end ? last : try event.value(at: part.end), over: moved, curve: curve,
                unknown: event.unknown)
        }
    }
}

extension Automation.Event {
    /// What it says at a time that it covers; a ramp is cut there.
    fileprivate func value(at time: MediaTime) throws(AutomationError) -> Double {
        switch kind {
        case .point(let value, _): return value
        case .ramp(let first, let last, let range, let curve):
            if time >= range.end { return last }
            if time <= range.start { return first }
            let part = (time - range.start).seconds / range.duration.seconds
            switch curve {
            case .linear: return first + (last - first) * part
            case .exponential: return first * pow(last / first, part)
            case .scurve, .equalpower: throw .curveIsCut(range, curve, at: time)
            }
        }
    }
}

extension Strip {
    /// Takes a stretch out of the automation of all its controls, and of its sends'.
    fileprivate mutating func removeAutomation(in range: TimeRange) throws(AutomationError) {
        for control in Automation.Control.allCases where !self[automation: control].events.isEmpty {
            try self[automation: control].removeRange(range)
        }
        for index in sends.indices {
            for control in [Automation.Control.volume, .pan, .mute] {
                try sends[index][automation: control].removeRange(range)
            }
        }
    }
}

extension Session {
    /// Takes the frames of `range` out of the timeline as a whole: of every track's clips, of all automation,
    /// and of the markers; what lies behind comes earlier, the movie too unless its picture begins before.
    /// - Throws: `RippleError`: what cannot be cut there; then nothing has changed.
    public mutating func removeRange(_ asked: TimeRange, ruler: ClipRuler) throws(RippleError) {
        var next = self
        // Clips are cut between frames: all else goes with them.
        let frames = ruler.frames(asked)
        let range = TimeRange(
            start: MediaTime(frame: frames.lowerBound, rate: ruler.rate),
            end: MediaTime(frame: frames.upperBound, rate: ruler.rate))
        guard asked.start.isOnTimeline, !frames.isEmpty else { throw .range(asked) }
        try next.removeFromStrips(range, ruler)
        next.markers = next.markers.compactMap { Self.moved($0, without: range) }
        next.video?.removeRange(range)
        self = next
    }

    /// Takes a range out of the clips of every track, and of all automation.
    private mutating func removeFromStrips(_ range: TimeRange, _ ruler: ClipRuler) throws(RippleError) {
        for index in tracks.indices {
            do throws(EditError) {
                try tracks[index].removeRange(range, ruler: ruler)
            } catch {
                throw .clips(track: index + 1, error)
            }
        }
        for place in places {
            do throws(AutomationError) {
                try self[place].removeAutomation(in: range)
            } catch {
                throw .automation(self[place].name, error)
            }
        }
    }

    /// A marker where it lies without a range of the timeline; nil: it lay in that.
    private static func moved(_ marker: Marker, without range: TimeRange) -> Marker? {
        if marker.at < range.start { return marker }
        if marker.at < range.end { return nil }
        var moved = marker
        moved.at = marker.at - range.duration
        return moved
    }
}

/// Why a stretch cannot be taken out of the timeline as a whole.
public enum RippleError: Error, Equatable {
    /// Before zero, empty, or without a frame in it.
    case range(TimeRange)
    /// A clip cannot be cut there.
    case clips(track: Int, EditError)
    /// A ramp of a strip cannot.
    case automation(String, AutomationError)
}
