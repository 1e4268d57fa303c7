import JackDriver
import TestSupport
import Testing

/// How long callbacks took, against all of them sorted.
@Suite struct CallbackStatisticsTests {
    @Test(arguments: 0..<50) func timesAreThoseOfTheSortedCalls(_ seed: Int) {
        var random = Seeded(state: UInt64(seed))
        let statistics = CallbackStatistics()
        let budget = 1_333_000
        var calls: [Int] = []
        for _ in 0..<Int.random(in: 1...3000, using: &random) {
            let longest = [50_000, 1_400_000, 20_000_000].randomElement(using: &random)!
            calls.append(.random(in: 0...longest, using: &random))
            statistics.count(nanoseconds: calls[calls.count - 1], budget: budget)
        }
        let sorted = calls.sorted()
        let times = statistics.times
        #expect(times.periods == calls.count && times.late == calls.count { $0 > budget }, "seed \(seed)")
        #expect(times.longestMicroseconds == Double(sorted[calls.count - 1]) / 1000)
        // The whole microsecond that half of them, and 999 of 1000, stayed under; what is longer than 8191
        // is counted as that.
        func bound(_ share: Int) -> Int {
            min(8191, sorted[calls.count - 1 - calls.count / share] / 1000) + 1
        }
        #expect(times.medianMicroseconds == bound(2), "seed \(seed)")
        #expect(times.percentile999Microseconds == bound(1000), "seed \(seed)")
    }
}
