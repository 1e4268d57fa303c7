import Realtime
import Synchronization

/// Which frame of the timeline the frames from `index` on belong to.
struct CaptureMark {
    /// Of all frames that were ever given.
    let index: Int
    let frame: Int64
    let pass: Int
    let kind: Kind
    /// Frames of the pass before this one for which there was no room; where more are missing, a latency has
    /// become shorter.
    let lost: Int
    /// By how many frames a frame of the take is heard live later on the timeline than it lies.
    let aired: Int

    enum Kind {
        /// What comes in before the first frame of a take, while its pass is on.
        case lead
        case take
        /// The pass is over; `frame` is the one behind its last.
        case end
    }

    @_noLocks
    init(index: Int, frame: Int64, pass: Int, kind: Kind, lost: Int, aired: Int) {
        (self.index, self.frame, self.pass) = (index, frame, pass)
        (self.kind, self.lost, self.aired) = (kind, lost, aired)
    }
}
