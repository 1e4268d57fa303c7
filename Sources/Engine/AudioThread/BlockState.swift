import Glibc
import Realtime
import Speakers
import Synchronization

/// What holds for all lines in one block. Audio thread only.
struct BlockState {
    /// Where the mix is wanted.
    var bus: Channels
    /// Where the master hears what was played before, while that is mixed apart.
    var busBefore: Channels
    var graph: UnsafeMutablePointer<Graph>
    /// What is played and what was played before are mixed apart.
    var isApart = false
    /// Which of both is mixed at present.
    var side = Side.crossing
    /// What opens, and what closes, while the plan before is crossed over from.
    var opening: GainBlock
    var closing: GainBlock

    @_noLocks
    init(_ bus: Channels, _ plan: UnsafeMutablePointer<PlanData>, _ scratch: MixerScratch) {
        (self.bus, busBefore, graph) = (bus, bus, plan.pointee.graph)
        (opening, closing) = (scratch.opening(), scratch.closing())
    }
}

/// What of a line is mixed, while playing goes elsewhere.
enum Side {
    /// The one on its way from the other; and all of it where nothing is crossed over.
    case crossing
    /// What is played, as if nothing had been played before.
    case present
    /// What was played before, as if it went on.
    case past

    @_noLocks
    func isCrossing() -> Bool { if case .crossing = self { true } else { false } }
    @_noLocks
    func isPast() -> Bool { if case .past = self { true } else { false } }
}
