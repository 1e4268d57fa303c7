import Files
import JSON

/// The movie that a session belongs to: what `render` puts beside the mix, and what a picture that follows
/// shows.
public struct Video: Equatable, Sendable {
    /// As written in the session: relative to its folder, or absolute.
    public var file: FilePath
    /// Where on the timeline its time `from` is seen. Both place it and cut nothing.
    public var at = MediaTime.zero
    /// A time of the movie.
    public var from = MediaTime.zero
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// A movie from its beginning on, with the timeline.
    public init(file: FilePath) { self.file = file }
    /// The same by the name of its file.
    public init(file: String) { self.init(file: FilePath(file)) }

    /// Where the movie's time 0 lies on the timeline, in seconds; before it, below 0.
    public var offset: Double { (at - from).seconds }

    /// Comes earlier where `range` is taken out of the timeline before its picture is first seen, or from
    /// there on: what lies behind is seen with it as before. A cut further on leaves it where it is, for a
    /// movie is never cut.
    mutating func removeRange(_ range: TimeRange) {
        if range.start > max(.zero, at - from) { return }
        let moved = at - range.duration
        if moved < .zero { from = from - moved }
        at = max(.zero, moved)
    }
}
