import Realtime

/// What is remembered where a recording begins, on its way from the audio thread to the recording thread.
/// Wait-free; what there is no room for is left out, and missed by its number. A copy is a handle to the same
/// log: `destroy` it once.
struct MemoryLog: @unchecked Sendable {
    // Safe to share: the ring passes what is put into it; all else is the audio thread's.
    /// Words of 32 bits: an entry, and what belongs to it.
    private let ring: SampleRing
    private let entry: UnsafeMutablePointer<MemoryEntry>
    private let numbers: UnsafeMutablePointer<Double>

    /// 2 MiB: what strips remember is taken out of it twenty times a second.
    private static let capacity = 1 << 19

    init() {
        ring = SampleRing(capacity: Self.capacity, channels: 1)
        entry = LockedMemory.holding(MemoryEntry())
        numbers = LockedMemory.allocate(Double.self, MemoryPage.capacity())
    }

    func destroy() {
        ring.destroy()
        LockedMemory.free(entry)
        LockedMemory.free(numbers, MemoryPage.capacity())
    }

    // MARK: - Audio thread

    /// A page to be written.
    @_noLocks
    func page() -> MemoryPage { MemoryPage(numbers, .writes) }

    /// Puts a page that was written.
    @_noLocks
    func put(_ page: MemoryPage, of note: MemoryNote, _ place: MemoryPlace) {
        let words = UnsafeMutableRawPointer(numbers).assumingMemoryBound(to: Float.self)
        let count = 2 * min(page.count, MemoryPage.capacity())
        put(words, count, of: note, place, from: 0, of: count)
    }

    /// Puts `count` words of `total`, from one on.
    @_noLocks
    func put(
        _ words: UnsafeMutablePointer<Float>, _ count: Int, of note: MemoryNote, _ place: MemoryPlace,
        from first: Int, of total: Int
    ) {
        entry.pointee.number += 1
        (entry.pointee.note, entry.pointee.place) = (note, place)
        (entry.pointee.first, entry.pointee.count) = (Int32(first), Int32(count))
        entry.pointee.total = Int32(total)
        if ring.room() < Self.entrySize() + count { return }
        let head = UnsafeMutableRawPointer(entry).assumingMemoryBound(to: Float.self)
        ring.put(Channels(head, stride: 0, count: 1), Self.entrySize())
        ring.put(Channels(words, stride: 0, count: 1), count)
    }

    /// Nothing more is noted of a place of the timeline.
    @_noLocks
    func end(_ note: MemoryNote) { put(page(), of: note, MemoryPlace(.end)) }

    /// Of words.
    @_noLocks
    private static func entrySize() -> Int { MemoryLayout<MemoryEntry>.size / MemoryLayout<Float>.size }

    // MARK: - Recording thread

    /// The next entry with its words; nil where there is none that is whole.
    func next() -> (entry: MemoryEntry, words: [UInt32])? {
        let start = ring.consumed
        let there = ring.available(from: start)
        let head = Self.entrySize()
        if there < head { return nil }
        let entry = read(start, head).withUnsafeBytes { $0.loadUnaligned(as: MemoryEntry.self) }
        let count = Int(entry.count)
        if there < head + count { return nil }
        let words = read(start + head, count)
        ring.consume(upTo: start + head + count)
        return (entry, words)
    }

    private func read(_ start: Int, _ count: Int) -> [UInt32] {
        (start..<start + count).map { ring.samples(from: $0).channel(0)[0].bitPattern }
    }
}
