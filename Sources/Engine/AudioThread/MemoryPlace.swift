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
