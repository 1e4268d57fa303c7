import Synchronization

/// What other threads may read of a capture.
struct CaptureCounters: ~Copyable {
    /// Frames for which there was no room.
    let lost = Atomic<Int>(0)
    /// Frames by which what comes in is later than what goes out; below zero while nobody knows.
    let latency = Atomic<Int>(0)
    /// Frames by which what comes in is heard live later on the timeline than it is laid.
    let aired = Atomic<Int>(0)

    /// nil while nobody knows.
    static func latency(_ frames: Int) -> Int? { frames < 0 ? nil : frames }
}
