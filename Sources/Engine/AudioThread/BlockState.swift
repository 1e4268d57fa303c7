import Glibc
import Realtime
import Speakers
import Synchronization

/// What holds for all lines in one block. Audio thread only.
struct BlockState {
    /// Where the mix is wanted.
    var bus: Channels
    var graph: UnsafeMutablePointer<Graph>
    /// What opens, and what closes, while the plan before is crossed over from.
    var opening: GainBlock
    var closing: GainBlock

    @_noLocks
    init(_ bus: Channels, _ plan: UnsafeMutablePointer<PlanData>, _ scratch: MixerScratch) {
        (self.bus, graph) = (bus, plan.pointee.graph)
        (opening, closing) = (scratch.opening(), scratch.closing())
    }
}
