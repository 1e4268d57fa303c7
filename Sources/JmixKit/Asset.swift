import AudioFile
import Timeline

/// An audio file as material for a composition: what its header tells.
public struct Asset: Equatable, Sendable {
    /// What a track of an asset carries. Audio is all there is here.
    public enum MediaType: String, Sendable {
        /// Sound.
        case audio
    }

    /// A track of an asset: the file's channels together.
    public struct AssetTrack: Equatable, Sendable {
        /// What it carries.
        public let mediaType: MediaType
        /// From zero to the end of the file.
        public let timeRange: TimeRange
        /// Samples in a frame.
        public let channels: Int
    }

    /// Where the file is.
    public let path: String
    /// In frames at the file's own rate.
    public let frames: Int64
    /// Frames per second.
    public let sampleRate: Int32
    /// Samples in a frame.
    public let channels: Int
    /// As libsndfile names it, such as "WAV (Microsoft), Signed 24 bit PCM".
    public let format: String

    /// Exact: frames over rate; at most as long as a timeline.
    public var duration: MediaTime { min(MediaTime(frame: frames, rate: sampleRate), .latest) }
    /// From zero to the end of the file.
    public var timeRange: TimeRange { TimeRange(start: .zero, duration: duration) }

    /// Reads the file's header, on a thread that may wait for the disk.
    /// - Throws: `AudioFileError`: not there, not readable, no audio that libsndfile reads, cut short.
    public static func load(_ path: String) async throws(AudioFileError) -> Asset {
        try await offThread { () -> Result<Asset, AudioFileError> in
            do throws(AudioFileError) { return .success(try Asset(path)) } catch { return .failure(error) }
        }
    }

    /// The same on the present thread.
    public init(_ path: String) throws(AudioFileError) {
        let file = try SoundFile(path: path)
        if let truncation = file.truncation { throw AudioFileError(path: path, reason: truncation) }
        (self.path, frames, sampleRate, channels, format) = (path, file.frames, file.sampleRate, file.channels, file.format)
    }

    /// The tracks of one kind.
    public func tracks(withMediaType type: MediaType) -> [AssetTrack] {
        [AssetTrack(mediaType: .audio, timeRange: timeRange, channels: channels)].filter { $0.mediaType == type }
    }
}
