import CVector
import Realtime
import Timeline

/// Where a line's sound comes from and goes to.
struct LineEdges {
    /// Which sum is its source, from 1; 0 for a track.
    let source: Int
    /// One at most, and one more that closes.
    let outputs: UnsafeMutablePointer<OutputEdge>
    let outputCount: Int
    /// In the order of their slots.
    let sends: UnsafeMutablePointer<SendEdge>
    let sendCount: Int
    /// The slots of its sends; the last `unslotted` have none, and are always looked at.
    let slots: UInt64
    /// Of these, the sends that leave before the strip's gains.
    let preSlots: UInt64
    let unslotted: Int
    /// What the sends that stand still add, in the same order, and the slots whose places there hold: of
    /// many sends no more than that has to be fetched. The audio thread's own.
    let steady: UnsafeMutablePointer<steady_send>
    var steadySlots: UInt64 = 0

    /// The place of the first of some slots, which is taken from them.
    @_noLocks
    func takeFirst(of open: inout UInt64) -> Int {
        let below = (open & (0 &- open)) &- 1
        open &= open &- 1
        return (slots & below).nonzeroBitCount
    }
}
