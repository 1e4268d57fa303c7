import Realtime
import Synchronization

/// The playthrough that something remembers, and whether inputs were heard in it: these sound on while
/// clips stop and begin.
struct PlaythroughMemory {
    private var playthrough = Playthrough()
    private var heardInputs = false

    @_noLocks
    init() {}

    /// What is remembered is of this playthrough.
    @_noLocks
    mutating func enter(_ playthrough: Playthrough, hearsInputs: Bool) {
        (self.playthrough, heardInputs) = (playthrough, hearsInputs)
    }

    /// Goes on to a playthrough, the same one or another.
    /// - Returns: what of the memory still counts.
    @_noLocks
    mutating func advance(to next: Playthrough, hearsInputs: Bool) -> Change {
        let isLive = heardInputs && hearsInputs
        let (begins, goesElsewhere) = (
            next.plays != playthrough.plays && !isLive, next.locates != playthrough.locates
        )
        (playthrough, heardInputs) = (next, hearsInputs)
        return begins ? .beginning : goesElsewhere ? .elsewhere(isLive: isLive) : .onward
    }

    /// How one playthrough follows another.
    enum Change {
        /// It goes on: all is remembered.
        case onward
        /// Playing goes elsewhere: what is remembered is of what was played before; but for what is live,
        /// before and behind it.
        case elsewhere(isLive: Bool)
        /// Nothing was heard before: nothing is remembered.
        case beginning
    }
}

/// A playthrough as a line hears it.
struct LinePlaythrough {
    let playthrough: Playthrough
    /// What comes in by ports is heard in it.
    let hearsInputs: Bool
    /// How far behind the playhead it is.
    let lag: Int64

    @_noLocks
    init(playthrough: Playthrough, hearsInputs: Bool, lag: Int64) {
        (self.playthrough, self.hearsInputs, self.lag) = (playthrough, hearsInputs, lag)
    }
}
