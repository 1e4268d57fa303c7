import Synchronization

/// What other threads read of a player: written by the audio thread, one word at a time.
struct PlayerShared: ~Copyable {
    let transport = Atomic<Int32>(0)
    /// The frame of the timeline that is played next.
    let frame = Atomic<Int64>(0)
    /// How far along which route it is; written after `frame`.
    let progress = Atomic<UInt64>(RouteProgress(routeNumber: 0, index: 0).bits())

    /// - Parameter frame: where it begins.
    init(at frame: Int64) { self.frame.store(frame, ordering: .relaxed) }
}
