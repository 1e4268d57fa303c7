import Synchronization

/// Read-ahead for one stream, between the disk thread that writes it and the audio thread that reads it; or
/// what is recorded, the other way round.
///
/// Frames have absolute indices from 0, and the reader names the index it wants: it moves on with time
/// whether or not the frames have come. A writer that fell behind skips forward (`skip`), so that what is
/// late is never played late. A copy is a handle to the same ring. `destroy` it once, when neither side is
/// left.
public struct SampleRing: @unchecked Sendable {
    // Safe to share: `written` and `skipped` are the writer's, `consumed` the reader's, and samples are
    // passed by the release of `written`.
    private struct Indices: ~Copyable {
        /// Frames up to here have been written.
        let written = Atomic<Int>(0)
        /// Frames before here were never written.
        let skipped = Atomic<Int>(0)
        /// Frames up to here are no longer wanted.
        let consumed = Atomic<Int>(0)
    }

    private let indices: UnsafeMutablePointer<Indices>
    /// One channel behind another: planar, as JACK's buffers are.
    private let samples: UnsafeMutablePointer<Float>
    /// In frames; a power of two.
    public let capacity: Int
    // Small, so that who holds a ring fits into a line of the processor's cache.
    private let channelCount: UInt8
    private let isLocked: Bool

    /// How many channels a frame has.
    public var channels: Int { Int(channelCount) }
    private var size: Int { channels * capacity }

    /// - Parameters:
    ///   - capacity: in frames; a power of two.
    ///   - channels: 1 to 255.
    ///   - isLocked: the audio thread must never wait for a page of it. Else it is memory as any.
    public init(capacity: Int, channels: Int = 2, isLocked: Bool = true) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a capacity is a power of two")
        (self.capacity, channelCount, self.isLocked) = (capacity, UInt8(channels), isLocked)
        indices = LockedMemory.holding(Indices())
        samples = LockedMemory.allocate(Float.self, channels * capacity, isLocked: isLocked)
    }

    public func destroy() {
        indices.deinitialize(count: 1)
        LockedMemory.free(indices)
        LockedMemory.free(samples, size, isLocked: isLocked)
    }

    /// Makes it empty again, from index 0 on. For who has both sides.
    public func reset() {
        indices.pointee.written.store(0, ordering: .releasing)
        indices.pointee.skipped.store(0, ordering: .releasing)
        indices.pointee.consumed.store(0, ordering: .releasing)
    }

    // MARK: - The writer: disk thread

    /// Frames that can be written now without touching what the reader may still want.
    public var free: Int { capacity - (written - consumed) }

    public var written: Int { indices.pointee.written.load(ordering: .acquiring) }

    /// The index from which the reader wants frames.
    public var consumed: Int { indices.pointee.consumed.load(ordering: .acquiring) }

    /// Gives up the frames up to `index`: they will not be written any more.
    public func skip(to index: Int) {
        indices.pointee.skipped.store(index, ordering: .releasing)
        indices.pointee.written.store(index, ordering: .releasing)
    }

    /// Writes up to `count` frames in one piece: `fill` is given where they go and how many, and returns how
    /// many it wrote.
    public func write(_ count: Int, _ fill: (Channels, Int) -> Int) -> Int {
        let start = indices.pointee.written.load(ordering: .relaxed)
        let done = fill(samples(from: start), min(count, contiguous(from: start), free))
        indices.pointee.written.store(start + done, ordering: .releasing)
        return done
    }

    // MARK: - The writer where the audio thread writes, wait-free

    /// Frames that can be put now.
    @_noLocks
    public func room() -> Int {
        capacity
            - (indices.pointee.written.load(ordering: .relaxed)
                - indices.pointee.consumed.load(ordering: .acquiring))
    }

    /// Puts `count` frames of as many channels, for which there is room.
    @_noLocks
    public func put(_ block: Channels, _ count: Int) {
        let start = indices.pointee.written.load(ordering: .relaxed)
        let first = min(count, contiguous(from: start))
        samples(from: start).copy(block, first)
        if first < count { samples(from: start + first).copy(block.from(first), count - first) }
        indices.pointee.written.store(start + count, ordering: .releasing)
    }

    // MARK: - The reader, wait-free

    /// How many frames from `index` on are there; 0 if the frame at `index` is not. Any thread may ask.
    @_noLocks
    public func available(from index: Int) -> Int {
        let end = indices.pointee.written.load(ordering: .acquiring)
        return index < indices.pointee.skipped.load(ordering: .acquiring) ? 0 : max(0, end - index)
    }

    /// The samples from `index` on. Contiguous for `contiguous(from:)` frames.
    @_noLocks
    public func samples(from index: Int) -> Channels {
        Channels(samples + (index & (capacity - 1)), stride: capacity, count: Int(channelCount))
    }

    @_noLocks
    public func contiguous(from index: Int) -> Int { capacity - (index & (capacity - 1)) }

    /// Lets the writer have the space of all frames before `index`.
    @_noLocks
    public func consume(upTo index: Int) {
        indices.pointee.consumed.store(index, ordering: .releasing)
    }
}
