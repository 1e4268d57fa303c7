import Realtime

/// A queue of small values from one thread to one other: orders to the audio thread, marks from it. Wait-free
/// at both ends; a full queue refuses, nothing is overwritten.
///
/// A copy is a handle to the same queue: give one to each side. `destroy` it once, when neither side is left.
/// An element holds no reference that would have to be counted. Generic code cannot have `@_noLocks`: the
/// compiler proves it of each kind of element, in whoever calls it.
package struct WaitFreeQueue<Element>: @unchecked Sendable {
    // Safe to share: a slot is passed by the release of its index.
    private let places: QueuePlaces
    private let slots: UnsafeMutablePointer<Element>
    private let capacity: Int

    /// - Parameter capacity: a power of two.
    package init(capacity: Int) {
        self.capacity = capacity
        places = QueuePlaces(capacity: capacity)
        slots = LockedMemory.allocate(Element.self, capacity)
    }

    package func destroy() {
        places.destroy()
        LockedMemory.free(slots, capacity)
    }

    /// The sending thread only. Wait-free.
    /// - Returns: false if the queue is full; the element was not taken.
    package func send(_ element: Element) -> Bool {
        guard let place = places.free() else { return false }
        (slots + place).initialize(to: element)
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

    /// The receiving thread only. Wait-free. Looks at the next element and leaves it in the queue.
    package func peek() -> Element? {
        guard let place = places.next() else { return nil }
        return slots[place]
    }

    /// The receiving thread only. Wait-free. Takes the element that `peek` showed.
    package func drop() { places.take() }
}
