import Synchronization

/// What other threads read of the audio thread: written there, one word at a time.
struct MixerShared: ~Copyable {
    /// How many plans are not heard any more: they retire in the order in which they were sent. Written after
    /// what the players share.
    let retiredPlans = Atomic<Int>(0)
    let clock = Atomic<Int64>(0)
    let dropouts = Atomic<Int>(0)
    /// The frame of the clock up to which all is done that was asked of strips and has been read.
    let stripsDone = Atomic<Int64>(0)
    /// The ports of single strips have been told to fall silent, last of all that is, and are.
    let isHushed = Atomic<Bool>(false)
}
