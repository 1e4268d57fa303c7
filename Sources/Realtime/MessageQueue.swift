import Synchronization

/// What passes between the audio thread and the control thread: a few words, copied, owning nothing.
public struct RealtimeMessage {
    public var code: Int32
    public var object: UnsafeMutableRawPointer?
    public var count: Int64
    public var value: Double
    public var option: Int32
    /// When it is to take effect, on a clock that both sides know; `Int64.min` for at once.
    public var at: Int64

    @_noLocks
    public init(
        code: Int32, object: UnsafeMutableRawPointer? = nil, count: Int64 = 0, value: Double = 0, option: Int32 = 0, at: Int64 = .min
    ) {
        self.code = code
        self.object = object
        self.count = count
        self.value = value
        self.option = option
        self.at = at
    }
}

/// A queue of messages between exactly two threads. Wait-free at both ends; a full queue refuses, nothing is overwritten.
///
/// A copy is a handle to the same queue: give one to each side. `destroy` it once, when neither side is left.
public struct MessageQueue: @unchecked Sendable {
    // Safe to share: each index is written by one side only, and a slot is passed by the release of its index.
    private struct Indices: ~Copyable {
        let written = Atomic<Int>(0)
        let read = Atomic<Int>(0)
        // The sender's own: what it has put into slots, and whether it holds that back.
        let staged = Atomic<Int>(0)
        let holds = Atomic<Bool>(false)
    }

    private let indices: UnsafeMutablePointer<Indices>
    private let slots: UnsafeMutablePointer<RealtimeMessage>
    private let mask: Int

    /// - Parameter capacity: a power of two.
    public init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a capacity is a power of two")
        indices = LockedMemory.allocate(Indices.self)
        indices.initialize(to: Indices())
        slots = LockedMemory.allocate(RealtimeMessage.self, capacity)
        slots.initialize(repeating: RealtimeMessage(code: 0), count: capacity)
        mask = capacity - 1
    }

    public func destroy() {
        indices.deinitialize(count: 1)
        LockedMemory.free(indices)
        LockedMemory.free(slots, mask + 1)
    }

    /// The sending thread only. Wait-free.
    /// - Returns: false if the queue is full; the message was not taken.
    @_noLocks
    public func send(_ message: RealtimeMessage) -> Bool {
        let staged = indices.pointee.staged.load(ordering: .relaxed)
        if staged - indices.pointee.read.load(ordering: .acquiring) > mask { return false }
        slots[staged & mask] = message
        indices.pointee.staged.store(staged + 1, ordering: .relaxed)
        if !indices.pointee.holds.load(ordering: .relaxed) { indices.pointee.written.store(staged + 1, ordering: .releasing) }
        return true
    }

    /// The sending thread only. Holds back what `body` sends, so that the receiver finds all of it at once.
    public func sendTogether<Result>(_ body: () -> Result) -> Result {
        indices.pointee.holds.store(true, ordering: .relaxed)
        defer {
            indices.pointee.holds.store(false, ordering: .relaxed)
            indices.pointee.written.store(indices.pointee.staged.load(ordering: .relaxed), ordering: .releasing)
        }
        return body()
    }

    /// The sending thread only: whether the receiver has taken all.
    public var isEmpty: Bool {
        indices.pointee.staged.load(ordering: .relaxed) == indices.pointee.read.load(ordering: .acquiring)
    }

    /// The receiving thread only. Wait-free. Looks at the next message and leaves it in the queue.
    @_noLocks
    public func peek() -> RealtimeMessage? {
        let read = indices.pointee.read.load(ordering: .relaxed)
        if read == indices.pointee.written.load(ordering: .acquiring) { return nil }
        return slots[read & mask]
    }

    /// The receiving thread only. Wait-free. Takes the message that `peek` showed.
    @_noLocks
    public func drop() {
        let read = indices.pointee.read.load(ordering: .relaxed)
        indices.pointee.read.store(read + 1, ordering: .releasing)
    }
}
