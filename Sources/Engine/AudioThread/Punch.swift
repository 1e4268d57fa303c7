import Realtime
import Synchronization

/// Which frames of the timeline are recorded while it rolls: none beyond those where a playhead may be.
package struct Punch {
    let start: Int64
    let end: Int64

    @_noLocks
    init(start: Int64, end: Int64) { (self.start, self.end) = (start, end) }
}
