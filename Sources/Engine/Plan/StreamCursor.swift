import Realtime
import Timeline

/// The audio thread's side of a stream: one line of the processor's cache.
struct StreamCursor {
    let ring: SampleRing
    /// The index of the route at which the stream's first frame is played.
    let base: Int64
    /// How much of the stream is let through while data is short: 1 all, 0 none.
    var underrunGate: Float = 1
    /// Data is short: that gate is closing, closed, or waits for enough to open.
    var isStarved = false
    /// As far as the audio thread knows, frames are there up to here: looking again means fetching what the
    /// disk thread has written.
    var knownEnd = 0
    /// The fewest frames that were found read ahead.
    var lowestFill = Int.max
    let counters: UnsafeMutablePointer<StreamCounters>

    /// Whether frames up to `index` of the route are there, or will not come.
    func isReady(upTo index: Int64) -> Bool {
        let end = Int(index - base)
        return ring.written >= end || counters.pointee.silentUntil.load(ordering: .acquiring) >= end
    }
}
