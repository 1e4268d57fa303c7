import Realtime

/// A sliding minimum of the wanted gains, released slowly, and then its mean over as many frames. It does not
/// depend on the size of the blocks.
///
/// With r what is asked for at each frame: m(n) = min(r(n), ..., r(n + reach), m(n - 1) + (1 - m(n - 1))
/// release), where what is within 1e-9 of 1 is 1; the gain of frame n is the mean of m(n - reach), ..., m(n),
/// each rounded down to a multiple of 2^-30.
struct HeldGain {
    /// The candidates for the minimum of a window, in a ring ordered by frame.
    private let frames: UnsafeMutablePointer<Int64>
    private let values: UnsafeMutablePointer<Double>
    /// m of the last frames.
    private let held: UnsafeMutablePointer<Int64>
    let reach: Int
    private let places: Int
    private var first = 0
    private var last = 0
    private var level = 1.0
    private var sum: Int64 = 0
    private var count: Int64 = 0

    @_noLocks
    private func one() -> Int64 { 1 << 30 }

    init(reach: Int) {
        self.reach = reach
        var places = 2
        while places < reach + 2 { places *= 2 }
        self.places = places
        frames = LockedMemory.allocate(Int64.self, places)
        values = LockedMemory.allocate(Double.self, places)
        held = LockedMemory.allocate(Int64.self, reach + 1)
        // A page of memory (`MemoryPage`) has unused places too: they hold zeros.
        frames.initialize(repeating: 0, count: places)
        values.initialize(repeating: 0, count: places)
        reset()
    }

    func deallocate() {
        LockedMemory.free(frames, places)
        LockedMemory.free(values, places)
        LockedMemory.free(held, reach + 1)
    }

    @_noLocks
    mutating func reset() {
        (first, last, level, count) = (0, 0, 1, 0)
        for i in 0...reach { held[i] = one() }
        sum = one() * Int64(reach + 1)
    }

    @_noLocks
    mutating func pass(_ page: inout MemoryPage) {
        page.pass(frames, places)
        page.pass(values, places)
        page.pass(held, reach + 1)
        page.pass(&first)
        page.pass(&last)
        page.pass(&level, atLeast: 0, atMost: 1)
        page.pass(&count)
        // Whatever a page holds, no more wait than there are places.
        (first, count) = (max(0, first), max(0, count))
        last = min(max(first, last), first + places)
        sum = 0
        for i in 0...reach {
            held[i] = min(max(held[i], 0), one())
            sum += held[i]
        }
    }

    /// Takes what is asked for at a frame, and gives the gain of the frame `reach` before it.
    @_noLocks
    mutating func push(_ value: Double, _ release: Double) -> Double {
        while last > first, values[(last - 1) & (places - 1)] >= value { last -= 1 }
        (frames[last & (places - 1)], values[last & (places - 1)]) = (count, value)
        last += 1
        if frames[first & (places - 1)] < count - Int64(reach) { first += 1 }
        level += (1 - level) * release
        if level > 1 - 1e-9 { level = 1 }
        level = min(level, values[first & (places - 1)])
        let (place, next) = (Int(count % Int64(reach + 1)), Int64(level * Double(one())))
        sum += next - held[place]
        held[place] = next
        count += 1
        return Double(sum) / Double(one() * Int64(reach + 1))
    }
}
