/// A movie whose picture goes beside a mix, its packets as they are.
public struct MoviePicture: Equatable, Sendable {
    /// The movie's file.
    public var path: String
    /// The seconds of the movie that are seen when the mix begins; below 0 the picture begins so much later
    /// than the mix.
    public var begin: Double
    /// How long the picture lasts in seconds; nil: to its end.
    public var duration: Double?
    /// Whether its subtitles and its own sounds go along.
    public var keepsOthers: Bool

    /// The picture of a movie, from a place in it on.
    public init(_ path: String, from begin: Double = 0, duration: Double? = nil, keepsOthers: Bool = false) {
        (self.path, self.begin, self.duration, self.keepsOthers) = (path, begin, duration, keepsOthers)
    }
}
