import TestSupport
import Testing
import Timeline

private func time(_ value: Int64, _ timescale: Int32 = 1) -> MediaTime {
    MediaTime(value: value, timescale: timescale)
}
private func range(_ start: Int64, _ end: Int64) -> TimeRange {
    TimeRange(start: time(start), end: time(end))
}

/// CMTime, CMTimeRange and their functions.
@Suite struct TimesAndRanges {
    @Test func multiplicationIsExactOrSaysThatItIsNot() {
        #expect(time(1, 3) * 6 == time(2))
        #expect(time(7, 48000).multiplied(by: 3, over: -7) == time(-3, 48000))
        #expect(time(1).multiplied(by: 1, over: 0) == .invalid)
        #expect(time(.max).multiplied(by: 2, over: 1) == .positiveInfinity)
        #expect(time(.min).multiplied(by: .max, over: 1) == .negativeInfinity)
        #expect(time(1, .max).multiplied(by: 1, over: .max).hasBeenRounded)
        #expect(time(1, 600).multiplied(by: 1.5) == time(1, 400))
        #expect(time(2).multiplied(by: 0.25) == time(1, 2))
        #expect(time(1).multiplied(by: .nan) == .invalid)
        #expect(time(-1).multiplied(by: .infinity) == .negativeInfinity)
        #expect(MediaTime.zero.multiplied(by: .infinity) == .indefinite)
        #expect(
            MediaTime.positiveInfinity.multiplied(by: 0.0) == .indefinite
                && MediaTime.negativeInfinity.multiplied(by: 0.5) == .negativeInfinity)
        #expect(
            time(7, 3).multiplied(by: 0.0) == .zero
                && MediaTime.positiveInfinity.multiplied(by: -0.5) == .negativeInfinity)
        let tenth = time(1_000_000_007, 3).multiplied(by: 0.1)
        #expect(tenth.hasBeenRounded && abs(tenth.seconds - 33_333_333.566_666_7) < 1e-6)
        #expect(MediaTime.negativeInfinity.multiplied(by: -1, over: 2) == .positiveInfinity)
        #expect(MediaTime.positiveInfinity.multiplied(by: 0, over: 2) == .indefinite)
        #expect(MediaTime.indefinite * 2 == .indefinite && MediaTime.invalid * 2 == .invalid)
        #expect(time(-5, 2).absolute == time(5, 2) && time(5, 2).absolute == time(5, 2))
        #expect(
            time(1).multiplied(by: 1e300) == .positiveInfinity
                && time(1).multiplied(by: -1e300) == .negativeInfinity)
        #expect(time(3, 2).frames(since: time(1, 3), atRate: 48000) == 56000)
        #expect(time(1, 3).frames(since: time(1, 3), atRate: 48000) == 0)
    }

    @Test func exactFactorsAndSumsAreNotMarkedAsRounded() {
        for power in [30, 38] {
            let small = time(1 << power).multiplied(by: Double(sign: .plus, exponent: -power, significand: 1))
            #expect(small == time(1) && !small.hasBeenRounded, "2^-\(power)")
        }
        #expect(
            MediaTime.positiveInfinity.multiplied(by: 2.0) == .positiveInfinity
                && MediaTime.negativeInfinity.multiplied(by: -2.0) == .positiveInfinity)
        let third = time((1 << 40) + 1).multiplied(by: 1 / 3.0)
        #expect(
            third.hasBeenRounded && third.timescale == 1 && third.value == 366_503_875_926,
            "too large for fine units: in seconds")
        #expect((time(2, 600) + time(2, 600)).timescale == 600, "a sum keeps its unit")
        let coarse = time(1 << 62) + time(1, 2)
        #expect(coarse.timescale == 1 && coarse.hasBeenRounded && coarse > time(1 << 61))
        #expect(time(0, 600).absolute.timescale == 600)
        for value in [(1, 2), (3, 4), (1, 1), (5, 1)] as [(Int64, Int32)] {
            #expect(
                time(-value.0, value.1).absolute == time(value.0, value.1)
                    && time(value.0, value.1).absolute == time(value.0, value.1))
        }
        for timescale in [0, -1] as [Int32] { #expect(!time(1).converted(to: timescale).isValid) }
        let wide = TimeRange(start: .zero, duration: time(3, 2))
        #expect(
            wide.map(time(.max), to: TimeRange(start: .zero, duration: time(.max, (1 << 30) + 1)))
                == .positiveInfinity)
    }

    /// Numbers of any length become the Double that the standard library makes of them.
    @Test func distancesInFramesAreTheNearestNumbers() {
        var random = Seeded(state: 11)
        for _ in 0..<20_000 {
            let shift = Int64.random(in: 0...62, using: &random)
            let time = MediaTime(
                value: Int64.random(in: .min ... .max, using: &random) >> shift,
                timescale: Int32.random(in: 1 ... .max, using: &random))
            let start = MediaTime(
                value: Int64.random(in: 0...3_600_000_000, using: &random),
                timescale: Int32.random(in: 1...48000, using: &random))
            let distance =
                (Int128(time.value) * Int128(start.timescale) - Int128(start.value) * Int128(time.timescale))
                * 48000
            #expect(
                time.frames(since: start, atRate: 48000) == Double(distance)
                    / Double(Int128(time.timescale) * Int128(start.timescale)), "\(time) since \(start)")
        }
    }

    @Test func everyRoundingRuleRoundsAsItsNameSays() {
        let values: [(RoundingRule, [Int64])] = [
            (.nearest, [3, 2, -3, -2]), (.down, [2, 2, -3, -3]), (.up, [3, 3, -2, -2]),
            (.towardZero, [2, 2, -2, -2]), (.awayFromZero, [3, 3, -3, -3]),
        ]
        for (rule, expected) in values {
            // 2.5, 2.1, -2.5, -2.1
            let rounded = [time(25, 10), time(21, 10), time(-25, 10), time(-21, 10)].map {
                $0.converted(to: 1, rounding: rule)
            }
            #expect(rounded.map(\.value) == expected, "\(rule)")
            #expect(rounded.allSatisfy { $0.hasBeenRounded })
        }
        #expect(!time(4, 2).converted(to: 1).hasBeenRounded)
    }

    @Test func epochsTellTimelinesApart() {
        let (early, late) = (
            MediaTime(value: 9, timescale: 1, epoch: 0), MediaTime(value: 1, timescale: 1, epoch: 1)
        )
        #expect(early < late)
        #expect((late + late).epoch == 0 && (late - late).epoch == 0, "times of one epoch: a duration")
        #expect((late + early).epoch == 1 && (early - late).epoch == 1, "a duration before or behind a time")
        #expect(late + MediaTime(value: 1, timescale: 1, epoch: 2) == .invalid)
        #expect((-late).epoch == 1 && (late * 3).epoch == 1)
    }

    /// Against fractions of 128 bits: nothing traps, and what is not marked as rounded is exact.
    @Test func randomArithmeticIsExactOrMarked() {
        var random = Seeded(state: 7)
        for _ in 0..<20000 {
            let scales: [Int32] = [1, 2, 3, 44100, 48000, 90000, 600, .max, .max - 1, 7919]
            func any() -> MediaTime {
                let value =
                    Bool.random(using: &random)
                    ? Int64.random(in: -1_000_000...1_000_000, using: &random)
                    : Int64.random(in: .min ... .max, using: &random)
                return time(value, scales.randomElement(using: &random)!)
            }
            let (a, b) = (any(), any())
            func same(_ c: MediaTime, _ numerator: Int128, _ denominator: Int128) -> Bool {
                c.hasBeenRounded || !c.isNumeric
                    || Int128(c.value) * (denominator / Int128(c.timescale).gcd(denominator)) == numerator / 1
                        * (Int128(c.timescale) / Int128(c.timescale).gcd(denominator))
            }
            #expect(
                same(
                    a + b, Int128(a.value) * Int128(b.timescale) + Int128(b.value) * Int128(a.timescale),
                    Int128(a.timescale) * Int128(b.timescale)), "\(a) + \(b)")
            let factor = Int32.random(in: .min ... .max, using: &random)
            #expect(
                same(a * factor, Int128(a.value) * Int128(factor), Int128(a.timescale)), "\(a) * \(factor)")
            _ = (
                a - b, a < b, a.multiplied(by: factor, over: b.timescale),
                a.multiplied(by: Double(factor) * 0.3), a.debugDescription, a.absolute
            )
            _ = TimeRange(start: a, end: b).map(a, to: TimeRange(start: b, end: a))
        }
    }

    /// CMTimeAdd: where the least common multiple of the timescales has more than 31 bits the greatest
    /// timescale stands in, and where the value has more than 64 it is halved until it has not.
    @Test func sumsThatDoNotFitHaveACoarserTimescale() {
        let sum = time(5_000_000_000) + time(1, .max)
        #expect(
            sum.isNumeric && sum.hasBeenRounded && sum.timescale == Int32.max / 2
                && abs(sum.seconds - 5e9) < 1e-6)
        let far = time(.max / 4) + time(1, 7)
        #expect(far.isNumeric && far.hasBeenRounded && far.timescale == 3)
        #expect(
            far == time(RoundingRule.nearest.divide((Int128(Int64.max / 4) * 7 + 1) * 3, by: 7).asInt64, 3))
        #expect(time(.max) + time(1, 3) == time(.max), "in whole seconds there is no room for more")
        #expect(time(.max) + time(1) == .positiveInfinity && time(.min) - time(1) == .negativeInfinity)
        #expect((time(.max, 1000) * 3).isNumeric && (time(.max, 1000) * 3).timescale == 250)
        #expect(time(.max, 2).converted(to: 4) == .positiveInfinity, "a timescale that is asked for stays")
    }

    @Test func aMapOfOddTimescalesTrapsNowhere() {
        let (from, to) = (
            TimeRange(start: .zero, duration: time(16 * 2_147_483_629, 2_147_483_629)),
            TimeRange(start: .zero, duration: time(16 * 2_147_483_587 + 1, 2_147_483_587))
        )
        let mapped = from.map(time(15 * 2_147_483_647 + 1, .max), to: to)
        #expect(mapped.hasBeenRounded && abs(mapped.seconds - 15) < 1e-8)
        var random = Seeded(state: 5)
        for _ in 0..<20_000 {
            func any() -> MediaTime {
                time(
                    .random(in: 0...3_600_000_000 * 2_147_483_000, using: &random),
                    .random(in: 2_147_483_000 ... .max, using: &random))
            }
            let (start, end, place) = (any(), any(), any())
            let mapped = TimeRange(start: .zero, duration: end).map(
                place, to: TimeRange(start: start, duration: end))
            #expect(
                !mapped.isNumeric
                    || abs(mapped.seconds - start.seconds - place.seconds) <= 1e-6 * max(1, mapped.seconds))
        }
    }

    /// What was said of a range stays, be it its end or its duration.
    @Test func rangesKeepWhatWasSaid() throws {
        var random = Seeded(state: 3)
        for _ in 0..<1000 {
            let middle = time(Int64.random(in: 1_000_000_000...2_000_000_000, using: &random), 1_000_000_000)
            let (start, end) = (
                time(Int64.random(in: 0...40_000, using: &random), 44100),
                time(Int64.random(in: 90_000...100_000, using: &random), 44100)
            )
            let (first, second) = (TimeRange(start: start, end: middle), TimeRange(start: middle, end: end))
            #expect(first.end == middle && second.end == end && !first.overlaps(second))
            var automation = Automation()
            try automation.setRamp(from: 0, to: 1, over: second)
            try automation.setRamp(from: 0, to: 1, over: first)
            #expect(automation.events.map(\.end) == [middle, end])
            let duration = time(Int64.random(in: 1...1_000_000_000, using: &random), 1_000_000_007)
            #expect(TimeRange(start: start, duration: duration).duration == duration)
        }
    }

    @Test func rangesMeetJoinAndContain() {
        #expect(TimeRange(start: time(2), duration: time(3)) == range(2, 5))
        #expect(range(1, 4).intersection(range(3, 9)) == range(3, 4))
        #expect(range(1, 4).intersection(range(4, 9)).isEmpty)
        #expect(range(1, 4).union(range(6, 9)) == range(1, 9))
        #expect(range(1, 9).contains(range(1, 9)) && !range(1, 9).contains(range(1, 10)))
        #expect(range(1, 4).contains(time(1)) && !range(1, 4).contains(time(4)))
        #expect(range(1, 4).contains(TimeRange(start: time(2), duration: .zero)))
        #expect(
            TimeRange.zero.isEmpty && TimeRange.zero.isValid && !TimeRange.invalid.isValid
                && !range(4, 1).isValid)
        #expect(
            !range(1, 4).overlaps(range(4, 9)) && !range(4, 9).overlaps(range(1, 4))
                && range(1, 5).overlaps(range(4, 9)))
        #expect(range(1, 4).intersection(range(4, 9)) == .zero)
        #expect(range(1, 4).clamp(time(9)) == time(4) && range(1, 4).clamp(.zero) == time(1))
        #expect(range(0, 3).map(time(1), to: range(10, 11)) == time(31, 3))
        #expect(range(1, 1).map(time(1), to: range(10, 11)) == time(10))
    }

    @Test func textsAreThoseOfCMTimeShow() {
        #expect(time(1, 3).debugDescription == "{1/3 = 0.333}")
        #expect(time(-1, 600).debugDescription == "{-1/600 = -0.002}")
        #expect(
            MediaTime.positiveInfinity.debugDescription == "{+INFINITY}"
                && MediaTime.invalid.debugDescription == "{INVALID}"
                && MediaTime.indefinite.debugDescription == "{INDEFINITE}")
        #expect(range(2, 5).debugDescription == "{{2/1 = 2.000}, {3/1 = 3.000}}")
    }
}

