import Glibc
import Synchronization

/// Memory that the audio thread touches: whole pages, each met once before and, where the limits allow, locked, so that
/// the audio thread never waits for one.
public enum LockedMemory {
    private static let refused = Atomic<Bool>(false)

    /// Whether the system has refused to lock memory: then a page may be swapped out under the audio thread. `ulimit -l` is the limit.
    public static var wasRefused: Bool { refused.load(ordering: .relaxed) }

    /// Zeroed floats. Not for the audio thread.
    public static func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
        let bytes = size(count)
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, Int(getpagesize()), bytes) == 0, let memory else { fatalError("out of memory") }
        memset(memory, 0, bytes)
        if mlock(memory, bytes) != 0 { refused.store(true, ordering: .relaxed) }
        return memory.bindMemory(to: Float.self, capacity: count)
    }

    /// Gives back what `floats` gave.
    public static func free(_ memory: UnsafeMutablePointer<Float>, _ count: Int) {
        munlock(memory, size(count))
        Glibc.free(memory)
    }

    private static func size(_ count: Int) -> Int {
        let page = Int(getpagesize())
        return (count * MemoryLayout<Float>.stride + page - 1) / page * page
    }
}
