import Realtime

/// Notes what a ring held where a recording began: a block's length with each block, before that is written
/// over. Audio thread only; wait-free.
struct RingNote {
    private var log: MemoryLog?
    private var note = MemoryNote(strip: 0, pass: 0, frame: 0)
    private var unit = MemoryPlace.Unit.delay
    private var start: Int64 = 0
    private var next: Int64 = 0
    private var end: Int64 = 0

    /// Nothing is to be noted.
    @_noLocks
    init() {}

    /// - Parameters:
    ///   - start: the first frame to be noted, as the ring counts.
    ///   - end: behind the last.
    @_noLocks
    init(_ log: MemoryLog, _ note: MemoryNote, _ unit: MemoryPlace.Unit, from start: Int64, to end: Int64) {
        (self.log, self.note, self.unit) = (log, note, unit)
        (self.start, next, self.end) = (start, start, end)
    }

    @_noLocks
    func isUnderWay() -> Bool { next < end }

    /// Notes `count` frames more, of all channels.
    /// - Parameter frames: of the ring: a power of two.
    @_noLocks
    mutating func goOn(_ ring: Channels, _ frames: Int, _ count: Int) {
        guard let log else { return }
        var left = Int(min(Int64(count), end - next))
        while left > 0 {
            let first = Int(next) & (frames - 1)
            let run = min(left, frames - first)
            for channel in 0..<ring.count {
                log.put(
                    ring.channel(channel) + first, run, of: note,
                    MemoryPlace(unit, channel: channel),
                    from: Int(next - start), of: Int(end - start))
            }
            (next, left) = (next + Int64(run), left - run)
        }
    }
}