extension Int128 {
    fileprivate var asInt64: Int64 { Int64(self) }

    fileprivate func gcd(_ other: Int128) -> Int128 {
        var (a, b) = (magnitude, other.magnitude)
        while b != 0 { (a, b) = (b, a % b) }
        return Int128(a)
    }
}

/// setVolume atTime, setVolumeRamp, getVolumeRamp for a time, and what is here beside them.
@Suite struct VolumeRamps {
    private func three() throws -> Automation {
        var automation = Automation()
        try automation.setValue(0.5, at: time(1))
        try automation.setRamp(from: 0.2, to: 0.8, over: range(2, 4), curve: .scurve)
        try automation.setValue(0.3, at: time(6))
        return automation
    }

    @Test func theRampForATimeContainsItOrComesNext() throws {
        let automation = try three()
        func ramp(_ t: MediaTime) -> Automation.Ramp? { automation.volumeRamp(for: t) }
        #expect(Automation().volumeRamp(for: .zero) == nil)
        #expect(ramp(.zero)?.range == range(1, 2))  // before the first: that one
        #expect(ramp(time(3, 2))?.from == 0.5)
        #expect(
            ramp(time(2))?.range == range(2, 4) && ramp(time(3))?.to == 0.8 && ramp(time(3))?.curve == .scurve
        )
        #expect(ramp(time(5))?.range.start == time(6))  // held after a ramp: the next
        #expect(ramp(time(100))?.range == TimeRange(start: time(6), end: .positiveInfinity))
        var points = Automation()
        for second in [1, 2] as [Int64] { try points.setValue(0.5, at: time(second)) }
        #expect(
            points.volumeRamp(for: time(1))?.range == range(1, 2)
                && points.volumeRamp(for: time(2))?.range.end == .positiveInfinity)
        var short = Automation()
        try short.setRamp(from: 0, to: 1, over: range(0, 1))
        #expect(short.volumeRamp(for: time(1)) == nil)
    }

    @Test func eventsAreRemovedAndMoved() throws {
        var automation = try three()
        try automation.move(at: 1, to: time(7))
        #expect(automation.events.map(\.start) == [time(1), time(6), time(7)])
        #expect(automation.volumeRamp(for: time(8))?.range == range(7, 9))
        let before = automation
        #expect(throws: AutomationError.pointInsideRamp(at: time(8), existing: range(7, 9))) {
            try automation.move(at: 0, to: time(8))
        }
        #expect(throws: AutomationError.noEvent(index: 3, count: 3)) { try automation.remove(at: 3) }
        #expect(throws: AutomationError.time) { try automation.move(at: 2, to: time(-1)) }
        #expect(automation == before)
        try automation.move(at: 0, to: time(8), replace: true)
        #expect(automation.events.map(\.start) == [time(6), time(8)])
        try automation.remove(at: 0)
        #expect(automation.events.map(\.start) == [time(8)])
    }

    @Test func fadesAreDrawnClipByClipAndByTurns() throws {
        var automation = Automation()
        try Fades.draw(in: time(1), out: time(2), of: [range(0, 4), range(10, 12)], on: &automation)
        #expect(
            automation.events.map { TimeRange(start: $0.start, end: $0.end) } == [
                range(0, 1), range(2, 4), range(10, 11), range(11, 12),
            ])
        var turns = Automation()
        try Fades.alternate(from: 0.2, to: 0.8, over: [range(0, 1), range(1, 2), range(2, 3)], on: &turns)
        #expect([0, 1, 2].map { turns.volumeRamp(for: time($0))!.from } == [0.2, 0.8, 0.2])
        let before = turns
        #expect(throws: AutomationError.self) {
            try Fades.alternate(from: 0, to: 1, over: [range(5, 6), range(0, 2)], on: &turns)
        }
        #expect(turns == before)
    }

    @Test func clipsAsLongAsTheirFadesAreFadedWhole() throws {
        var automation = Automation()
        try Fades.draw(in: time(1), out: time(2), of: [range(0, 3)], on: &automation)
        try Fades.draw(in: .zero, out: time(1), of: [range(5, 8)], on: &automation)
        try Fades.draw(in: time(1), out: .zero, of: [range(10, 13)], on: &automation)
        #expect(
            automation.events.map { TimeRange(start: $0.start, end: $0.end) } == [
                range(0, 1), range(1, 3), range(7, 8), range(10, 11),
            ])
        let exact = Ducking.held(under: [range(0, 1), range(4, 5)], attack: time(1), release: time(2))
        #expect(
            exact == [range(0, 1), range(4, 5)], "as far apart as it takes to come back and go down again")
    }

    @Test func duckingHoldsUnderClipsAndJoinsNearOnes() {
        let held = Ducking.held(
            under: [range(10, 12), range(0, 1), range(3, 4)], attack: time(1), release: time(2))
        #expect(held == [range(0, 4), range(10, 12)])
    }
}
