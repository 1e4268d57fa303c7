import Engine
import TestSupport
import Testing
import Timeline

/// What is to take effect at a frame of the mixer's clock does so at that very frame, whatever the blocks.
@Suite struct TimedOrderTests {
    private func steady() throws -> (TemporaryFolder, Session) {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 60000) { _ in (1, 1) }
        return (folder, try .of("a.wav"))
    }

    @Test(arguments: [[64], [1, 7, 300, 5000], [4096]]) func aFaderMovesAtItsFrame(blocks: [Int]) throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        let id = session.tracks[0].id
        stepper.engine.together(at: 1000) {
            stepper.engine.fade(id, to: 0, over: MediaTime(frame: 100, rate: 48000), curve: .linear)
        }
        stepper.engine.together(at: 500) { stepper.engine.fade(id, to: 0.5, over: .zero, curve: .linear) }
        var turn = 0
        while stepper.left.count < 6000 {
            stepper.render(blocks[turn % blocks.count])
            turn += 1
        }
        #expect(stepper.left[..<500].allSatisfy { $0 == 1 })
        #expect(stepper.left[500...1000].allSatisfy { $0 == 0.5 })
        for i in 0..<100 {
            let expected: Float = 0.5 - Float(i) / 200
            #expect(abs(stepper.left[1000 + i] - expected) < 1e-6)
        }
        #expect(stepper.left[1100..<6000].allSatisfy { $0 == 0 })
    }

    @Test func theLastOrderCountsThoughItIsForNow() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        let id = session.tracks[0].id
        stepper.engine.together(at: 1000) { stepper.engine.setFader(id, to: 0) }
        stepper.render(100)
        stepper.engine.setFader(id, to: 0.5)
        stepper.render(3000)
        #expect(stepper.left[340..<3100].allSatisfy { $0 == 0.5 })
    }

    /// A period that was on its way when silence was asked for knows nothing of it: the fade begins, and
    /// ends, one period later.
    @Test func aStripIsNotTakenForSilentBeforeItIs() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        stepper.render(512)
        stepper.engine.together {
            stepper.engine.fallSilent(over: MediaTime(frame: 4800, rate: 48000))
            stepper.render(1024)
        }
        while !stepper.engine.hasFallenSilent, stepper.left.count < 20000 { stepper.render(64) }
        stepper.engine.stop()
        stepper.render(1024)
        let fade = 512 + 1024
        for i in 0..<4800 { #expect(abs(stepper.left[fade + i] - Float(4800 - i) / 4800) < 1e-6) }
        #expect(stepper.left[(fade + 4800)...].allSatisfy { $0 == 0 })
    }

    @Test func playLocateAndAnEditTogetherAtOneFrame() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 60000) { n in (Float(n) / 0x1p20, 0) }
        let session = try Session.of("a.wav")
        let stepper = Stepper()
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
        stepper.engine.together(at: 777) {
            stepper.engine.locate(20000)
            stepper.engine.play()
        }
        stepper.settle()
        stepper.render(2000)
        #expect(stepper.left[..<777].allSatisfy { $0 == 0 })
        let expected = (0..<1223).map { Float(20000 + $0) / 0x1p20 }
        #expect(Array(stepper.left[777..<2000]) == expected)
        // An edit that is made now waits for a plan that is to come: plans keep their order.
        var edited = session
        edited.tracks[0].fadeIn = MediaTime(value: 1, timescale: 1)
        stepper.engine.together(at: 3000) { stepper.engine.locate(40000) }
        stepper.settle()
        stepper.engine.apply(edited, library: folder.library)
        stepper.settle()
        stepper.render(1000)
        let before = Float(20000 + 2999 - 777) / 0x1p20
        #expect(stepper.left[2999] == before)
        stepper.render(1000)
        let (sample, gain) = (Float(40900) / 0x1p20, Float(40900) / 48000)
        #expect(abs(stepper.left[3900] - sample * gain) < 1e-6)
    }

    @Test func aRemovedTracksTimedFaderHarmsNothing() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        stepper.engine.together(at: 2000) { stepper.engine.setFader(session.tracks[0].id, to: 0) }
        stepper.engine.apply(Session(), library: folder.library)
        for _ in 0..<40 { stepper.render(100) }
        #expect(stepper.left[300...].allSatisfy { $0 == 0 })
    }

    @Test func moreThanTheAgendaHoldsWaitsInTheQueue() throws {
        let (folder, session) = try steady()
        let stepper = Stepper(playing: session, folder)
        let id = session.tracks[0].id
        for n in 0..<3000 {
            stepper.engine.together(at: Int64(1000 + n)) {
                stepper.engine.fade(id, to: Double(n + 1) / 4096, over: .zero, curve: .linear)
            }
        }
        for _ in 0..<50 { stepper.render(100) }
        let steps: [Float] = (1...3000).map { Float($0) / 4096 }
        #expect(Array(stepper.left[1000..<4000]) == steps)
    }
}

