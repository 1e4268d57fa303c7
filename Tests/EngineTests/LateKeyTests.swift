import Engine
import TestSupport
import Testing
import Timeline

/// A strip by whose level several go, one of them later than another: each hears it with its own sound.
@Suite struct LateKeyTests {
    private enum Other: CaseIterable { case duckThatLooksAhead, busThatLimits }
    private let folder = TemporaryFolder()
    private let frames = 24_000

    /// Music and a pad under a voice that is not heard: by it goes a processor of one strip.
    private func desk(_ place: StripPlace, gates: Bool) throws -> Session {
        var session = try Session.of("voice.wav", "music.wav", "music.wav")
        session.tracks[0].output = .none
        let bus = session.addBus(named: "bus")
        session.tracks[2].output = .bus(bus)
        let voice = session.tracks[0].id
        if gates {
            var gate = Gate()
            (gate.threshold, gate.key) = (-20, voice)
            session[place].processors.gate = gate
        } else {
            var compressor = Compressor()
            (compressor.threshold, compressor.ratio, compressor.key) = (-30, 4, voice)
            session[place].processors.compressor = compressor
        }
        return session
    }

    /// What makes the mix late, and goes by the voice too, and changes nothing that can be heard.
    private func add(_ other: Other, to session: inout Session) {
        let voice = session.tracks[0].id
        switch other {
        case .duckThatLooksAhead:
            var duck = Duck(track: session.tracks[1].id, under: voice, to: 1)
            duck.goBySignal()
            duck.lookahead = MediaTime(value: 384, timescale: 48000)
            session.ducks = [duck]
        case .busThatLimits:
            let bus = session.addBus(named: "limited")
            session.tracks[1].output = .bus(bus)
            var compressor = Compressor()
            (compressor.threshold, compressor.ratio, compressor.knee, compressor.key) = (0, 1, 0, voice)
            session[.bus(2)].processors.compressor = compressor
            session[.bus(2)].processors.limiter = Limiter()
        }
    }

    private func mixed(_ session: Session) throws -> [Float] {
        var heard: [Float] = []
        try OfflineRender(session, library: folder.library, frames: 0..<Int64(frames)).mixSides {
            left, _, count, _ in
            heard += UnsafeBufferPointer(start: left, count: count)
            return true
        }
        return heard
    }

    @Test(arguments: [StripPlace.master, .bus(1), .track(3)], [false, true])
    func eachLineGoesByALateKeyInItsOwnTime(place: StripPlace, gates: Bool) throws {
        try folder.file("voice.wav", frames: frames) { n in (8000..<12000).contains(n) ? (0.5, 0.5) : (0, 0) }
        try folder.file("music.wav", frames: frames) { n in (Oracle.sample(1, n) / 8, 0.1) }
        let alone = try mixed(desk(place, gates: gates))
        #expect((9000..<10000).contains { abs(alone[$0]) > 0.001 })
        for other in Other.allCases {
            var session = try desk(place, gates: gates)
            add(other, to: &session)
            let late = try mixed(session)
            let wrong = alone.indices.first { abs(late[$0] - alone[$0]) > 1e-6 }
            #expect(wrong == nil, "\(other): frame \(wrong ?? 0)")
        }
    }
}
