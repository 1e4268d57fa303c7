/// Some words of what one strip remembered.
struct MemoryEntry {
    /// Of all that were to be put.
    var number: Int64 = 0
    var note = MemoryNote(strip: 0, pass: 0, frame: 0)
    var place = MemoryPlace(.gate)
    /// Which words of all that belong there these are.
    var first: Int32 = 0
    var count: Int32 = 0
    var total: Int32 = 0

    @_noLocks
    init() {}
}

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

/// What of a strip it is that remembers. Takes keep it: what a number means never changes.
struct MemoryPlace: Hashable {
    let unit: Unit
    /// Which of several.
    let index: Int32
    let channel: Int32

    enum Unit: Int32 {
        case gate, equaliser, compressor, delay, limiter
        /// A duck by signal, and what it gets of an automix.
        case duck, share
        /// Nothing: all that there was has been noted.
        case end
    }

    @_noLocks
    init(_ unit: Unit, index: Int = 0, channel: Int = 0) {
        (self.unit, self.index, self.channel) = (unit, Int32(index), Int32(channel))
    }
}
