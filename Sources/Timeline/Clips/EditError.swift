/// Why clips cannot be edited so.
public enum EditError: Error, Equatable, Sendable {
    /// Without `push`, a clip is in the way.
    case overlaps(asked: TimeRange, clip: Int, existing: TimeRange)
    /// Clips count from 1.
    case noClip(number: Int, count: Int)
    /// No clip is there, or one begins or ends.
    case nothingToSplit(at: MediaTime)
    /// Empty, before zero, beyond `MediaTime.latest`, or no numbers.
    case range(TimeRange)
    /// So short that it lies between two frames of the session.
    case noFrame(TimeRange, rate: Int32)
    /// A clip is cut where it fades.
    case inFade(at: MediaTime, clip: Int)
    /// The clip cannot rise while the one before it falls; why.
    case crossfade(MediaTime, String)
    /// The file of the clip does not hold what was to be heard.
    case beyondFile(clip: Int, TimeRange)
    /// Nobody knows where the clip ends, for its file is missing.
    case noLength(clip: Int)
    /// The clip would play its file slower or faster than there is.
    case speed(Double, clip: Int)
    /// The clip would be moved beyond `MediaTime.latest`.
    case beyondEnd(clip: Int, at: MediaTime)

    /// It is refused for the sake of another clip, for which room could be made.
    public var isInTheWay: Bool { if case .overlaps = self { true } else { false } }

    /// The sentence for people; `place` says which track, as in "track 2".
    public func message(place: String) -> String {
        switch self {
        case .overlaps(let asked, let clip, let existing):
            "the clip overlaps another (\(place): \(asked) overlaps clip \(clip), \(existing))"
        case .noClip(let number, let count): "\(place) has no clip \(number): it has \(count)"
        case .noLength(let clip):
            "nobody knows where clip \(clip) of \(place) ends: its file is missing, or cannot be read"
        case .nothingToSplit(let time): "\(place) has no clip to split at \(time.readable)"
        case .inFade(let time, let clip):
            """
            clip \(clip) of \(place) is on its way at \(time.readable), in a fade: it cannot be cut there; a \
            fade of \
            0s ends it
            """
        case .crossfade(let duration, let reason):
            "a crossfade of \(duration.readable) cannot be (\(place)): \(reason)"
        case .beyondFile(let clip, let range):
            """
            the file of clip \(clip) of \(place) does not hold all that \(range) asks for: it begins later \
            or ends earlier
            """
        case .speed(let speed, let clip):
            """
            clip \(clip) of \(place) would play its file at \(speed) times its speed, which goes from \
            \(Clip.speeds.lowerBound) to \(Clip.speeds.upperBound)
            """
        case .beyondEnd(let clip, let time):
            """
            clip \(clip) of \(place) would begin at \(time.readable), and a timeline ends at \
            \(MediaTime.latest)
            """
        case .noFrame(let range, let rate):
            "\(range) holds no frame at \(rate) Hz (\(place)): it would never be heard"
        case .range(let range):
            "\(range) is no range of the timeline (\(place)): it begins at 0 or later and lasts longer than 0"
        }
    }
}
