import Files

/// Where a sound is: a file, which of its sounds, and how it is played.
public struct SoundPlace: Hashable, Sendable {
    /// The file.
    public let path: String
    /// From 1; other than 1 only movies and the like have.
    public let stream: Int
    /// Slower or faster, higher or lower than it is; nil: neither.
    public let stretch: Stretch?
    /// From its end to its beginning.
    public let isReversed: Bool

    /// Of a file the first sound, or another, as it is unless told.
    public init(_ path: String, stream: Int = 1, stretch: Stretch? = nil, isReversed: Bool = false) {
        (self.path, self.stream, self.stretch, self.isReversed) = (path, stream, stretch, isReversed)
    }

    /// The same sound of the same file: of a path its bytes count.
    public static func == (a: SoundPlace, b: SoundPlace) -> Bool {
        a.stream == b.stream && a.isReversed == b.isReversed && a.stretch == b.stretch
            && a.path.utf8.elementsEqual(b.path.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(stream)
        hasher.combine(isReversed)
        hasher.combine(stretch)
        path.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// What has to be there for it to be played: the same forwards, by its absolute path.
    var forwards: SoundPlace { SoundPlace(Path.absolute(path), stream: stream, stretch: stretch) }
    /// The sound that it is made of.
    var plain: SoundPlace { SoundPlace(Path.absolute(path), stream: stream) }
}
