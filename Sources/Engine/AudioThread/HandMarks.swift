import Realtime

/// The queue of marks from the audio thread to the control thread. Wait-free; a full one refuses. A copy is a
/// handle to the same queue: `destroy` it once.
struct HandMarks: @unchecked Sendable {
    // Safe to share: a slot is passed by the release of its index.
    private let places: QueuePlaces
    private let slots: UnsafeMutablePointer<HandMark>
    private static let capacity = 4096

    init() {
        places = QueuePlaces(capacity: Self.capacity)
        slots = LockedMemory.allocate(HandMark.self, Self.capacity)
    }

    func destroy() {
        places.destroy()
        LockedMemory.free(slots, Self.capacity)
    }

    /// Audio thread only. Wait-free.
    /// - Returns: false if there was no room.
    @_noLocks
    @discardableResult
    func put(_ mark: HandMark) -> Bool {
        guard let place = places.free() else { return false }
        (slots + place).initialize(to: mark)
        places.put()
        return true
    }

    /// Control thread: the next mark.
    func take() -> HandMark? {
        guard let place = places.next() else { return nil }
        defer { places.take() }
        return slots[place]
    }
}
