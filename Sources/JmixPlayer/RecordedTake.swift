import AudioFile
import Engine
import Files
import JmixKit
import Timeline

/// What was recorded of a track without a break.
public struct RecordedTake: Sendable, Equatable {
    /// The track that heard it.
    public let track: StripID
    /// The file, a WAV of floats.
    public let path: String
    /// Where it lies: where what it was played to is, less all latency.
    public let range: TimeRange
    /// How many of its frames are silent because the disk was late.
    public let lostFrames: Int
    /// It has become a clip of its track; else the file is all there is of it, and `failure` says why.
    public let isClip: Bool
    /// What is wrong with it: it ends early, or is no clip; nil: nothing.
    public let failure: String?
}
