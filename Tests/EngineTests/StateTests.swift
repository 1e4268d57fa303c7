import AudioFile
import Engine
import TestSupport
import Testing
import Timeline

/// A thing that a tap keeps alive.
private final class Owner {}

/// Counts the frames that a tap sees.
private final class TapCounter {
    let frames: UnsafeMutablePointer<Int>

    init() {
        frames = .allocate(capacity: 1)
        frames.initialize(to: 0)
    }

    deinit { frames.deallocate() }

    func tap(_ owner: AnyObject? = nil) -> TrackTap {
        TrackTap(.preFader, state: frames, owner: owner) { state, _, _, count in
            state!.assumingMemoryBound(to: Int.self).pointee += count
        }
    }
}

/// States that are reached by one way only, and extremes, beside the random ones of `ModelTests`.
@Suite struct StateTests {
    private func steady(_ frames: Int = 200_000) throws -> (TemporaryFolder, Session) {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: frames) { _ in (1, 1) }
        return (folder, try .of("a.wav"))
    }

    /// More orders than the queue holds.
    private func flood(_ stepper: Stepper, _ id: StripID) {
        for n in 0..<17_000 { stepper.engine.setFader(id, to: n % 2 == 0 ? 1 : 0.5) }
    }

    // MARK: - Taps live as long as anything may call them

    @Test func aTapThatWasAskedForLaterDoesNotComeBackOverOneThatWasAskedForSince() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        let (later, now) = (TapCounter(), TapCounter())
        stepper.engine.together(at: 1000) { stepper.engine.setTap(later.tap(), on: session.tracks[0].id) }
        stepper.engine.setTap(now.tap(), on: session.tracks[0].id)
        for _ in 0..<30 { stepper.render(100) }
        #expect(later.frames.pointee == 0 && now.frames.pointee == 3000)
    }

    @Test func aTapThatIsTakenOffThroughAFullQueueIsNotCalledWhenItIsGone() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        let id = session.tracks[0].id
        let counter = TapCounter()
        weak var gone: Owner?
        do {
            let owner = Owner()
            gone = owner
            stepper.engine.setTap(counter.tap(owner), on: id)
        }
        stepper.render(100)
        flood(stepper, id)
        stepper.engine.setTap(nil, on: id)
        #expect(gone != nil, "it may still be called")
        for _ in 0..<30 { stepper.render(100) }
        let seen = counter.frames.pointee
        for _ in 0..<10 { stepper.render(100) }
        #expect(counter.frames.pointee == seen && gone == nil)
    }

    /// A tap that changes nothing is not heard, wherever the sound goes: also in the fade of a stop, and by
    /// sends before and behind it.
    @Test(arguments: [TrackTap.Place.preFader, .postFader], [false, true])
    func aTapThatChangesNothingIsNotHeardOnADesk(place: TrackTap.Place, isPre: Bool) throws {
        let (folder, steady) = try steady()
        var session = steady
        let bus = session.addBus(named: "hall")
        session.setSend(of: .track(1), to: bus) { ($0.volume, $0.isPre) = (0.5, isPre) }
        func heard(_ tap: TrackTap?) -> [Float] {
            let stepper = Stepper(playing: session, folder)
            stepper.engine.setTap(tap, on: session.tracks[0].id)
            stepper.render(1000)
            stepper.engine.stop()
            stepper.render(1000)
            return stepper.left
        }
        #expect(heard(TrackTap(place) { _, _, _, _ in }) == heard(nil))
    }

    // MARK: - A queue that was full

    @Test func anAudioThreadThatStoodStillIsToldOfThousandsOfStripsAndOfPlay() throws {
        var session = Session()
        for n in 0..<4100 { session.append(Track(name: "t\(n)")) }
        let stepper = Stepper()
        stepper.engine.apply(session, library: TemporaryFolder().library)
        stepper.settle()
        stepper.render(64)
        flood(stepper, .master)
        stepper.engine.play()
        for _ in 0..<100 { stepper.render(64) }
        #expect(stepper.engine.isSettled && stepper.engine.frame > 0)
    }

    @Test func aLostStopIsMadeGoodUnderSteadyTimedOrders() throws {
        let (folder, session) = try steady(400_000)
        let stepper = Stepper(playing: session, folder)
        stepper.render(100)
        flood(stepper, session.tracks[0].id)
        stepper.engine.stop()
        for n in 0..<200 {
            let at = stepper.engine.clock + 1000
            stepper.engine.together(at: at) {
                stepper.engine.set(StripSettings(fader: Double(n % 2)), for: .master)
            }
            stepper.render(64)
        }
        #expect(stepper.engine.isStill)
    }

    @Test func aMixerThatIsLedSaysNothingOfTheTransport() throws {
        let (folder, session) = try steady()
        let stepper = Stepper()
        stepper.engine.isLed = true
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
        stepper.render(64)
        var frame: Int64 = 0
        func turn(_ count: Int) {
            for _ in 0..<count {
                stepper.engine.mixer.audioSide.follow(rolls: true, frame: frame, count: 64)
                stepper.render(64)
                frame += 64
            }
        }
        turn(10)
        flood(stepper, .master)
        stepper.engine.set(StripSettings(fader: 1), for: .master)
        turn(40)
        #expect(stepper.left[64...].suffix(640).allSatisfy { $0 == 1 })
    }

    // MARK: - Nobody calls

    @Test func ordersThatNobodyTakesAreSupersededWithinABudget() throws {
        let folder = TemporaryFolder()
        var session = Session()
        for n in 0..<8 {
            try folder.file("\(n).wav", frames: 100_000) { _ in (1, 1) }
            var track = Track(name: "t\(n)")
            track.clips = [Clip(file: "\(n).wav")]
            session.append(track)
        }
        let stepper = Stepper(playing: session, folder)
        stepper.render(64)
        for n in 0..<120 {
            stepper.engine.locate(Int64(n * 100))
            stepper.settle()
        }
        // What is played, what is crossed over from and what is being filled, and 32 MiB of what waits: 64
        // streams of half a mebibyte.
        #expect(stepper.engine.pool.streamCount <= 8 * 3 + 64)
        #expect(stepper.engine.frame == 11_900)
        for _ in 0..<40 { stepper.render(64) }
        stepper.settle()
        for _ in 0..<40 { stepper.render(64) }
        #expect(stepper.engine.isSettled && stepper.engine.frame > 11_900)
    }

    @Test func thePositionIsTheLastLocatesHoweverManyThereWere() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        stepper.render(100)
        for n in 0..<40_000 { stepper.engine.locate(Int64(1000 + n)) }
        stepper.engine.poll()
        #expect(stepper.engine.frame == 40_999)
    }

    // MARK: - Orders that wait

    @Test func aStopWaitsForNothing() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        stepper.render(64)
        var edited = session
        for n in 0..<400 {
            try edited.tracks[0].automation.setValue(
                Double(n % 100) / 100, at: MediaTime(frame: Int64(n % 2), rate: 48000))
            stepper.engine.apply(edited, library: folder.library)
            if n % 2 == 1 { stepper.render(64) }
        }
        stepper.engine.stop()
        let start = stepper.left.count
        stepper.render(1000)
        #expect(stepper.left[(start + 240)...].allSatisfy { $0 == 0 })
    }

    @Test func aPlayBehindALocateWaitsForItThoughALaterEditHoldsItUp() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 200_000) { n in (Float(n + 1) / 0x1p20, 0) }
        var session = try Session.of("a.wav")
        let stepper = Stepper(diskThreads: 0)
        stepper.engine.apply(session, library: folder.library)
        while stepper.engine.pool.readPieces() {}
        stepper.engine.poll()
        stepper.render(100)
        stepper.engine.together {
            stepper.engine.locate(100_000)
            stepper.engine.play()
        }
        session.tracks[0].fadeIn = MediaTime(value: 1, timescale: 1)
        stepper.engine.together(at: 1000) { stepper.engine.apply(session, library: folder.library) }
        while stepper.engine.pool.readPieces() {}
        stepper.engine.poll()
        stepper.render(2000)
        #expect(stepper.left[..<1000].allSatisfy { $0 == 0 } && stepper.left[1000] == Float(100_001) / 0x1p20)
    }

    @Test func aPlayAndAStopForLaterBothWaitForTheDisk() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(diskThreads: 0)
        stepper.engine.apply(session, library: folder.library)
        stepper.engine.together(at: 1000) { stepper.engine.play() }
        stepper.engine.together(at: 3000) { stepper.engine.stop() }
        while stepper.engine.pool.readPieces() {}
        stepper.engine.poll()
        stepper.render(5000)
        #expect(
            stepper.left[..<1000].allSatisfy { $0 == 0 } && stepper.left[1000..<3000].allSatisfy { $0 == 1 }
                && stepper.left[3240...].allSatisfy { $0 == 0 })
    }

    @Test func aPlayForLaterDoesNotBeginWithAnEditBeforeIt() throws {
        let (folder, session) = try steady()
        let stepper = Stepper()
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
        stepper.engine.together(at: 2000) { stepper.engine.play() }
        var edited = session
        try edited.tracks[0].automation.setValue(0.5, at: .zero)
        stepper.engine.apply(edited, library: folder.library)
        stepper.render(3000)
        #expect(
            stepper.left[..<2000].allSatisfy { $0 == 0 } && stepper.left[2000...].allSatisfy { $0 == 0.5 })
    }

    @Test func aLocateToWherePlayingBeganPlaysFromThere() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 400_000) { n in n < 96_000 ? (0, 0) : (0.5, 0.5) }
        let stepper = Stepper(playing: try .of("a.wav"), folder)
        for _ in 0..<72 { stepper.render(4000) }
        stepper.engine.stop()
        stepper.render(1000)
        stepper.engine.locate(0)
        stepper.settle()
        stepper.engine.play()
        let start = stepper.left.count
        for _ in 0..<25 { stepper.render(4000) }
        #expect(
            stepper.left[start..<(start + 96_000)].allSatisfy { $0 == 0 }
                && stepper.left[start + 96_000] == 0.5)
    }

    @Test func anEditAndAStopWithinOnePeriodAfterAStopLeaveNothingHalfDone() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        stepper.render(1000)
        stepper.engine.stop()
        stepper.render(1000)
        var edited = session
        stepper.engine.play()
        try edited.tracks[0].automation.setValue(0.5, at: .zero)
        stepper.engine.apply(edited, library: folder.library)
        stepper.engine.stop()
        stepper.render(8192)
        stepper.engine.locate(500)
        stepper.settle()
        stepper.engine.play()
        stepper.render(1000)
        #expect(stepper.left.suffix(1000).allSatisfy { $0 == 0.5 } && stepper.engine.isSettled)
    }

    /// It is taken away at a standstill, in the period in which playing goes on: that begins from silence.
    @Test(arguments: [1, 64, 512]) func aDelayThatGoesRightBeforePlayLeavesItsFade(first: Int) throws {
        var (folder, session) = try steady()
        session.tracks[0].strip.delay = MediaTime(value: 480, timescale: 48000)
        let stepper = Stepper(playing: session, folder)
        for _ in 0..<3 { stepper.render(1000) }
        stepper.engine.stop()
        stepper.render(1000)
        session.tracks[0].strip.delay = .zero
        stepper.engine.applyStrips(session)
        stepper.engine.play()
        let begun = stepper.left.count
        stepper.render(first)
        stepper.render(600)
        let heard = stepper.left[begun...]
        let wanted = heard.indices.map { Float(min(1, Double($0 - begun) / 240)) }
        #expect(zip(heard, wanted).allSatisfy { abs($0 - $1) < 1e-6 }, "\(heard.prefix(4))")
    }

    /// A stream that runs dry while the track's automation is crossed over fades once, not twice.
    @Test func aStreamThatRunsDryInACrossfadeFadesOnce() throws {
        let (folder, session) = try steady(400_000)
        for lead in stride(from: 0, through: 600, by: 40) {
            let stepper = Stepper(diskThreads: 0)
            stepper.engine.apply(session, library: folder.library)
            while stepper.engine.pool.readPieces() {}
            stepper.engine.poll()
            stepper.engine.play()
            // The disk stands still; near the end of what is there the volume changes.
            let dry = ReadAhead().frames
            while stepper.left.count < dry - 800 { stepper.render(min(64, dry - 800 - stepper.left.count)) }
            stepper.render(lead)
            var edited = session
            try edited.tracks[0].automation.setValue(0.999, at: .zero)
            stepper.engine.apply(edited, library: folder.library)
            for _ in 0..<30 { stepper.render(64) }
            #expect(stepper.left.last == 0)
            let steepest = zip(stepper.left, stepper.left.dropFirst()).map { abs($1 - $0) }.max()!
            #expect(steepest < 1.05 / 240, "lead \(lead): a step of \(steepest)")
        }
    }

    @Test func moreOrdersThanACallbackDoesAreDoneInTheNextInOrder() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        let id = session.tracks[0].id
        stepper.render(64)
        for n in 0..<12_000 {
            stepper.engine.fade(id, to: Double(n % 4096 + 1) / 8192, over: .zero, curve: .linear)
        }
        for _ in 0..<4 { stepper.render(64) }
        let heard = stepper.left.suffix(256)
        #expect(Set(heard).count <= 4, "each callback does what it may at once")
        #expect(heard.last == Float(11_999 % 4096 + 1) / 8192)
    }

    // MARK: - Extremes

    @Test func extremesOfAProgramInSwiftTrapNowhere() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        let id = session.tracks[0].id
        stepper.render(100)
        for seconds in [1 << 40, Int64.max] {
            stepper.engine.fade(id, to: 0, over: MediaTime(value: seconds, timescale: 1), curve: .linear)
            stepper.render(100)
        }
        stepper.engine.fade(id, to: 0.5, over: .positiveInfinity, curve: .scurve)
        for frame in [.max, .max - 100, -5, .min] as [Int64] {
            stepper.engine.locate(frame)
            stepper.settle()
            stepper.render(1000)
        }
        for loop in [0 ..< .max, (.max - 5) ..< .max, -10..<5000, .min ..< .max] as [Range<Int64>] {
            stepper.engine.setLoop(loop)
            stepper.settle()
            stepper.render(1000)
        }
        var edited = session
        edited.tracks[0].fadeOut = MediaTime(value: .max, timescale: 1)
        edited.tracks[0].clips[0].at = .positiveInfinity
        stepper.engine.apply(edited, library: folder.library)
        stepper.settle()
        stepper.engine.together(at: .max - 10) { stepper.engine.set(StripSettings(fader: 0), for: .master) }
        stepper.render(1000)
        #expect(stepper.left.count > 0)
    }
}
