import Realtime
import Timeline

/// A strip in a graph.
struct Line {
    /// What it plays, and what the timeline says of it.
    var sound: LineSound
    let strip: UnsafeMutablePointer<LiveStrip>
    /// What it was in the plan before, while that is crossed over from; nil: the same.
    let before: UnsafeMutablePointer<LineSound>?
    /// nil: its sound goes to the master and nowhere else.
    let edges: UnsafeMutablePointer<LineEdges>?
    /// nil: it goes by no other's level, and no other by its own.
    let levels: UnsafeMutablePointer<LineLevels>?
    /// nil: it shares with no others.
    let share: UnsafeMutablePointer<ShareEdge>?
    /// nil: nothing of it is held back on its way.
    let waits: UnsafeMutablePointer<LineWaits>?
    /// The places for its samples on their way.
    let blocks: LineBlocks
    /// Whether the plan before has it, and this one.
    let gate: EdgeGate
    /// Which `Playing` it sees: its player's, or that of all players together.
    let playing: UInt8
    /// What comes in by ports is heard in it: at a standstill too.
    let hearsInputs: Bool
    /// By so many frames what leaves it is later than what enters it.
    let latency: Int
    /// It leaves by its own ports later than the mix does.
    let leavesLater: Bool
    /// While both plans are mixed apart: it is mixed twice. The audio thread's own.
    var isApart = false
    /// It has clips, and nothing but what their volume is multiplied by is in their way: no input, trim,
    /// balance or processor of the timeline, no DCA, no level that it goes by or others do, no wait.
    var onlyPlays = false
}

extension UnsafeMutablePointer<Line> {
    /// Where a line's sound lies.
    @_noLocks
    func sound() -> UnsafeMutablePointer<LineSound> {
        // The first of what is stored lies where the whole does.
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: LineSound.self)
    }
}

extension Line {
    /// Its processors, where the timeline moves them, or did.
    @_noLocks
    func bank() -> UnsafeMutablePointer<ProcessorBank>? {
        if let controls = sound.controls, let bank = controls.pointee.bank { return bank }
        guard let before, let controls = before.pointee.controls else { return nil }
        return controls.pointee.bank
    }
}
