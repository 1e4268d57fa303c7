import AudioFile
import Timeline

/// A clip with what its file is found to be.
struct PlacedClip {
    let clip: Clip
    /// Where it lies on the timeline.
    let range: TimeRange
    /// nil: the file is missing or no audio.
    let info: MediaInfo?
    let stamp: FileStamp?
    /// The file has the channels that the clip wants.
    let isUsable: Bool
}
