import AudioFile
import Realtime
import Speakers
import Synchronization
import Timeline

/// What has been recorded of one track in one go.
public struct Take: Sendable {
    /// What it was recorded of.
    public let track: StripID
    /// The file's path.
    public let path: String
    /// Where its first frame lies: where the sound was played to that it came in with, less all latency.
    public let start: Int64
    /// How long it is.
    public let frames: Int64
    /// How many of its frames are silent because they could not be written in time.
    public let lost: Int64
    /// By how many frames it was heard live later on the timeline than it lies.
    public let aired: Int64
    /// Takes of one number belong together.
    public let pass: Int
    /// Why it ends early, if it does.
    public let failure: AudioFileError?
    /// What there is to know of the file; nil where there is none.
    public let finding: MediaFinding?
}
