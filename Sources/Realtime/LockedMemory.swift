import Glibc
import Synchronization

/// Memory that the audio thread touches: whole pages, each met once before and, where the limits allow, locked, so that
/// the audio thread never waits for one. Any thread but the audio thread.
///
/// Pages that come back are kept for the next who asks for as many, up to as much as is in use: a locate makes every stream anew,
/// and fetching the pages of 512 streams from the system takes longer than reading what they are to hold.
public enum LockedMemory {
    private static let refused = Atomic<Bool>(false)
    private static let store = Guarded(Store())

    private struct Store {
        var kept: [Int: [UnsafeMutableRawPointer]] = [:]
        var inUse: [Int: Int] = [:]
    }

    /// Whether the system has refused to lock memory: then a page may be swapped out under the audio thread. `ulimit -l` is the limit.
    public static var wasRefused: Bool { refused.load(ordering: .relaxed) }

    /// Floats of any value.
    public static func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
        let bytes = size(count)
        let kept = store.withLock { store in
            store.inUse[bytes, default: 0] += 1
            return store.kept[bytes]?.popLast()
        }
        return (kept ?? pages(bytes)).bindMemory(to: Float.self, capacity: count)
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
        if !isKept { munmap(memory, bytes) }
    }

    /// Locks the pages on which `memory` lies. They stay locked when it is freed: the next who gets them is likely to be of the same kind.
    public static func hold(_ memory: UnsafeRawPointer, _ bytes: Int) {
        if bytes > 0, mlock(memory, bytes) != 0 { refused.store(true, ordering: .relaxed) }
    }

    private static func pages(_ bytes: Int) -> UnsafeMutableRawPointer {
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_POPULATE), -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("out of memory") }
        if mlock(memory, bytes) != 0 { refused.store(true, ordering: .relaxed) }
        return memory
    }

    private static func size(_ count: Int) -> Int {
        let page = Int(getpagesize())
        return (count * MemoryLayout<Float>.stride + page - 1) / page * page
    }
}
