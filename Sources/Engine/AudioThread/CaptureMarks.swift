import Realtime
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

/// The queue of marks from the audio thread to the disk. Wait-free; a full one refuses. A copy is a handle to
/// the same queue: `destroy` it once.
struct CaptureMarks: @unchecked Sendable {
    // Safe to share: a slot is passed by the release of its index.
    private let places: QueuePlaces
    private let slots: UnsafeMutablePointer<CaptureMark>
    private static let capacity = 64

    init() {
        places = QueuePlaces(capacity: Self.capacity)
        slots = LockedMemory.allocate(CaptureMark.self, Self.capacity)
    }

    func destroy() {
        places.destroy()
        LockedMemory.free(slots, Self.capacity)
    }

    /// Audio thread only. Wait-free.
    @_noLocks
    func put(_ mark: CaptureMark) -> Bool {
        guard let place = places.free() else { return false }
        (slots + place).initialize(to: mark)
        places.put()
        return true
    }

    /// Disk thread: the next mark, left where it is.
    func peek() -> CaptureMark? { places.next().map { slots[$0] } }

    /// Disk thread: takes what `peek` showed.
    func drop() { places.take() }
}
