import TestSupport
import Testing
import Timeline

private func seconds(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(start: MediaTime(seconds: start), end: MediaTime(seconds: end))
}

@Suite struct AutomationTests {
    @Test func anOverlappingRampIsRefusedWithTheSentence() throws {
        var automation = Automation()
        try automation.setRamp(from: 0.5, to: 0.8, over: seconds(1, 3))
        let before = automation
        let error = #expect(throws: AutomationError.self) {
            try automation.setRamp(from: 0.1, to: 0.2, over: seconds(2, 4))
        }
        #expect(
            error?.message(place: "track 2")
                == """
                The time range of a volume ramp must not overlap the time range of an existing volume ramp \
                (track 2: 2s-4s overlaps 1s-3s)
                """
        )
        #expect(automation == before)
    }

    @Test func touchingEndsAreFine() throws {
        var automation = Automation()
        try automation.setRamp(from: 0, to: 1, over: seconds(2, 4))
        try automation.setRamp(from: 1, to: 0, over: seconds(4, 6))
        try automation.setRamp(from: 1, to: 0, over: seconds(0, 2))
        try automation.setValue(0.3, at: MediaTime(seconds: 6))
        try automation.setValue(0.3, at: MediaTime(seconds: 2))
        #expect(automation.events.count == 5)
    }

    @Test func aPointInsideARampAndARampOverAPointAreRefused() throws {
        var automation = Automation()
        try automation.setRamp(from: 0, to: 1, over: seconds(2, 4))
        #expect(throws: AutomationError.self) { try automation.setValue(0.5, at: MediaTime(seconds: 3)) }
        try automation.setValue(0.5, at: MediaTime(seconds: 7))
        #expect(throws: AutomationError.self) {
            try automation.setRamp(from: 0, to: 1, over: seconds(6, 8))
        }
        #expect(automation.events.count == 2)
    }

    @Test func aPointAtTheTimeOfAPointReplacesIt() throws {
        var automation = Automation()
        try automation.setValue(0.5, at: MediaTime(seconds: 1))
        try automation.setValue(0.7, at: MediaTime(value: 2, timescale: 2))
        #expect(automation.events.map(\.kind) == [.point(value: 0.7, at: MediaTime(seconds: 1))])
    }

    @Test func replaceMakesRoomAndNoMore() throws {
        var automation = Automation()
        try automation.setRamp(from: 0, to: 1, over: seconds(0, 1))
        try automation.setRamp(from: 0, to: 1, over: seconds(2, 4))
        try automation.setValue(0.5, at: MediaTime(seconds: 5))
        try automation.setValue(0.6, at: MediaTime(seconds: 9))
        try automation.setRamp(from: 0.2, to: 0.3, over: seconds(3, 6), replace: true)
        #expect(automation.events.map(\.start.seconds) == [0, 3, 9])
    }

    /// What a clear takes: points from its start to its end, both included, and ramps that share time with
    /// it.
    @Test func aClearTakesItsEndsAndNoMore() throws {
        var automation = Automation()
        for second in [1, 3, 5] as [Int64] { try automation.setValue(0.5, at: MediaTime(seconds: second)) }
        try automation.setRamp(from: 0, to: 1, over: seconds(6, 8))
        func cleared(_ start: Int64, _ end: Int64) -> [Double] {
            var cleared = automation
            cleared.clear(from: MediaTime(seconds: start), to: MediaTime(seconds: end))
            return cleared.events.map(\.start.seconds)
        }
        #expect(
            cleared(3, 3) == [1, 5, 6] && cleared(1, 5) == [6] && cleared(2, 2) == [1, 3, 5, 6]
                && cleared(5, 6) == [1, 3, 6])
        #expect(
            cleared(7, 7) == [1, 3, 5] && cleared(8, 9) == [1, 3, 5, 6] && cleared(0, 100) == []
                && cleared(4, 2) == [1, 3, 5, 6])
    }

    @Test func anExponentialRampHasNoSilenceAtEitherEnd() throws {
        var automation = Automation()
        for (first, last) in [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0)] {
            #expect(throws: AutomationError.exponentialFromSilence) {
                try automation.setRamp(from: first, to: last, over: seconds(0, 1), curve: .exponential)
            }
        }
        try automation.setRamp(from: 1e-6, to: 4, over: seconds(0, 1), curve: .exponential)
    }

    /// Ramps and points in any order end up in the order of their times, a point before a ramp of its time.
    @Test func eventsStandInOrderWhateverTheOrderTheyCameIn() throws {
        for seed in UInt64(1)...200 {
            var random = Seeded(state: seed)
            var automation = Automation()
            for second in Array(0..<20).shuffled(using: &random) {
                if second.isMultiple(of: 2) {
                    try automation.setRamp(
                        from: 0, to: 1, over: seconds(Int64(second), Int64(second) + 2))
                } else {
                    try automation.setValue(0.5, at: MediaTime(seconds: Int64(second) - 1))
                }
            }
            let starts = automation.events.map(\.start.seconds)
            let expected = (0..<20).map { Double($0 / 2 * 2) }
            #expect(starts == expected, "seed \(seed)")
            let points = automation.events.map { $0.start == $0.end }
            #expect(points == (0..<20).map { $0.isMultiple(of: 2) }, "seed \(seed)")
        }
    }

    @Test func aTimeBeyondTheTimelineIsRefused() throws {
        var automation = Automation()
        let (negative, late) = (
            MediaTime(value: -1, timescale: 48000), MediaTime.latest + MediaTime(value: 1, timescale: 48000)
        )
        for time in [negative, late, .positiveInfinity, .negativeInfinity, .indefinite, .invalid] {
            #expect(throws: AutomationError.time) { try automation.setValue(0.5, at: time) }
            #expect(throws: AutomationError.time) {
                try automation.setRamp(from: 0, to: 1, over: TimeRange(start: time, end: .latest))
            }
            #expect(throws: AutomationError.time) {
                try automation.setRamp(from: 0, to: 1, over: TimeRange(start: .zero, end: time))
            }
        }
        for range in [seconds(2, 2), seconds(3, 2)] {
            #expect(throws: AutomationError.emptyRamp(range)) {
                try automation.setRamp(from: 0, to: 1, over: range)
            }
        }
        #expect(automation.events.isEmpty)
        try automation.setValue(0.5, at: .latest)
        try automation.setRamp(from: 0, to: 1, over: TimeRange(start: .zero, end: .latest))
        #expect(automation.events.count == 2)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -0.001, 4.001])
    func volumesOutOfRangeAreRefusedNotClamped(volume: Double) {
        var automation = Automation()
        #expect(throws: AutomationError.self) { try automation.setValue(volume, at: .zero) }
        #expect(throws: AutomationError.self) {
            try automation.setRamp(from: volume, to: 1, over: seconds(0, 1))
        }
        #expect(automation.events.isEmpty)
    }

    @Test func aHundredThousandEventsAreTakenInOrderOrNot() throws {
        var automation = Automation()
        for i in 0..<100_000 {
            try automation.setValue(Double(i % 5) / 4, at: MediaTime(value: Int64(i), timescale: 100))
        }
        #expect(automation.events.count == 100_000)
        for i in stride(from: 5, to: 2000, by: 10) {
            try automation.setValue(0.1, at: MediaTime(value: Int64(i), timescale: 1000))
        }
        #expect(zip(automation.events, automation.events.dropFirst()).allSatisfy { $0.start < $1.start })
    }

    @Test func volumesAreReadInLevelsToo() throws {
        #expect(try Volume.parse("0.5") == 0.5)
        #expect(try Volume.parse("-inf") == 0)
        #expect(abs(try Volume.parse("-6dB") - 0.501187233627) < 1e-12)
        #expect(try Volume.parse("+12 dB") < 4)
        for text in ["", "nan", "inf", "-1", "4.1", "13dB", "0x1", "one", "1,5", "dB"] {
            #expect(throws: VolumeError.self) { try Volume.parse(text) }
        }
    }
}
