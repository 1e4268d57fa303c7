import AudioFile
import Files
import Timeline

/// Why a composition cannot be so.
public enum CompositionError: Error, Equatable, CustomStringConvertible, Sendable {
    /// Not between 8000 and 384000.
    case sampleRate(Int32)
    /// The strip was removed, or is another composition's.
    case noTrack(StripID)
    /// Something else that was asked for is not possible; the text says what.
    case refused(String)
    /// The asset has no such range.
    case range(TimeRange, of: Asset)
    /// Empty, before zero, or endless.
    case noEnd(TimeRange)
    /// Not from 0 to 4.
    case volume(VolumeError)
    /// Clips cannot be edited so.
    case edit(EditError, place: String)
    /// An event cannot stand on the timeline.
    case automation(AutomationError, place: String)
    /// All that is wrong with a session's file, or with the files that a composition plays.
    case problems([SessionProblem])
    /// The file cannot be read or written.
    case file(FileError)

    public var description: String {
        switch self {
        case .sampleRate(let rate):
            """
            \(rate) is not a sample rate: it goes from \(Session.sampleRates.lowerBound) to \
            \(Session.sampleRates.upperBound)
            """
        case .noTrack(let id): "there is no strip of that kind with the id \(id.rawValue)"
        case .refused(let reason): reason
        case .range(let range, let asset):
            "\(range) is not a range of \(asset.path), which lasts \(asset.duration)"
        case .noEnd(let range):
            "\(range) cannot be mixed to its end: give a range that begins at 0 or later and ends"
        case .volume(let error): "\(error)"
        case .edit(let error, let place):
            error.message(place: place) + (error.isInTheWay ? ": push: true makes room" : "")
        case .automation(let error, let place): error.message(place: place)
        case .problems(let problems): problems.map(\.description).joined(separator: "\n")
        case .file(let error): "\(error)"
        }
    }
}
