import Realtime

/// Orders that wait: for their frame, or behind one that waits. By frame, those of one frame in the order in
/// which they were given. Audio thread only; wait-free.
struct Agenda {
    private struct Entry {
        var frame: Int64
        var order: NumberedOrder
    }

    // A ring, the next one first: orders come nearly always in the order of their frames, so that none has to
    // be moved.
    private let entries: UnsafeMutablePointer<Entry>
    private var head = 0
    private(set) var count = 0
    private var plans = 0
    /// The frame of the last plan on it; `Int64.min` without one.
    private(set) var lastPlan = Int64.min

    /// What a script may have on its way within a period and 20 ms, by which it is handed over before its
    /// time; more waits in the queue. A power of two.
    private let capacity = 1024

    init() {
        entries = LockedMemory.allocate(Entry.self, capacity)
        entries.initialize(
            repeating: Entry(frame: 0, order: NumberedOrder(.stop(player: 0), number: 0, at: nil)),
            count: capacity)
    }

    func deallocate() { LockedMemory.free(entries, capacity) }

    @_noLocks
    func isFull() -> Bool { count == capacity }

    /// The next order whose frame is `clock` or before.
    @_noLocks
    func due(at clock: Int64) -> NumberedOrder? { firstFrame() <= clock ? entries[head].order : nil }

    /// The frame of the first order on it; `Int64.max` without one.
    @_noLocks
    func firstFrame() -> Int64 { count > 0 ? entries[head].frame : .max }

    /// Where the `number`th order lies.
    @_noLocks
    private func slot(_ number: Int) -> Int { (head + number) & (capacity - 1) }

    /// Does nothing if it is full. A plan goes behind the plans that are on it.
    /// - Returns: how many orders had to be moved for it.
    @_noLocks @discardableResult
    mutating func insert(_ order: NumberedOrder, at frame: Int64) -> Int {
        if isFull() { return 0 }
        var index = count
        while index > 0, entries[slot(index - 1)].frame > frame {
            entries[slot(index)] = entries[slot(index - 1)]
            index -= 1
        }
        entries[slot(index)] = Entry(frame: frame, order: order)
        count += 1
        if order.isPlan() {
            plans += 1
            lastPlan = frame
        }
        return count - 1 - index
    }

    @_noLocks
    mutating func dropFirst() {
        if entries[head].order.isPlan() {
            plans -= 1
            if plans == 0 { lastPlan = .min }
        }
        head = slot(1)
        count -= 1
    }
}
