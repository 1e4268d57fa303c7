import Synchronization

/// The places of a queue between two threads: which of its slots is written next, and which read. Wait-free
/// at both ends; a full queue refuses, nothing is overwritten.
///
/// A copy is a handle to the same places: give one to each side. `destroy` it once, when neither side is
/// left. The slots are the owner's, who says what they hold.
public struct QueuePlaces: @unchecked Sendable {
    // Safe to share: each index is written by one side only, and a slot is passed by the release of its
    // index.
    private struct Indices: ~Copyable {
        let written = Atomic<Int>(0)
        let read = Atomic<Int>(0)
        // The sender's own: what it has put into slots, and whether it holds that back.
        let staged = Atomic<Int>(0)
        let holds = Atomic<Bool>(false)
    }

    private let indices: UnsafeMutablePointer<Indices>
    private let mask: Int

    /// - Parameter capacity: a power of two.
    public init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a capacity is a power of two")
        indices = LockedMemory.holding(Indices())
        mask = capacity - 1
    }

    public func destroy() {
        indices.deinitialize(count: 1)
        LockedMemory.free(indices)
    }

    // MARK: - The sending thread

    /// The slot that is free; nil if none is.
    @_noLocks
    public func free() -> Int? {
        let staged = indices.pointee.staged.load(ordering: .relaxed)
        return staged - indices.pointee.read.load(ordering: .acquiring) > mask ? nil : staged & mask
    }

    /// Whether so many slots are free.
    @_noLocks
    public func areFree(_ count: Int) -> Bool {
        let staged = indices.pointee.staged.load(ordering: .relaxed)
        return staged + count - indices.pointee.read.load(ordering: .acquiring) <= mask + 1
    }

    /// What has been written to the slot that was free is sent, unless it is held back.
    @_noLocks
    public func put() {
        let staged = indices.pointee.staged.load(ordering: .relaxed) + 1
        indices.pointee.staged.store(staged, ordering: .relaxed)
        if !indices.pointee.holds.load(ordering: .relaxed) {
            indices.pointee.written.store(staged, ordering: .releasing)
        }
    }

    /// Holds back what is put, until it is let go all at once.
    public func hold() { indices.pointee.holds.store(true, ordering: .relaxed) }

    public func letGo() {
        indices.pointee.holds.store(false, ordering: .relaxed)
        indices.pointee.written.store(indices.pointee.staged.load(ordering: .relaxed), ordering: .releasing)
    }

    /// How many have been sent so far, and how many of them the receiver has taken.
    public var sent: Int { indices.pointee.staged.load(ordering: .relaxed) }
    public var taken: Int { indices.pointee.read.load(ordering: .acquiring) }

    // MARK: - The receiving thread

    /// The slot that is to be read next; nil if there is nothing.
    @_noLocks
    public func next() -> Int? {
        let read = indices.pointee.read.load(ordering: .relaxed)
        return read == indices.pointee.written.load(ordering: .acquiring) ? nil : read & mask
    }

    /// Gives the slot back that was read.
    @_noLocks
    public func release() {
        indices.pointee.read.store(indices.pointee.read.load(ordering: .relaxed) + 1, ordering: .releasing)
    }
}
