import Testing
import Timeline

@Suite struct MediaTimeTests {
    @Test func sumsAndDifferencesAreExact() {
        let third = MediaTime(value: 1, timescale: 3)
        #expect(third + third + third == MediaTime(seconds: 1))
        #expect(
            MediaTime(value: 1, timescale: 44100) + MediaTime(value: 1, timescale: 48000)
                == MediaTime(value: 307, timescale: 7_056_000))
        #expect(
            MediaTime(seconds: 5) - MediaTime(value: 1, timescale: 4) == MediaTime(value: 19, timescale: 4))
        #expect(!(third + third).hasBeenRounded)
        #expect(
            MediaTime(seconds: 2.5) == MediaTime(value: 5, timescale: 2)
                && MediaTime(seconds: 0.1) == MediaTime(value: 1, timescale: 10)
                && MediaTime(seconds: -0.5) == MediaTime(value: -1, timescale: 2))
        #expect(
            MediaTime(seconds: 3) == MediaTime(value: 3, timescale: 1)
                && MediaTime.milliseconds(500) == MediaTime(value: 1, timescale: 2))
        #expect(
            !MediaTime(seconds: Double.nan).isValid
                && MediaTime(seconds: Double.infinity) == .positiveInfinity
                && MediaTime(seconds: UInt64.max) == .positiveInfinity)
        #expect(
            MediaTime(seconds: 1e-7) == MediaTime(value: 100, timescale: 1_000_000_000)
                && MediaTime(seconds: -1e30) == .negativeInfinity)
        let near = MediaTime(seconds: 0.1, preferredTimescale: 3)
        #expect(
            (near + third).hasBeenRounded && (third - near).hasBeenRounded, "once rounded, rounded for ever")
    }

    @Test func aSumThatNoTimescaleHoldsIsRoundedAndSaysSo() {
        let sum =
            MediaTime(value: 1, timescale: 2_147_483_647) + MediaTime(value: 1, timescale: 2_147_483_629)
        #expect(sum.hasBeenRounded)
        #expect(abs(sum.seconds - 2 / 2_147_483_638.0) < 1e-9)
    }

    @Test func nothingTrapsOnOverflow() {
        let huge = MediaTime(value: .max, timescale: 1)
        #expect(huge + huge == .positiveInfinity)
        #expect(MediaTime(value: .min, timescale: 1) - huge == .negativeInfinity)
        #expect(huge.frame(atRate: 384_000) == .max)
        #expect(
            MediaTime.positiveInfinity - .positiveInfinity == .invalid
                && MediaTime.negativeInfinity + .positiveInfinity == .invalid)
        #expect(
            MediaTime.positiveInfinity + .positiveInfinity == .positiveInfinity
                && MediaTime.positiveInfinity - .negativeInfinity == .positiveInfinity)
        #expect(
            MediaTime.positiveInfinity + .indefinite == .positiveInfinity
                && MediaTime.indefinite - .positiveInfinity == .negativeInfinity)
        #expect(
            MediaTime.indefinite + .zero == .indefinite && MediaTime.indefinite + .indefinite == .indefinite)
        #expect(MediaTime.invalid + .zero == .invalid)
    }

    @Test func equalTimesHashAlike() {
        #expect(MediaTime(value: 2, timescale: 4) == MediaTime(value: 1, timescale: 2))
        #expect(Set([MediaTime(value: 2, timescale: 4), MediaTime(value: 1, timescale: 2)]).count == 1)
    }

    @Test func framesRoundAsAsked() {
        let time = MediaTime(value: 1, timescale: 3)
        #expect(time.frame(atRate: 10) == 3)
        #expect(time.frame(atRate: 10, rounding: .up) == 4)
        #expect(MediaTime(value: 1, timescale: 4).frame(atRate: 10) == 3)  // 2.5: away from zero
        #expect((-MediaTime(value: 1, timescale: 4)).frame(atRate: 10) == -3)
        #expect((-MediaTime(value: 1, timescale: 4)).frame(atRate: 10, rounding: .up) == -2)
    }

    @Test(
        arguments: [
            ("2s", 2, 1), ("0.5s", 1, 2), ("500ms", 1, 2), ("1:30", 90, 1), ("1:02:03.25", 14893, 4),
            ("96000/48000", 2, 1),
            ("2", 2, 1), (".25", 1, 4), ("3.", 3, 1), ("0.1", 1, 10), ("90:00", 5400, 1),
            ("1e-05", 1, 100_000), ("1E-05", 1, 100_000), ("2.5e-3s", 1, 400), ("1e-1ms", 1, 10_000),
            ("3e-30", 0, 1),
            ("0.5000000000000000001", 1, 2),
            ("0.4999999999999999", 1, 2), ("0.12300000000000004", 123, 1000),
        ] as [(String, Int64, Int32)])
    func readsEveryForm(text: String, value: Int64, timescale: Int32) throws {
        #expect(
            try TimeSpec(parsing: text).time(atRate: 48000) == MediaTime(value: value, timescale: timescale))
    }

    @Test func framesNeedTheSessionsRate() throws {
        #expect(try TimeSpec(parsing: "96000f") == .frames(96000))
        #expect(TimeSpec.frames(96000).time(atRate: 96000) == MediaTime(seconds: 1))
        #expect(TimeSpec.seconds(2.1).time(atRate: 48000) == MediaTime(value: 100_800, timescale: 48000))
    }

    @Test(arguments: [
        "", "s", "-1s", "1:60", "1:2:3:4", "1e3", "1e", "e-5", "1e-", "1e-1000", "1:1e-5",
        "2900:0.000000000000001e-18", "1e-5f", "1.-5",
        "1.1234567890123456x", "nan", "inf", "2 s", "1/0", "1/-2", "0x10", "1.5f", "s2", "1:", ":30", "١",
        "99999999999999999999",
    ])
    func refusesWhatIsNoTime(text: String) {
        #expect(throws: TimeTextError.self) { try TimeSpec(parsing: text) }
    }

    @Test func textReadsBackAsTheSameTime() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let time = MediaTime(
                value: Int64.random(in: 0...1_000_000_000, using: &random),
                timescale: Int32.random(in: 1...384_000, using: &random))
            #expect(try TimeSpec(parsing: time.description).time(atRate: 48000) == time)
        }
        #expect(MediaTime(value: 2400, timescale: 48000).description == "0.05s")
        #expect(MediaTime(value: 1, timescale: 3).description == "1/3")
    }
}
