import Glibc
import Realtime
import Speakers
import Synchronization

/// What holds for all lines in one block. Audio thread only.
struct BlockState {
    /// Where the mix is wanted.
    var bus: Channels
    var graph: UnsafeMutablePointer<Graph>
    /// When lines are read.
    var moments: UnsafeMutablePointer<Moment>
    /// Of the plan before, while that is crossed over from.
    var past: UnsafeMutablePointer<Moment>
    /// Clips are played, and multiplied by something else than 1.
    var playsClips = false
    var fadesClips = false
    /// What all clips are multiplied by, and all inputs that give way to them.
    var clips: GainBlock
    var standstill: GainBlock
    /// What opens, and what closes, while the plan before is crossed over from.
    var opening: GainBlock
    var closing: GainBlock

    @_noLocks
    init(_ bus: Channels, _ plan: UnsafeMutablePointer<PlanData>, _ scratch: MixerScratch) {
        (self.bus, graph) = (bus, plan.pointee.graph)
        moments = plan.pointee.moments
        past = moments
        (clips, standstill, opening, closing) = (
            scratch.clips(), scratch.standstill(), scratch.opening(), scratch.closing()
        )
    }
}
