import AudioFile
import Speakers
import Timeline

/// What a line plays, in frames at the mixer's rate.
struct LineContent: Equatable {
    var spans: [ClipSpan] = []
    /// When its input is heard.
    var input = Track.InputUse.never
    /// Automation first, then mutes, fades, ducks: they multiply in this order.
    var envelopes: [EnvelopeBuilder] = []
    /// What the timeline says of its trim.
    var trims: [EnvelopeBuilder] = []
    /// What it says of its processors.
    var lanes = ProcessorLanes()
    /// What multiplies its fader.
    var dcas: [StripID] = []
    /// How many frames behind the playhead the timeline is read for it.
    var lag: Int64 = 0
    /// For so many frames what comes in for it is held back.
    var inputWait: Int64 = 0

    /// The span that is heard at `frame`, if any.
    func span(at frame: Int64) -> ClipSpan? {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].end > frame { high = middle } else { low = middle + 1 }
        }
        return low < spans.count && spans[low].start <= frame ? spans[low] : nil
    }
}
