/// Of which strip something is noted, and for what.
struct MemoryNote {
    /// Its live side's number.
    var strip: Int
    /// Which pass begins, at which frame of the timeline.
    let pass: Int
    let frame: Int64

    @_noLocks
    init(strip: Int, pass: Int, frame: Int64) { (self.strip, self.pass, self.frame) = (strip, pass, frame) }
}
