import Engine
import Realtime
import TestSupport
import Testing
import Timeline

/// What is constant stays so, whatever comes to hold it back while it is heard.
@Suite struct SteadyTests {
    private let folder = TemporaryFolder()

    private func duck(_ target: StripID, _ key: StripID, _ frames: Int) -> Duck {
        var duck = Duck(track: target, under: key, to: 1)
        duck.goBySignal()
        duck.lookahead = MediaTime(value: Int64(frames), timescale: 48000)
        return duck
    }

    private func playing(_ session: Session) -> Stepper {
        let stepper = Stepper()
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
        stepper.engine.play()
        render(stepper, until: 10_000)
        return stepper
    }

    private func render(_ stepper: Stepper, until end: Int) {
        while stepper.left.count < end { stepper.render(500) }
    }

    private func apply(_ session: Session, _ stepper: Stepper) {
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
    }

    /// Two strips that hear the same, of which one looks ahead, by another length than before.
    @Test(arguments: [(1000, 300), (300, 1000), (300, 400), (0, 1000), (1000, 0)]) func whatComesIn(
        first: Int, second: Int
    ) {
        var session = Session()
        for name in ["key", "ducked"] {
            var track = Track(name: name)
            track.input = Input(channels: 1)
            session.append(track)
        }
        let ids = session.tracks.map(\.id)
        let engine = PlaybackEngine(sampleRate: 48000)
        let incoming = ChannelMemory(1, frames: 512)
        for i in 0..<512 { incoming.channels.channel(0)[i] = 0.25 }
        var heard: [Float] = []
        for look in [first, second] {
            session.ducks = look > 0 ? [duck(ids[1], ids[0], look)] : []
            engine.apply(session, library: folder.library)
            for _ in 0..<10 {
                engine.waitUntilFilled()
                var ins = ids.map { DirectIn(engine.stripHandle($0)!, channels: 1) }
                for index in ins.indices { ins[index].buffers[0] = incoming.channels.channel(0) }
                var (left, right) = ([Float](repeating: 0, count: 512), [Float](repeating: 0, count: 512))
                ins.withUnsafeMutableBufferPointer {
                    engine.mixer.audioSide.render(
                        &left, &right, 512, waits: true, ins: DirectIns($0.baseAddress!, count: 2))
                }
                heard += left
                engine.poll()
            }
        }
        engine.close()
        #expect(
            heard[3000...].allSatisfy { abs($0 - 0.5) < 1e-6 },
            "\(heard[3000...].filter { abs($0 - 0.5) >= 1e-6 }.count) frames are something else")
    }

    /// A send to a bus that looks ahead, and then has a limiter too.
    @Test(arguments: [240, 480, 600, 960, 2000]) func whatASendHoldsBack(look: Int) throws {
        try folder.file("c.wav", frames: 60_000) { _ in (0.25, 0.25) }
        var session = try Session.of("c.wav")
        let bus = session.addBus(named: "reverb")
        session.setSend(of: session.places[0], to: bus) { $0.volume = 1 }
        session.ducks = [duck(bus, session.tracks[0].id, look)]
        let stepper = playing(session)
        for place in session.places where session[place].id == bus { session[place].limiter = Limiter() }
        apply(session, stepper)
        render(stepper, until: 20_000)
        #expect(stepper.left[5000...].allSatisfy { abs($0 - 0.5) < 1e-3 })
    }

    /// One look-ahead right after another.
    @Test(arguments: [(600, 1500), (14_000, 32_000)]) func oneAfterAnother(first: Int, second: Int) throws {
        try folder.file("c.wav", frames: 200_000) { _ in (0.25, 0.25) }
        var session = try Session.of("c.wav", "c.wav")
        let stepper = playing(session)
        for look in [first, second] {
            session.ducks = [duck(session.tracks[0].id, session.tracks[1].id, look)]
            apply(session, stepper)
            stepper.render(500)
        }
        render(stepper, until: 100_000)
        #expect(stepper.left[100...].allSatisfy { abs($0 - 0.5) < 1e-3 })
    }

    /// A gate whose key comes to be heard earlier by another.
    @Test(arguments: [480, 48_000]) func whatAGateGoesBy(look: Int) throws {
        try folder.file("c.wav", frames: 250_000) { _ in (0.25, 0.25) }
        var session = try Session.of("c.wav", "c.wav", "c.wav")
        let (kick, music) = (session.tracks[0].id, session.tracks[2].id)
        session[session.places[0]].output = .none
        session[session.places[0]].fader = 0
        session[session.places[2]].fader = 0
        var gate = Gate()
        (gate.key, gate.hold, gate.release) = (
            kick, MediaTime(value: 10, timescale: 1000), MediaTime(value: 10, timescale: 1000)
        )
        session[session.places[1]].gate = gate
        let stepper = playing(session)
        session[session.places[0]].output = .master
        session.ducks = [duck(music, kick, look)]
        apply(session, stepper)
        render(stepper, until: 150_000)
        #expect(stepper.left[1000...].allSatisfy { abs($0 - 0.25) < 0.02 })
    }

    private func compressed(_ session: inout Session) {
        var compressor = Compressor()
        (compressor.threshold, compressor.ratio, compressor.attack) = (
            -60, 1000, MediaTime(value: 5, timescale: 1000)
        )
        session.master.compressor = compressor
    }

    /// A late master works on what is still held back when playing goes elsewhere.
    @Test(arguments: [4800, 48_000]) func whatALocateLeavesBehind(look: Int) throws {
        try folder.file("c.wav", frames: 250_000) { _ in (0.5, 0.5) }
        try folder.file("z.wav", frames: 250_000) { _ in (0, 0) }
        var session = try Session.of("c.wav", "z.wav")
        session.ducks = [duck(session.tracks[1].id, session.tracks[0].id, look)]
        compressed(&session)
        let stepper = playing(session)
        render(stepper, until: 80_000)
        stepper.engine.locate(100_000)
        stepper.settle()
        render(stepper, until: 200_000)
        #expect(stepper.left[70_000...].allSatisfy { $0 < 0.05 })
        #expect(stepper.left[195_000...].allSatisfy { $0 > 0 })
    }

    /// What comes in at a standstill, and fades where playing begins, is worked on to its end.
    @Test func whatFadesWhereItBegins() throws {
        try folder.file("z.wav", frames: 250_000) { _ in (0, 0) }
        var session = try Session.of("z.wav", "z.wav", "z.wav")
        session.tracks[2].input = Input(channels: 1)
        session.ducks = [duck(session.tracks[1].id, session.tracks[0].id, 4800)]
        compressed(&session)
        let engine = PlaybackEngine(sampleRate: 48000)
        defer { engine.close() }
        engine.apply(session, library: folder.library)
        let incoming = ChannelMemory(1, frames: 512)
        for i in 0..<512 { incoming.channels.channel(0)[i] = 0.5 }
        var heard: [Float] = []
        for block in 0..<120 {
            if block == 60 { engine.play() }
            engine.poll()
            engine.waitUntilFilled()
            var input = DirectIn(engine.stripHandle(session.tracks[2].id)!, channels: 1)
            input.buffers[0] = incoming.channels.channel(0)
            var (left, right) = ([Float](repeating: 0, count: 512), [Float](repeating: 0, count: 512))
            withUnsafeMutablePointer(to: &input) {
                engine.mixer.audioSide.render(&left, &right, 512, waits: true, ins: DirectIns($0, count: 1))
            }
            heard += left
        }
        #expect(heard[60 * 512 - 1] > 0 && heard[60 * 512 - 1] < 0.01)
        #expect(heard[(20 * 512)...].allSatisfy { $0 < 0.01 })
        #expect(heard[(100 * 512)...].allSatisfy { $0 == 0 })
    }

    /// The gate of a late bus is open when playing begins again, as when it began.
    @Test func whatAGateHearsBehindAStop() throws {
        try folder.file("c.wav", frames: 250_000) { _ in (0.5, 0.5) }
        try folder.file("z.wav", frames: 250_000) { _ in (0, 0) }
        var session = try Session.of("c.wav", "z.wav")
        let bus = session.addBus(named: "b")
        session[session.places[0]].output = .bus(bus)
        session.ducks = [duck(session.tracks[1].id, session.tracks[0].id, 4800)]
        var gate = Gate()
        (gate.threshold, gate.hold, gate.attack) = (-50, .zero, MediaTime(value: 50, timescale: 1000))
        for place in session.places where session[place].id == bus { session[place].gate = gate }
        let stepper = playing(session)
        stepper.engine.stop()
        stepper.settle()
        render(stepper, until: 40_000)
        stepper.engine.play()
        stepper.settle()
        render(stepper, until: 80_000)
        let first = try #require(stepper.left[40_000...].firstIndex { $0 != 0 })
        #expect(stepper.left[(first + 480)...].allSatisfy { $0 == 0.5 })
        let start = try #require(stepper.left.firstIndex { $0 != 0 })
        #expect(stepper.left[start..<10_000].allSatisfy { $0 == 0.5 })
    }
}
