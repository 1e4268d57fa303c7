import Realtime
import Synchronization

/// The epoch of playing that something remembers, and whether inputs were heard in it: these sound on while
/// clips stop and begin.
struct EpochMemory {
    private var epoch = Epoch()
    private var heardInputs = false

    @_noLocks
    init() {}

    /// What is remembered is of this epoch.
    @_noLocks
    mutating func enter(_ epoch: Epoch, hearsInputs: Bool) {
        (self.epoch, heardInputs) = (epoch, hearsInputs)
    }

    /// Goes on to an epoch, the same one or another.
    /// - Returns: what of the memory still counts.
    @_noLocks
    mutating func advance(to next: Epoch, hearsInputs: Bool) -> Change {
        let isLive = heardInputs && hearsInputs
        let (begins, goesElsewhere) = (next.plays != epoch.plays && !isLive, next.locates != epoch.locates)
        (epoch, heardInputs) = (next, hearsInputs)
        return begins ? .beginning : goesElsewhere ? .elsewhere(isLive: isLive) : .onward
    }

    /// How one epoch follows another.
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

/// An epoch as a line hears it.
struct LineEpoch {
    let epoch: Epoch
    /// What comes in by ports is heard in it.
    let hearsInputs: Bool
    /// How far behind the playhead it is.
    let lag: Int64

    @_noLocks
    init(epoch: Epoch, hearsInputs: Bool, lag: Int64) {
        (self.epoch, self.hearsInputs, self.lag) = (epoch, hearsInputs, lag)
    }
}
