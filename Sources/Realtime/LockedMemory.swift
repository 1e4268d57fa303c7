import Glibc
import Synchronization

/// Memory that the audio thread touches, all of it: each page met once before and, where the limits allow,
/// locked, so that the audio thread never waits for one. Any thread but the audio thread.
///
/// Pieces of about a size stand on one shelf, in slabs that grow with what is in use. Large slabs lie in huge
/// pages: with 4096 tracks, looking up where pages lie took a quarter of the callback's time. Up to as much
/// as is in use is kept free for the next who asks: a locate makes every stream anew, and fetching the pages
/// of 512 streams from the system takes longer than reading what they are to hold.
public enum LockedMemory {
    private static let refused = Atomic<Bool>(false)
    /// At work, or of no use: the system gives no more.
    private static let isStockingUp = Atomic<Bool>(false)
    private static let shelves = Guarded((0..<Int.bitWidth).map { Shelf(pieceBytes: 1 << $0) })

    /// Whether the system has refused to lock memory: then a page may be swapped out under the audio thread.
    /// `ulimit -l` is the limit.
    public static var wasRefused: Bool { refused.load(ordering: .relaxed) }

    /// Room for `count` values, from the start of a line of the processor's cache on. What lies there is
    /// anything.
    public static func allocate<Value: ~Copyable>(
        _ type: Value.Type, _ count: Int = 1
    ) -> UnsafeMutablePointer<Value> {
        let shelf = shelf(of: type, count)
        while true {
            if let memory = shelves.withLock({ $0[shelf].take() }) {
                return memory.bindMemory(to: type, capacity: count)
            }
            guard grow(shelf, isSpare: false) else { fatalError("out of memory") }
        }
    }

    /// Room for one value, with that value in it.
    public static func holding<Value: ~Copyable>(
        _ value: consuming Value
    ) -> UnsafeMutablePointer<Value> {
        let memory = allocate(Value.self)
        memory.initialize(to: value)
        return memory
    }

    /// Gives back what `allocate` gave for as many values.
    public static func free<Value: ~Copyable>(_ memory: UnsafeMutablePointer<Value>, _ count: Int = 1) {
        shelves.withLock { $0[shelf(of: Value.self, count)].putBack(memory) }
    }

    /// Memory for what is played live or rendered. A render gets memory as any: to lock the queues of its
    /// mixers took a twentieth of its time, while its other threads waited for the system's map of pages.
    static func allocate<Value: ~Copyable>(
        _ type: Value.Type, _ count: Int, isLocked: Bool
    ) -> UnsafeMutablePointer<Value> {
        if isLocked { return allocate(type, count) }
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: count * MemoryLayout<Value>.stride, alignment: Shelf.lineBytes)
        return bytes.bindMemory(to: type, capacity: count)
    }

    /// Gives back what `allocate` gave with the same `isLocked`.
    static func free<Value: ~Copyable>(
        _ memory: UnsafeMutablePointer<Value>, _ count: Int, isLocked: Bool
    ) {
        if isLocked { free(memory, count) } else { memory.deallocate() }
    }

    /// Fetches as much again as is in use, so that who asks next does not wait for the system. For a thread
    /// that has nothing else to do.
    public static func stockUp() {
        if isStockingUp.exchange(true, ordering: .acquiringAndReleasing) { return }
        for shelf in 0..<Int.bitWidth where shelves.withLock({ $0[shelf].isShort }) {
            guard grow(shelf, isSpare: true) else { return }
            // Others may have put theirs back meanwhile.
            shelves.withLock { $0[shelf].giveBackSlabs() }
        }
        isStockingUp.store(false, ordering: .releasing)
    }

    /// Fetches a slab. The system takes its time: meanwhile others may have what is there.
    /// - Parameter isSpare: rather nothing than memory that is not locked.
    private static func grow(_ shelf: Int, isSpare: Bool) -> Bool {
        let bytes = shelves.withLock { $0[shelf].growth() }
        guard let memory = pages(bytes) else { return false }
        if mlock(memory, bytes) != 0 {
            if isSpare {
                munmap(memory, bytes)
                return false
            }
            refused.store(true, ordering: .relaxed)
            memset(memory, 0, bytes)
        }
        shelves.withLock { $0[shelf].add(memory, bytes) }
        return true
    }

    /// Sizes are rounded up to a power of two, which is the shelf's number.
    private static func shelf<Value: ~Copyable>(of type: Value.Type, _ count: Int) -> Int {
        let bytes = max(Shelf.lineBytes, count * MemoryLayout<Value>.stride)
        return Int.bitWidth - (bytes - 1).leadingZeroBitCount
    }

    /// Whole pages from the system. What begins at a huge page's start may lie in huge pages.
    private static func pages(_ bytes: Int) -> UnsafeMutableRawPointer? {
        let slack = bytes >= Shelf.hugePage ? Shelf.hugePage : 0
        let memory = mmap(nil, bytes + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        if slack == 0 { return memory }
        let start = memory.alignedUp(toMultipleOf: slack)
        if start > memory { munmap(memory, start - memory) }
        munmap(start + bytes, slack - (start - memory))
        madvise(start, bytes, MADV_HUGEPAGE)
        return start
    }
}

