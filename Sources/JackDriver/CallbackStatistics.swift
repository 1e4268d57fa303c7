import CRealtime
import Realtime
import Synchronization

/// How long the process callback takes: counted on the audio thread, read by anyone, locked by no one.
package struct CallbackStatistics: ~Copyable {
    let periods = Atomic<Int>(0)
    /// Calls that took longer than a period lasts: an xrun of our own making.
    let late = Atomic<Int>(0)
    let longestNanoseconds = Atomic<Int>(0)
    /// Calls by their length in whole microseconds; the last bucket counts all that are longer.
    let histogram: UnsafeMutablePointer<Atomic<Int>>

    static let buckets = 8192

    package init() {
        histogram = LockedMemory.allocate(Atomic<Int>.self, Self.buckets)
        for bucket in 0..<Self.buckets { (histogram + bucket).initialize(to: Atomic<Int>(0)) }
    }

    deinit { LockedMemory.free(histogram, Self.buckets) }

    /// Counts one call. Audio thread only; wait-free.
    @_noLocks
    package func count(nanoseconds: Int, budget: Int) {
        periods.add(1, ordering: .relaxed)
        if nanoseconds > budget { late.add(1, ordering: .relaxed) }
        if nanoseconds > longestNanoseconds.load(ordering: .relaxed) {
            longestNanoseconds.store(nanoseconds, ordering: .relaxed)
        }
        let bucket = nanoseconds / 1000
        histogram[bucket < 8191 ? bucket : 8191].add(1, ordering: .relaxed)
    }

    /// As they stand.
    package var times: CallbackTimes {
        var times = CallbackTimes()
        times.periods = periods.load(ordering: .relaxed)
        times.late = late.load(ordering: .relaxed)
        times.longestMicroseconds = Double(longestNanoseconds.load(ordering: .relaxed)) / 1000
        times.medianMicroseconds = time(exceededByOneIn: 2)
        times.percentile999Microseconds = time(exceededByOneIn: 1000)
        return times
    }

    /// The time that all but one in `share` calls stayed under, in microseconds.
    private func time(exceededByOneIn share: Int) -> Int {
        var left = periods.load(ordering: .relaxed) / share
        for bucket in stride(from: Self.buckets - 1, through: 0, by: -1) {
            left -= histogram[bucket].load(ordering: .relaxed)
            if left < 0 { return bucket + 1 }
        }
        return 0
    }
}

/// The process callback's times as read.
public struct CallbackTimes: Equatable, Sendable {
    public var periods = 0
    public var late = 0
    public var longestMicroseconds = 0.0
    public var medianMicroseconds = 0
    public var percentile999Microseconds = 0

    public init() {}
}
