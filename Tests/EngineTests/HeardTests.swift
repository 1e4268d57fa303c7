import AudioFile
import Engine
import TestSupport
import Testing
import Timeline

/// What a third review heard.
@Suite struct HeardTests {
    /// A scene of more faders than the queue holds, over two seconds: each arrives, and none at once.
    @Test func aFadeThatDoesNotFitTheQueueArrives() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 400_000) { _ in (1, 1) }
        var session = Session()
        let buses = (0..<8).map { session.addBus(named: "b\($0)") }
        for number in 1...8 { session[.bus(number)].output = .none }
        for number in 0..<1200 {
            session.append(Track(name: "t\(number)"))
            for bus in buses { session.setSend(of: .track(number + 1), to: bus) { $0.volume = 1 } }
        }
        session.tracks[1199].clips = [Clip(file: "a.wav")]
        let stepper = Stepper(playing: session, folder)
        // So many strips take some calls.
        for _ in 0..<10 { stepper.render(1000) }
        #expect(stepper.left.last == 1)
        let begun = stepper.left.count
        for index in session.tracks.indices {
            (session.tracks[index].fader, session.tracks[index].pan) = (0.1, 0.5)
            for bus in buses {
                session.setSend(of: .track(index + 1), to: bus) { ($0.volume, $0.pan) = (0.1, -0.5) }
            }
        }
        stepper.engine.applyStrips(session, over: MediaTime(value: 2, timescale: 1))
        for _ in 0..<100 { stepper.render(1000) }
        let last = session.tracks[1199].id
        #expect(
            stepper.engine.presentFader(last) == 0.1 && abs(stepper.right.last! - 0.1) < 1e-6
                && abs(stepper.left.last! - 0.05) < 1e-6)
        // Nowhere faster than a fade of two seconds.
        let steepest = zip(stepper.right[begun...], stepper.right[(begun + 1)...]).map { abs($1 - $0) }.max()!
        #expect(steepest < 1.05 * 0.9 / 96_000 * 1.1, "a step of \(steepest)")
    }

    /// A strip that is named for each of its sends is set once: more orders than a period takes would have
    /// the last sends begin late.
    @Test func theSendsOfStripsFadeTogether() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 48000) { _ in (1, 1) }
        var session = try Session.of("a.wav", "a.wav", "a.wav")
        let buses = (0..<64).map { session.addBus(named: "b\($0)") }
        for number in 1...3 {
            for bus in buses { session.setSend(of: .track(number), to: bus) { $0.volume = 1 } }
        }
        let stepper = Stepper(playing: session, folder)
        for _ in 0..<10 { stepper.render(480) }
        for number in 1...3 {
            for bus in buses { session.setSend(of: .track(number), to: bus) { $0.volume = 0.5 } }
        }
        let sends = session.tracks.flatMap { $0.sends.map(\.id) }
        stepper.engine.applyStrips(
            session, at: (1...3).flatMap { Array(repeating: StripPlace.track($0), count: 64) },
            over: MediaTime(frame: 9600, rate: 48000), moving: StripSettings.Moved(.fader, of: Set(sends)))
        for _ in 0..<10 { stepper.render(480) }
        #expect(sends.allSatisfy { abs(stepper.engine.presentFader($0) - 0.75) < 1e-9 })
    }

    /// An engine with live inputs, heard by hand.
    private final class Live {
        let stepper = Stepper()
        var session = Session()
        let folder = TemporaryFolder()
        private(set) var heard: [Float] = []
        var input: (Int) -> Float = { _ in 0.5 }

        func apply() {
            stepper.engine.apply(session, library: folder.library)
            stepper.settle()
        }

        func render(_ count: Int) {
            var incoming = (heard.count..<heard.count + count).map(input)
            var (left, right) = ([Float](repeating: 9, count: count), [Float](repeating: 9, count: count))
            incoming.withUnsafeMutableBufferPointer { incoming in
                var ins = session.tracks.filter { $0.input != nil }.map { track -> DirectIn in
                    var direct = DirectIn(stepper.engine.stripHandle(track.id)!)
                    (direct.buffers[0], direct.buffers[1]) = (incoming.baseAddress!, incoming.baseAddress!)
                    return direct
                }
                ins.withUnsafeMutableBufferPointer {
                    stepper.engine.mixer.audioSide.render(
                        &left, &right, count, waits: true, ins: DirectIns($0.baseAddress!, count: $0.count))
                }
            }
            heard += left
            stepper.engine.poll()
        }

        var steepest: Float { zip(heard, heard.dropFirst()).map { abs($1 - $0) }.max() ?? 0 }
    }

    /// Locate and play in one go: what comes in goes on, and no step is heard in it.
    @Test func locateAndPlayAtOnceMakeNoStepInAnInput() throws {
        let live = Live()
        var track = Track(name: "mic")
        (track.input, track.monitor) = (Input(), .input)
        try track.automation.setValue(0.1, at: MediaTime(value: 2, timescale: 1))
        live.session.append(track)
        live.apply()
        live.render(1000)
        live.stepper.engine.together {
            live.stepper.engine.locate(3 * 48_000)
            live.stepper.engine.play()
        }
        live.stepper.settle()
        live.render(1000)
        #expect(live.heard[998] == 0.5 && abs(live.heard.last! - 0.05) < 1e-6)
        #expect(live.steepest < 0.5 / 200, "a step of \(live.steepest)")
    }

    /// Which of clips and input is heard changes within the fade of a play or a stop: each has a place of its
    /// own, also where the ring ends.
    @Test func aMonitorThatChangesWithinAFadeCrossesOver() throws {
        for lead in stride(from: 0, through: 240, by: 40) {
            let live = Live()
            try live.folder.file("a.wav", frames: 200_000) { _ in (0.25, 0.25) }
            var track = Track(name: "mic")
            (track.input, track.monitor, track.clips) = (Input(), .clips, [Clip(file: "a.wav")])
            live.session.append(track)
            live.apply()
            live.stepper.engine.play()
            // To where the ring ends.
            while live.heard.count < 65_536 - 300 { live.render(min(256, 65_536 - 300 - live.heard.count)) }
            live.stepper.engine.stop()
            live.render(lead + 1)
            live.session.tracks[0].monitor = .auto
            live.apply()
            for _ in 0..<20 { live.render(64) }
            #expect(live.heard.last == 0.5)
            #expect(live.steepest < 0.75 / 200, "lead \(lead): a step of \(live.steepest)")
        }
    }

    /// One infinity, or what is no number, is silence in its place: heard, measured and recorded as that, and
    /// counted.
    @Test func samplesThatAreNoNumbersAreSilencedWhereTheyComeIn() throws {
        let live = Live()
        live.input = { n in n == 700 ? .infinity : n == 701 ? .nan : 0.5 }
        var track = Track(name: "mic")
        (track.input, track.isArmed) = (Input(), true)
        live.session.append(track)
        live.stepper.engine.takesFolder = live.folder("takes")
        live.apply()
        live.stepper.engine.record(0..<Int64.max)
        live.stepper.engine.play()
        for _ in 0..<8 { live.render(512) }
        // Behind the fade of a track that comes.
        #expect(
            live.heard.enumerated().dropFirst(240).allSatisfy { $1 == ($0 == 700 || $0 == 701 ? 0 : 0.5) })
        let id = live.session.tracks[0].id
        #expect(live.stepper.engine.silencedInputs == [id: 2])
        let reading = live.stepper.engine.readMeter(id)
        #expect(reading.peaks[0] == 0.5 && abs(reading.rms[0] - 0.5) < 0.5)
        live.stepper.engine.close()
        let take = try #require(live.stepper.engine.takeFinishedTakes().first)
        let reader = try ChannelReader(path: take.path, channels: nil, sampleRate: 48000)
        var (left, right) = (
            [Float](repeating: 9, count: Int(take.frames)), [Float](repeating: 9, count: Int(take.frames))
        )
        try reader.read(from: 0, count: left.count, left: &left, right: &right)
        #expect(left.enumerated().allSatisfy { $1 == ($0 == 700 || $0 == 701 ? 0 : 0.5) })
    }

    /// Buses that change places in one edit: for the time of two fades neither feeds the other, and nothing
    /// steps.
    @Test func busesThatSwapPlacesCloseFirstAndOpenThen() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 200_000) { _ in (0.5, 0.5) }
        var session = try Session.of("a.wav")
        let (a, b) = (session.addBus(named: "a"), session.addBus(named: "b"))
        session.tracks[0].output = .bus(a)
        session[.bus(1)].output = .bus(b)
        let stepper = Stepper(playing: session, folder)
        stepper.render(1000)
        session.tracks[0].output = .bus(b)
        session[.bus(1)].output = .master
        session[.bus(2)].output = .bus(a)
        stepper.engine.apply(session, library: folder.library)
        for _ in 0..<20 { stepper.render(64) }
        #expect(stepper.left[999] == 0.5 && stepper.left.last == 0.5)
        let steepest = zip(stepper.left, stepper.left.dropFirst()).map { abs($1 - $0) }.max()!
        // Three ways close one behind another.
        #expect(steepest < 1.05 * 3 * 0.5 / 240, "a step of \(steepest)")
    }
}