/// Pieces of one size.
private struct Shelf {
    static let lineBytes = 64
    static let hugePage = 2 << 20

    /// From one piece's start to the next one's. Large pieces begin at different places of their pages: rings
    /// are read in step, and the same place of every page falls on the same few sets of the processor's first
    /// cache, where what is fetched ahead would push itself out again. The callback of 512 tracks took 56 us
    /// instead of 47.
    private let stride: Int
    private var slabs: [Slab] = []
    private var inUse = 0
    private var free = 0

    private struct Slab {
        let memory: UnsafeMutableRawPointer
        let bytes: Int
        let count: Int
        /// Places of pieces that nobody has.
        var free: [Int32]
    }

    init(pieceBytes: Int) { stride = pieceBytes >= 4096 ? pieceBytes &+ 4 * Self.lineBytes : pieceBytes }

    /// - Returns: nil if there is none left.
    mutating func take() -> UnsafeMutableRawPointer? {
        guard let index = slabs.firstIndex(where: { !$0.free.isEmpty }) else { return nil }
        inUse += 1
        free -= 1
        return slabs[index].memory + Int(slabs[index].free.removeLast()) * stride
    }

    mutating func putBack(_ piece: UnsafeMutableRawPointer) {
        guard let index = slabs.firstIndex(where: { piece >= $0.memory && piece < $0.memory + $0.bytes })
        else {
            preconditionFailure(
                "memory is given back that was not taken from here, or as another number of values")
        }
        slabs[index].free.append(Int32((piece - slabs[index].memory) / stride))
        inUse -= 1
        free += 1
        if slabs[index].free.count == slabs[index].count { giveBackSlabs() }
    }

    /// Whether there are fewer free pieces than in use.
    var isShort: Bool { free < inUse }

    /// The bytes of the next slab: as much again as is in use, up to 16 MiB.
    func growth() -> Int {
        let wanted = max(stride, min(inUse * stride, 8 * Self.hugePage))
        let unit = wanted < Self.hugePage ? 64 * 1024 : Self.hugePage
        return (wanted + unit - 1) / unit * unit
    }

    mutating func add(_ memory: UnsafeMutableRawPointer, _ bytes: Int) {
        let count = bytes / stride
        slabs.append(Slab(memory: memory, bytes: bytes, count: count, free: (0..<Int32(count)).reversed()))
        free += count
    }

    /// Those that nobody has a piece of, as long as there remain as many free pieces as are in use.
    mutating func giveBackSlabs() {
        for index in slabs.indices.reversed()
        where slabs[index].free.count == slabs[index].count && free - slabs[index].count >= inUse {
            munmap(slabs[index].memory, slabs[index].bytes)
            free -= slabs[index].count
            slabs.remove(at: index)
        }
    }
}
