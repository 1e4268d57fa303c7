import Realtime

/// The queue of orders from the control thread to the audio thread. Wait-free at both ends; a full queue
/// refuses, nothing is overwritten.
///
/// A copy is a handle to the same queue: give one to each side. `destroy` it once, when neither side is left.
package struct OrderQueue: @unchecked Sendable {
    // Safe to share: a slot is passed by the release of its index.
    private let places: QueuePlaces
    private let slots: UnsafeMutablePointer<NumberedOrder>
    private let capacity: Int

    /// - Parameter capacity: a power of two.
    package init(capacity: Int) {
        self.capacity = capacity
        places = QueuePlaces(capacity: capacity)
        slots = LockedMemory.allocate(NumberedOrder.self, capacity)
    }

    package func destroy() {
        places.destroy()
        LockedMemory.free(slots, capacity)
    }

    /// The sending thread only. Wait-free.
    /// - Returns: false if the queue is full; the order was not taken.
    @_noLocks
    package func send(_ order: NumberedOrder) -> Bool {
        guard let place = places.free() else { return false }
        (slots + place).initialize(to: order)
        places.put()
        return true
    }

    /// The sending thread only. Holds back what `body` sends, so that the receiver finds all of it at once.
    package func sendTogether<Result>(_ body: () -> Result) -> Result {
        places.hold()
        defer { places.letGo() }
        return body()
    }

    /// The sending thread only: how many have been sent so far, and how many of them the receiver has taken.
    package var sent: Int { places.sent }
    package var taken: Int { places.taken }

    /// The receiving thread only. Wait-free. Looks at the next order and leaves it in the queue.
    @_noLocks
    package func peek() -> NumberedOrder? {
        guard let place = places.next() else { return nil }
        return slots[place]
    }

    /// The receiving thread only. Wait-free. Takes the order that `peek` showed.
    @_noLocks
    package func drop() { places.take() }
}
