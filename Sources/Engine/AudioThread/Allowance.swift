import Glibc
import Realtime
import Speakers
import Synchronization

/// How much of what is asked one call of `render` may do, so that no sender makes it late: the rest is done
/// in the next, in order.
struct Allowance {
    /// Orders to carry out or to put on an agenda; a scene of a thousand tracks is 4000.
    var orders = 4096
    /// Lines and sends to mix once more because a block was split where an order is due; a few splits are
    /// made whatever they cost.
    private var lines = 8192
    private var freeSplits = 4
    /// How often what all lines remember may be noted: where a recording begins, and where it has settled.
    private var notes = 2

    @_noLocks
    init() {}

    /// Whether what all lines remember may be noted.
    @_noLocks
    mutating func takeNote() -> Bool {
        notes -= 1
        return notes >= 0
    }

    /// Whether a block of so many lines and sends may be split.
    @_noLocks
    mutating func takeSplit(of lines: Int) -> Bool {
        if freeSplits > 0 {
            freeSplits -= 1
            return true
        }
        self.lines -= lines
        return self.lines >= 0
    }
}
