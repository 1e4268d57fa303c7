import AudioFile
import Engine
import Files
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

    /// Where the file is: absolute, so that it leads there whatever folder a composition's names start from.
    public let path: String
    /// What its header tells; what had to be decoded is, so its length is known.
    public let info: MediaInfo

    /// In frames at the file's own rate.
    public var frames: Int64 { info.length.presumed }
    /// Frames per second.
    public var sampleRate: Int32 { info.sampleRate }
    /// Samples in a frame.
    public var channels: Int { info.channels }
    /// Exact: frames over rate; at most as long as a timeline.
    public var duration: MediaTime { info.presumedDuration }
    /// From zero to the end of the file.
    public var timeRange: TimeRange { TimeRange(start: .zero, duration: duration) }

    /// Reads the file's header, on a thread that may wait for the disk.
    /// - Throws: `AudioFileError`: not there, not readable, no sound that libsndfile or ffmpeg reads, cut
    ///   short.
    public static func load(_ path: String) async throws(AudioFileError) -> Asset {
        try await offThread { () -> Result<Asset, AudioFileError> in
            do throws(AudioFileError) { return .success(try Asset(path)) } catch { return .failure(error) }
        }
    }

    /// The same on the present thread.
    public init(_ path: String) throws(AudioFileError) {
        info = try AudioSource.info(of: SoundPlace(path))
        if let truncation = info.truncation { throw AudioFileError(path: path, reason: truncation) }
        self.path = Path.absolute(path)
    }

    /// The tracks of one kind.
    public func tracks(withMediaType type: MediaType) -> [AssetTrack] {
        [AssetTrack(mediaType: .audio, timeRange: timeRange, channels: channels)].filter {
            $0.mediaType == type
        }
    }
}
