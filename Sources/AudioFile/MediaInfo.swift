/// What the header of an audio file tells.
public struct MediaInfo: Equatable, Sendable {
    /// The length, at the file's own rate.
    public internal(set) var length: SoundLength
    /// Frames per second.
    public internal(set) var sampleRate: Int32
    /// Samples in a frame.
    public internal(set) var channels: Int
    /// As libsndfile names it, such as "WAV (Microsoft), Signed 24 bit PCM", or ffmpeg, such as "mov, aac".
    public internal(set) var format: String
    /// Why the file ends before it should, if it does: a copy or a download that stopped.
    public internal(set) var truncation: String?

    /// What else is to be known of it: how exactly its place can be told, what could not be decoded.
    public internal(set) var remarks: [String] = []

    /// It is still being decoded or stretched: not all of it can be read yet.
    public internal(set) var isOnItsWay = false

    /// To go to a place of it takes much longer than to read on: its decoder remembers what it decoded
    /// before.
    public internal(set) var isSoughtSlowly = false
}

extension MediaInfo {
    /// The header of a source that is no file.
    public init(of source: any SampleSource, format: String) {
        self.init(
            length: .known(source.frames), sampleRate: source.sampleRate, channels: source.channels,
            format: format)
    }
}
