import Realtime

/// What the audio thread tells of hands and of the playhead while hands write: at which frame of its clock
/// something was done, and where the timeline was then.
package struct HandMark {
    package enum Kind {
        /// The order of that number was reached: what was asked before it has been done.
        case reached(Int64)
        /// The playhead rolls on from here, without a jump, until the next of this kind.
        case rolls
        /// It stands.
        case stands
        /// A plan is played from here on: so many have been since the start.
        case plan(Int)
    }

    package let kind: Kind
    /// Of the mixer's clock.
    package let clock: Int64
    /// Of the timeline.
    package let frame: Int64

    @_noLocks
    init(_ kind: Kind, clock: Int64, frame: Int64) {
        (self.kind, self.clock, self.frame) = (kind, clock, frame)
    }
}
