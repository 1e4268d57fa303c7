/// Where a sound is: a file, and which of its sounds.
public struct SoundPlace: Hashable, Sendable {
    /// The file.
    public let path: String
    /// From 1; other than 1 only movies and the like have.
    public let stream: Int

    /// Of a file the first sound, or another.
    public init(_ path: String, stream: Int = 1) { (self.path, self.stream) = (path, stream) }
}
