import Timeline

/// Which part of a session's mix is made offline, and what is made beside it.
struct MixPart {
    /// Of the timeline, at the session's rate.
    var frames: Range<Int64>
    /// What is given: any strip's sound as it leaves it; the master's is the mix. Another's goes with no
    /// stems.
    var strip = StripID.master
    /// See the tracks' blocks on the way.
    var taps: [StripID: TrackTap] = [:]
    /// Strips that are heard by themselves too.
    var stems: [StripID] = []
    /// So many frames before the first are mixed too, and not given; more, where `recalls` has to begin
    /// earlier.
    var leadIn: Int64 = 0
    /// What strips are to remember from frames of the timeline on, in order.
    var recalls: [ShowRecall] = []

    /// The first frame of the timeline that is mixed.
    var start: Int64 {
        let recalled = recalls.last { $0.frame <= frames.lowerBound }?.frame ?? frames.lowerBound
        return min(max(0, frames.lowerBound - leadIn), recalled)
    }
}
