import Realtime
import Synchronization

/// The queue of orders from the control thread to the audio thread. Wait-free at both ends; a full queue refuses, nothing is overwritten.
///
/// A copy is a handle to the same queue: give one to each side. `destroy` it once, when neither side is left.
package struct OrderQueue: @unchecked Sendable {
    // Safe to share: each index is written by one side only, and a slot is passed by the release of its index.
    private struct Indices: ~Copyable {
        let written = Atomic<Int>(0)
        let read = Atomic<Int>(0)
        // The sender's own: what it has put into slots, and whether it holds that back.
        let staged = Atomic<Int>(0)
        let holds = Atomic<Bool>(false)
    }

    private let indices: UnsafeMutablePointer<Indices>
    private let slots: UnsafeMutablePointer<NumberedOrder>
    private let mask: Int

    /// - Parameter capacity: a power of two.
    package init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a capacity is a power of two")
        indices = LockedMemory.allocate(Indices.self)
        indices.initialize(to: Indices())
        slots = LockedMemory.allocate(NumberedOrder.self, capacity)
        mask = capacity - 1
    }

    package func destroy() {
        indices.deinitialize(count: 1)
        LockedMemory.free(indices)
        LockedMemory.free(slots, mask + 1)
    }

    /// The sending thread only. Wait-free.
    /// - Returns: false if the queue is full; the order was not taken.
    @_noLocks
    package func send(_ order: NumberedOrder) -> Bool {
        let staged = indices.pointee.staged.load(ordering: .relaxed)
        if staged - indices.pointee.read.load(ordering: .acquiring) > mask { return false }
        (slots + (staged & mask)).initialize(to: order)
        indices.pointee.staged.store(staged + 1, ordering: .relaxed)
        if !indices.pointee.holds.load(ordering: .relaxed) { indices.pointee.written.store(staged + 1, ordering: .releasing) }
        return true
    }

    /// The sending thread only. Holds back what `body` sends, so that the receiver finds all of it at once.
    package func sendTogether<Result>(_ body: () -> Result) -> Result {
        indices.pointee.holds.store(true, ordering: .relaxed)
        defer {
            indices.pointee.holds.store(false, ordering: .relaxed)
            indices.pointee.written.store(indices.pointee.staged.load(ordering: .relaxed), ordering: .releasing)
        }
        return body()
    }

    /// The sending thread only: how many have been sent so far, and how many of them the receiver has taken.
    package var sent: Int { indices.pointee.staged.load(ordering: .relaxed) }
    package var taken: Int { indices.pointee.read.load(ordering: .acquiring) }

    /// The receiving thread only. Wait-free. Looks at the next order and leaves it in the queue.
    @_noLocks
    package func peek() -> NumberedOrder? {
        let read = indices.pointee.read.load(ordering: .relaxed)
        if read == indices.pointee.written.load(ordering: .acquiring) { return nil }
        return slots[read & mask]
    }

    /// The receiving thread only. Wait-free. Takes the order that `peek` showed.
    @_noLocks
    package func drop() {
        let read = indices.pointee.read.load(ordering: .relaxed)
        indices.pointee.read.store(read + 1, ordering: .releasing)
    }
}
