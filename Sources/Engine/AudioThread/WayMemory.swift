import Realtime
import Synchronization

/// Which way of playing something remembers, and whether inputs were heard in it, which sound on while clips
/// stop and begin.
struct WayMemory {
    private var way = Way()
    private var heardInputs = false

    @_noLocks
    init() {}

    /// What is remembered is of this way of playing.
    @_noLocks
    mutating func enter(_ way: Way, hearsInputs: Bool) { (self.way, heardInputs) = (way, hearsInputs) }

    /// What of what is remembered is of another way of playing than `next`, which is noted.
    @_noLocks
    mutating func turn(to next: Way, hearsInputs: Bool) -> Turn {
        let isLive = heardInputs && hearsInputs
        let (begins, goesElsewhere) = (next.plays != way.plays && !isLive, next.locates != way.locates)
        (way, heardInputs) = (next, hearsInputs)
        return begins ? .beginning : goesElsewhere ? .elsewhere(isLive: isLive) : .onward
    }

    /// How one way of playing follows another.
    enum Turn {
        /// It goes on: all is remembered.
        case onward
        /// Playing goes elsewhere: what is remembered is of what was played before; but for what is live,
        /// before and behind it.
        case elsewhere(isLive: Bool)
        /// Nothing was heard before: nothing is remembered.
        case beginning
    }
}

/// A way of playing as a line hears it.
struct LineWay {
    let way: Way
    /// What comes in by ports is heard in it.
    let hearsInputs: Bool
    /// How far behind the playhead it is.
    let lag: Int64

    @_noLocks
    init(way: Way, hearsInputs: Bool, lag: Int64) {
        (self.way, self.hearsInputs, self.lag) = (way, hearsInputs, lag)
    }
}
