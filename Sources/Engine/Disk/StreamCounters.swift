import Synchronization

/// Counts of one stream that other threads may read.
struct StreamCounters: ~Copyable {
    let dropouts = Atomic<Int>(0)
    /// The fewest frames that were read ahead when a block was mixed; 0 where it ran dry.
    let lowestFill = Atomic<Int>(.max)
    /// Its file cannot be read at present: nothing comes before this frame of the stream. 0: it can be read.
    let silentUntil = Atomic<Int>(0)
    /// Its file is still being decoded there: nobody waits for it.
    let isPending = Atomic<Bool>(false)
}