@Suite struct DirectOutTests {
    /// Renders `count` frames in `blocks`, the first track into buffers of its own.
    private func render(
        _ stepper: Stepper, _ id: StripID, _ tap: DirectOuts.Tap, blocks: [Int], _ count: Int
    ) -> [Float] {
        var out = DirectOut(stepper.engine.stripHandle(id)!, tap)
        var heard: [Float] = []
        var turn = 0
        while heard.count < count {
            let frames = blocks[turn % blocks.count]
            turn += 1
            var (left, right) = ([Float](repeating: 9, count: frames), [Float](repeating: 9, count: frames))
            var (busLeft, busRight) = (left, right)
            left.withUnsafeMutableBufferPointer { l in
                right.withUnsafeMutableBufferPointer { r in
                    (out.buffers[0], out.buffers[1]) = (l.baseAddress, r.baseAddress)
                    withUnsafeMutablePointer(to: &out) {
                        stepper.engine.mixer.audioSide.render(
                            &busLeft, &busRight, frames, waits: true, outs: DirectOuts($0, count: 1))
                    }
                }
            }
            heard += left
            stepper.engine.poll()
        }
        return heard
    }

    /// A panic silences the ports of single strips too, in the time that it takes.
    @Test(arguments: DirectOuts.Tap.allCases) func aPanicSilencesDirectOuts(tap: DirectOuts.Tap) throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 96_000) { _ in (0.5, 0.5) }
        let session = try Session.of("a.wav")
        let stepper = Stepper(playing: session, folder)
        let id = session.tracks[0].id
        #expect(render(stepper, id, tap, blocks: [256], 1024).last == 0.5)
        stepper.engine.fallSilent(over: MediaTime(value: 1, timescale: 10))
        let heard = render(stepper, id, tap, blocks: [256], 10_240)
        #expect(heard[2400] > 0 && heard[2400] < 0.5 && heard[4800...].allSatisfy { $0 == 0 })
    }

    @Test(arguments: DirectOuts.Tap.allCases) func directOutsAreTheSameForEveryBlockSize(
        tap: DirectOuts.Tap
    ) throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 48000) { n in (Float(n % 1000) / 1000, 0) }
        var session = try Session.of("a.wav", "a.wav")
        session.tracks[0].fader = 0.5
        try session.tracks[0].automation.setRamp(
            from: 0, to: 1, over: TimeRange(start: .zero, end: MediaTime(value: 1, timescale: 2)))
        func heard(_ blocks: [Int]) -> [Float] {
            let stepper = Stepper(playing: session, folder)
            stepper.engine.set(StripSettings(fader: 0), for: .master)
            return Array(render(stepper, session.tracks[0].id, tap, blocks: blocks, 30000)[..<30000])
        }
        let reference = heard([64])
        for n in 0..<24000 {
            let sample = Float(n % 1000) / 1000
            let expected: Float = tap == .pre ? sample : sample * Float(n) / 24000 * 0.5
            #expect(abs(reference[n] - expected) < 1e-6)
        }
        #expect(heard([1, 7, 300, 5000]) == reference)
    }
}
