/// How long a sound is, in frames at its own rate.
public enum SoundLength: Equatable, Sendable {
    /// Exact.
    case known(Int64)
    /// A guess, as long as not all of it has been decoded. It does for what is shown, and for what is played
    /// meanwhile; what is cut or placed by it would be wrong.
    case estimate(Int64)

    /// The exact length; nil where there is but a guess.
    public var known: Int64? { if case .known(let frames) = self { frames } else { nil } }

    /// The exact length, or the guess.
    public var presumed: Int64 {
        switch self {
        case .known(let frames), .estimate(let frames): frames
        }
    }

    /// A guess that is no shorter than what is there already.
    func atLeast(_ frames: Int64) -> SoundLength {
        if case .estimate(let guess) = self { .estimate(max(guess, frames)) } else { self }
    }

    /// The length of what is made of the sound.
    func map(_ change: (Int64) -> Int64) -> SoundLength {
        switch self {
        case .known(let frames): .known(change(frames))
        case .estimate(let frames): .estimate(change(frames))
        }
    }
}

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
