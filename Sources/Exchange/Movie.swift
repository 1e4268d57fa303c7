import AudioFile
import Files
import Timeline

/// The picture of a session, as far as it lies on the timeline.
struct Movie {
    let path: String
    /// Frames of picture a second; nil: it does not say.
    let rate: PictureRate?
    /// The frames of sound in which it is seen.
    let frames: Range<Int64>
    /// Where in it that begins, in seconds.
    let from: Double
    /// How long it is, in seconds.
    let duration: Double

    /// nil: the session has none, or nobody can say how long it is.
    init?(_ outline: Outline, _ losses: Losses) {
        guard let video = outline.session.video else { return nil }
        path = Path.absolute(outline.library.path(of: video.file))
        guard let (content, duration) = Self.content(of: path) else {
            losses.say("the video \(video.file) cannot be read, and is left out")
            return nil
        }
        guard duration + video.offset > 0 else {
            losses.say("the video \(video.file) ends before the timeline begins, and is left out")
            return nil
        }
        rate = content.pictureRate.flatMap(PictureRate.init(parsing:))
        (from, self.duration) = (max(0, -video.offset), duration)
        let start = video.at > video.from ? outline.frame(video.at - video.from) : 0
        frames = start..<start + max(1, Int64(((duration - from) * Double(outline.rate)).rounded()))
    }

    /// nil: it holds no picture, or nobody can say how long it is.
    private static func content(of path: String) -> (MediaContent, duration: Double)? {
        guard let content = try? MediaContent(of: path), content.picture != nil,
            let duration = content.duration, duration > 0
        else { return nil }
        return (content, duration)
    }
}
