/// What the header of an audio file tells.
public struct MediaInfo: Equatable, Sendable {
    /// The length, at the file's own rate.
    public let length: SoundLength
    /// Frames per second.
    public let sampleRate: Int32
    /// Samples in a frame.
    public let channels: Int
    /// As libsndfile names it, such as "WAV (Microsoft), Signed 24 bit PCM", or ffmpeg, such as "mov, aac".
    public let format: String
    /// Why the file ends before it should, if it does: a copy or a download that stopped.
    public let truncation: String?

    /// What else is to be known of it: how exactly its place can be told, what could not be decoded.
    public let remarks: [String]

    /// It is still being decoded or stretched: not all of it can be read yet.
    public let isOnItsWay: Bool

    /// To go to a place of it takes much longer than to read on: its decoder remembers what it decoded
    /// before.
    public let isSoughtSlowly: Bool

    /// That of a source which is no file.
    public init(of source: any SampleSource, format: String) {
        self.init(
            length: .known(source.frames), sampleRate: source.sampleRate, channels: source.channels,
            format: format, truncation: nil)
    }

    init(
        length: SoundLength, sampleRate: Int32, channels: Int, format: String, truncation: String?,
        remarks: [String] = [], isOnItsWay: Bool = false, isSoughtSlowly: Bool = false
    ) {
        (self.length, self.sampleRate, self.channels, self.format) = (length, sampleRate, channels, format)
        (self.truncation, self.remarks, self.isOnItsWay, self.isSoughtSlowly) = (
            truncation, remarks, isOnItsWay, isSoughtSlowly
        )
    }
}
