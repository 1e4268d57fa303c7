import JSON

/// Why an event cannot stand on the timeline.
public enum AutomationError: Error, Equatable {
    /// Not from 0 to 4.
    case volume(VolumeError)
    /// Not what the control can have.
    case value(Double, Automation.Control)
    /// A volume was to be set of what is none.
    case noVolume(Automation.Control)
    /// A switch is on or off, and has points alone.
    case rampOfSwitch
    /// Before zero, beyond `MediaTime.latest`, or no number.
    case time
    /// A ramp ends after it begins.
    case emptyRamp(TimeRange)
    /// An exponential ramp has both ends above 0.
    case exponentialFromSilence
    /// Another ramp is in the way.
    case rampOverlapsRamp(asked: TimeRange, existing: TimeRange)
    /// A point lies inside.
    case rampOverPoint(asked: TimeRange, existing: MediaTime)
    /// A ramp is in the way.
    case pointInsideRamp(at: MediaTime, existing: TimeRange)
    /// There is no event of that index.
    case noEvent(index: Int, count: Int)
    /// A ramp whose curve has no part of the same shape is to be cut.
    case curveIsCut(TimeRange, Curve, at: MediaTime)

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
        case .value(let value, .mute): "\(value) is neither on (1) nor off (0) (\(place))"
        case .value(let value, let control):
            """
            \(value) is not a \(control.rawValue): it goes from \(control.range.lowerBound) to \
            \(control.range.upperBound) (\(place))
            """
        case .noVolume(let control):
            "that is no volume but the \(control.rawValue), which setValue and setRamp set (\(place))"
        case .rampOfSwitch: "mute is a switch: it has points, and no ramps (\(place))"
        case .noEvent(let index, let count): "there is no event \(index + 1) (\(place) has \(count))"
        case .curveIsCut(let range, let curve, let time):
            """
            a ramp of the curve \(curve.rawValue) cannot be cut (\(place): \(range) goes over \
            \(time.readable)): linear and exponential ones can
            """
        case .time: "a time on the timeline is a number of seconds from 0 to \(MediaTime.latest)"
        case .emptyRamp(let range): "a ramp needs to end after it begins (\(place): \(range))"
        case .exponentialFromSilence:
            "an exponential ramp needs both volumes above 0, and a pan has none (\(place))"
        case .rampOverlapsRamp(let asked, let existing):
            """
            The time range of a volume ramp must not overlap the time range of an existing volume ramp \
            (\(place): \(asked) overlaps \(existing))
            """
        case .rampOverPoint(let asked, let existing):
            """
            The time range of a volume ramp must not overlap an existing point (\(place): \(asked) has a \
            point at \(existing.readable) inside)
            """
        case .pointInsideRamp(let time, let existing):
            """
            The time of a volume must not lie inside the time range of an existing volume ramp (\(place): \
            \(time.readable) lies inside \(existing))
            """
        }
    }
}
