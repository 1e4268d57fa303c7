/// Where a recording began.
struct Beginning {
    /// On the mixer's clock, and on the timeline.
    let clock: Int64
    let frame: Int64
    let pass: Int
    /// Nothing of what was heard before is heard there any more, and what plays is as loud as it will be.
    let isSettled: Bool

    @_noLocks
    init(clock: Int64, frame: Int64, pass: Int, isSettled: Bool) {
        (self.clock, self.frame, self.pass, self.isSettled) = (clock, frame, pass, isSettled)
    }
}
