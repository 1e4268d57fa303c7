import Files

/// Where a sound is: a file, which of its sounds, and how it is played.
public struct SoundPlace: Hashable, Sendable {
    /// The file.
    public let file: FilePath
    /// From 1; other than 1 only movies and the like have.
    public let stream: Int
    /// Slower or faster, higher or lower than it is; nil: neither.
    public let stretch: Stretch?
    /// From its end to its beginning.
    public let isReversed: Bool

    /// Of a file the first sound, or another, as it is unless told.
    public init(_ path: String, stream: Int = 1, stretch: Stretch? = nil, isReversed: Bool = false) {
        (file, self.stream, self.stretch, self.isReversed) = (FilePath(path), stream, stretch, isReversed)
    }

    /// Where the file is.
    public var path: String { file.text }

    /// What has to be there for it to be played: the same forwards, by its absolute path.
    var forwards: SoundPlace { SoundPlace(Path.absolute(path), stream: stream, stretch: stretch) }
    /// The sound that it is made of.
    var plain: SoundPlace { SoundPlace(Path.absolute(path), stream: stream) }
}
