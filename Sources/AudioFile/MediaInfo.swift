/// What the header of an audio file tells.
public struct MediaInfo: Equatable, Sendable {
    /// The length in frames at the file's own rate.
    public let frames: Int64
    /// Frames per second.
    public let sampleRate: Int32
    /// Samples in a frame.
    public let channels: Int
    /// As libsndfile names it, such as "WAV (Microsoft), Signed 24 bit PCM".
    public let format: String
    /// Why the file ends before it should, if it does: a copy or a download that stopped.
    public let truncation: String?

    /// That of a source which is no file.
    public init(of source: any SampleSource, format: String) {
        self.init(frames: source.frames, sampleRate: source.sampleRate, channels: source.channels, format: format, truncation: nil)
    }

    init(frames: Int64, sampleRate: Int32, channels: Int, format: String, truncation: String?) {
        (self.frames, self.sampleRate, self.channels, self.format, self.truncation) = (frames, sampleRate, channels, format, truncation)
    }
}
