import Glibc
import Synchronization

/// Memory that the audio thread touches: whole pages, each met once before and, where the limits allow, locked, so that
/// the audio thread never waits for one. Any thread but the audio thread.
///
/// Pages that come back are kept for the next who asks for as many, up to as much as is in use: a locate makes every stream anew,
/// and fetching the pages of 512 streams from the system takes longer than reading what they are to hold.
///
/// Each piece begins at another place of its page. Rings are read in step, and the same place of every page falls on the same few sets of the
/// processor's first cache, where what is fetched ahead would push itself out again: the callback of 512 tracks took 56 us instead of 47.
public enum LockedMemory {
    private static let refused = Atomic<Bool>(false)
    private static let store = Guarded(Store())

    private struct Store {
        var kept: [Int: [UnsafeMutableRawPointer]] = [:]
        var inUse: [Int: Int] = [:]
        /// How many pieces there have been: it says where the next one begins.
        var made = 0
    }

    /// Four lines of the processor's cache, as much as is mixed of a channel in a period of 64 frames.
    private static let stagger = 256

    /// Whether the system has refused to lock memory: then a page may be swapped out under the audio thread. `ulimit -l` is the limit.
    public static var wasRefused: Bool { refused.load(ordering: .relaxed) }

    /// Floats of any value.
    public static func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
        let bytes = size(count)
        let (kept, number) = store.withLock { store in
            store.inUse[bytes, default: 0] += 1
            store.made += 1
            return (store.kept[bytes]?.popLast(), store.made)
        }
        let memory = kept ?? pages(bytes) + number * stagger % page
        return memory.bindMemory(to: Float.self, capacity: count)
    }

    /// Gives back what `floats` gave.
    public static func free(_ memory: UnsafeMutablePointer<Float>, _ count: Int) {
        let bytes = size(count)
        let isKept = store.withLock { store in
            store.inUse[bytes, default: 0] -= 1
            guard store.kept[bytes, default: []].count < store.inUse[bytes, default: 0] else { return false }
            store.kept[bytes, default: []].append(memory)
            return true
        }
        if !isKept { munmap(UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: memory) & ~UInt(page - 1)), bytes) }
    }

    /// Locks the pages on which `memory` lies. They stay locked when it is freed: the next who gets them is likely to be of the same kind.
    public static func hold(_ memory: UnsafeRawPointer, _ bytes: Int) {
        if bytes > 0, mlock(memory, bytes) != 0 { refused.store(true, ordering: .relaxed) }
    }

    /// Room for one value, locked, from the start of a line of the processor's cache on. To be freed by `deallocate`.
    public static func lines<Value: ~Copyable>(of type: Value.Type) -> UnsafeMutablePointer<Value> {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<Value>.stride, alignment: 64)
        hold(memory, MemoryLayout<Value>.stride)
        return memory.bindMemory(to: Value.self, capacity: 1)
    }

    private static func pages(_ bytes: Int) -> UnsafeMutableRawPointer {
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_POPULATE), -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("out of memory") }
        if mlock(memory, bytes) != 0 { refused.store(true, ordering: .relaxed) }
        return memory
    }

    private static let page = Int(getpagesize())

    /// Whole pages, and one more for where it begins.
    private static func size(_ count: Int) -> Int { (count * MemoryLayout<Float>.stride + page - 1) / page * page + page }
}
