import Realtime

/// What holds back what leaves a line: what is played, and what was played before, where that is mixed
/// apart. Audio thread only; wait-free.
struct SideRings {
    private var present: WaitRing
    private var past: WaitRing
    private var playthrough = PlaythroughMemory()

    /// - Parameter longest: so many frames are held back at the most.
    init(channels: Int, longest: Int64) {
        present = WaitRing(channels: channels, longest: longest)
        past = WaitRing(channels: channels, longest: longest)
    }

    func deallocate() {
        present.deallocate()
        past.deallocate()
    }

    /// Begins anew where what it holds back is of another playthrough than what comes now, and nothing
    /// was heard between them; or where what comes now is mixed apart from that.
    @_noLocks
    mutating func follow(_ next: Playthrough, hearsInputs: Bool, goesApart: Bool) {
        switch playthrough.advance(to: next, hearsInputs: hearsInputs) {
        case .onward: return
        case .beginning: past.reset()
        case .elsewhere:
            if !goesApart { return }
            (present, past) = (past, present)
        }
        present.reset()
    }

    /// Is given a block.
    /// - Parameter isBefore: of what was played before, which is mixed apart.
    @_noLocks
    mutating func take(_ block: Channels, isBefore: Bool, _ count: Int) {
        if isBefore { past.take(block, count) } else { present.take(block, count) }
    }

    /// What was given so many frames before the block that it was given last.
    /// - Parameter isBefore: as in `take`.
    @_noLocks
    func lay(_ wait: Int, isBefore: Bool, into block: Channels, _ count: Int) {
        (isBefore ? past : present).lay(wait, into: block, count)
    }
}
