import Engine
import TestSupport
import Testing
import Timeline

/// Two players in one mixer beside two mixers with one player each: in random order they play, stop, go
/// elsewhere, go round loops, are edited, and hear inputs while they stand. What the one mixer gives is the
/// sum of what the two give, to the bit, and each playhead is where it is in a mixer of its own.
private final class PlayersDuel {
    private var dice: Seeded
    private let library: MediaLibrary
    private let both: PlaybackEngine
    private let alone: [PlaybackEngine]
    private var session = Session()
    private var done = 0
    private var said: [String] = []
    private(set) var sounding = 0
    private static let rate: Int32 = 48000

    init(seed: UInt64, _ library: MediaLibrary) {
        (dice, self.library) = (Seeded(state: seed), library)
        // Two floats added are the same however a mixer comes to them; three are not.
        for name in ["a", "b"] {
            var track = Track(name: name)
            (track.strip.equaliser, track.strip.compressor) = (Equaliser(), Compressor())
            track.clips = [Clip(file: name + ".wav")]
            session.append(track)
        }
        both = PlaybackEngine(
            sampleRate: Self.rate, readAhead: ReadAhead(threads: 2), isLive: true,
            players: [session.tracks[1].id: 1])
        alone = [0, 1].map { _ in PlaybackEngine(sampleRate: Self.rate, readAhead: ReadAhead(threads: 2)) }
        both.apply(session, library: library)
        for player in 0..<2 { alone[player].apply(part(player), library: library) }
    }

    private func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }
    private func frame(_ range: Range<Int64>) -> Int64 { Int64.random(in: range, using: &dice) }

    /// The session with one of its tracks.
    private func part(_ player: Int) -> Session {
        var part = session
        part.removeTrack(at: 1 - player)
        return part
    }

    /// - Returns: whether it sends a plan: that is to be taken before anybody stops.
    private func change() -> Bool {
        let player = Int.random(in: 0..<2, using: &dice)
        let at = chance(2) ? nil : both.clock + frame(0..<900)
        switch Int.random(in: 0..<9, using: &dice) {
        case 0, 1:
            said.append("play \(player) at \(at ?? -1)")
            both.together(at: at) { both.play(player: player) }
            alone[player].together(at: at) { alone[player].play() }
            return false
        case 2:
            said.append("stop \(player) at \(at ?? -1)")
            both.together(at: at) { both.stop(player: player) }
            alone[player].together(at: at) { alone[player].stop() }
            return false
        // A plan waits for all that is on its way, and with a player of its own there is less of that.
        case 3...8 where !both.isSettled: return false
        case 3, 4: locate(player)
        case 5: loop(player)
        case 6: automate(player)
        case 7: return hand(player)
        default:
            said.append("input \(player)")
            session.tracks[player].input = session.tracks[player].input == nil ? Input() : nil
            apply(player)
        }
        return true
    }

    private func locate(_ player: Int) {
        let target = frame(0..<50000)
        said.append("locate \(player) to \(target)")
        both.locate(target, player: player)
        alone[player].locate(target)
    }

    private func loop(_ player: Int) {
        let loop = chance(3) ? nil : frame(0..<20000)..<frame(20100..<40000)
        said.append("loop \(player) \(loop.map { "\($0)" } ?? "off")")
        both.setLoop(loop, player: player)
        alone[player].setLoop(loop)
    }

    private func automate(_ player: Int) {
        let moves: [(Automation.Control, Double, Double)] = [
            (.volume, 0.2, 0.9), (.pan, -1, 0.5), (.gain2, -12, 12), (.compressorThreshold, -40, -10),
        ]
        let (control, low, high) = moves.randomElement(using: &dice)!
        var automation = Automation(control)
        if !chance(4) {
            let range = TimeRange(
                start: MediaTime(frame: frame(0..<40000), rate: Self.rate),
                duration: MediaTime(frame: frame(1..<9000), rate: Self.rate))
            try? automation.setRamp(from: low, to: high, over: range)
        }
        said.append("\(control) of \(player), \(automation.events.count) events")
        session.tracks[player].strip[automation: control] = automation
        apply(player)
    }

    /// Moves what is set at once where the track is silent. With inputs a mixer cannot know that.
    private func hand(_ player: Int) -> Bool {
        if session.tracks.contains(where: { $0.input != nil }) { return false }
        session.tracks[player].strip.fader = Double.random(in: 0...1, using: &dice)
        session.tracks[player].strip.compressor!.threshold = Double.random(in: -40...0, using: &dice)
        said.append("hand at \(player)")
        apply(player)
        return true
    }

    private func apply(_ player: Int) {
        both.apply(session, library: library)
        alone[player].apply(part(player), library: library)
    }

    /// Takes so many calls.
    /// - Returns: what was wrong; nil: nothing.
    func run(calls: Int) -> String? {
        for _ in 0..<calls {
            for _ in 0..<Int.random(in: 0...2, using: &dice) where change() { break }
            let count = Int.random(in: 1...700, using: &dice)
            let sum = render(both, [0, 1], count)
            let parts = [render(alone[0], [0], count), render(alone[1], [1], count)]
            done += count
            sounding += sum.count { $0 != 0 }
            if let wrong = sum.indices.first(where: { sum[$0] != parts[0][$0] + parts[1][$0] }) {
                let given = parts.map { $0[wrong] }
                return "frame \(wrong) of \(count) is \(sum[wrong]), not the sum of \(given), after \(said)"
            }
            for player in 0..<2 where both.frame(of: player) != alone[player].frame {
                return "player \(player) is at \(both.frame(of: player)), after \(said)"
            }
            said = said.suffix(8)
        }
        return nil
    }

    /// Left, and right behind it, of the next frames.
    private func render(_ engine: PlaybackEngine, _ tracks: [Int], _ count: Int) -> [Float] {
        // What comes in for a track is the same in both mixers.
        engine.render(
            count,
            hearing: tracks.map { track in
                (session.tracks[track].id, (0..<count).map { Float((done + $0) % 997 + track) / 0x1p12 })
            })
    }
}

extension PlaybackEngine {
    /// Left, and right behind it, of the next frames, while the same comes in on both sides of tracks.
    fileprivate func render(_ count: Int, hearing heard: [(StripID, [Float])] = []) -> [Float] {
        waitUntilFilled()
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: (2 + heard.count) * count)
        defer { memory.deallocate() }
        memory.initialize(repeating: 9, count: (2 + heard.count) * count)
        var ins = heard.enumerated().map { number, heard in
            var direct = DirectIn(stripHandle(heard.0)!)
            let buffer = memory + (2 + number) * count
            buffer.update(from: heard.1, count: count)
            (direct.buffers[0], direct.buffers[1]) = (buffer, buffer)
            return direct
        }
        let side = mixer.audioSide
        if ins.isEmpty {
            side.render(memory, memory + count, count, waits: true)
        } else {
            ins.withUnsafeMutableBufferPointer {
                side.render(
                    memory, memory + count, count, waits: true,
                    ins: DirectIns($0.baseAddress!, count: $0.count))
            }
        }
        poll()
        return Array(UnsafeBufferPointer(start: memory, count: 2 * count))
    }
}

/// Two tracks that hold their levels, each with a player of its own: what is heard never steps.
private final class SteadyPlayers {
    let engine: PlaybackEngine
    private let library: MediaLibrary
    private var last: Float?
    /// The largest step from a sample to the next.
    private(set) var step: Float = 0

    init(_ session: Session, _ library: MediaLibrary) {
        self.library = library
        engine = PlaybackEngine(
            sampleRate: 48000, readAhead: ReadAhead(threads: 2), isLive: true,
            players: [session.tracks[1].id: 1])
        engine.apply(session, library: library)
    }

    func apply(_ session: Session) { engine.apply(session, library: library) }

    func render(_ count: Int) {
        for _ in 0..<count / 100 {
            for sample in engine.render(100).prefix(100) {
                if let last { step = max(step, abs(sample - last)) }
                last = sample
            }
        }
    }

    /// The largest step where the second player goes elsewhere.
    func stepOfLocate() -> Float {
        render(20000)
        settle()
        engine.locate(50000, player: 1)
        render(20000)
        return step
    }

    /// Forgets what was heard so far: how it begins.
    func settle() { step = 0 }
}

@Suite struct PlayersTests {
    private func constant() throws -> (TemporaryFolder, Session) {
        let folder = TemporaryFolder()
        for name in ["a", "b"] { try folder.file(name + ".wav", frames: 100_000) { _ in (0.25, 0.25) } }
        return (folder, try .of("a.wav", "b.wav"))
    }

    /// A step of 5 ms from nothing to a half.
    private let fade: Float = 0.5 / 240 * 1.01

    @Test func anAutomixGoesOnWhereOneMemberGoesElsewhere() throws {
        var (folder, session) = try constant()
        let bus = session.addBus(named: "mix")
        session[.bus(1)].automix = Automix()
        for track in 1...2 { session[.track(track)].output = .bus(bus) }
        let steady = SteadyPlayers(session, folder.library)
        for player in 0..<2 { steady.engine.play(player: player) }
        #expect(steady.stepOfLocate() < fade)
    }

    @Test func aDuckedBusGoesOnWhereTheOtherPlayerGoesElsewhere() throws {
        var (folder, session) = try constant()
        let bus = session.addBus(named: "bed")
        session[.track(2)].output = .bus(bus)
        var duck = Duck(track: bus, under: session.tracks[1].id, to: 0.2)
        duck.trigger = .signal
        session.ducks = [duck]
        let steady = SteadyPlayers(session, folder.library)
        steady.engine.play(player: 1)
        #expect(steady.stepOfLocate() < fade)
    }

    @Test func aTrackGoesOnWhileBusesAreTurnedRound() throws {
        var (folder, session) = try constant()
        let (one, two) = (session.addBus(named: "one"), session.addBus(named: "two"))
        session[.bus(1)].output = .bus(two)
        let steady = SteadyPlayers(session, folder.library)
        steady.engine.play(player: 1)
        steady.render(2000)
        steady.settle()
        session[.bus(1)].output = .master
        session[.bus(2)].output = .bus(one)
        steady.apply(session)
        steady.render(2000)
        #expect(steady.step == 0)
    }

    /// What one player is asked while its streams are filled is not lost where the other is asked much.
    @Test func ordersThatWaitAreOfTheirPlayer() throws {
        let (folder, session) = try constant()
        let steady = SteadyPlayers(session, folder.library)
        steady.engine.together {
            steady.engine.locate(50000, player: 1)
            steady.engine.play(player: 1)
            for _ in 0..<16 { steady.engine.play(player: 0) }
        }
        steady.render(2000)
        #expect(steady.engine.isSettled)
        #expect(steady.engine.frame(of: 1) == 52000)
    }

    /// Each track is recorded by its own player's playhead.
    @Test func takesLieWhereTheirPlayersWere() throws {
        let folder = TemporaryFolder()
        var session = Session()
        for name in ["a", "b"] {
            var track = Track(name: name)
            (track.input, track.monitor, track.isArmed) = (Input(), .clips, true)
            session.append(track)
        }
        let engine = PlaybackEngine(
            sampleRate: 48000, readAhead: ReadAhead(threads: 2), isLive: true,
            players: [session.tracks[1].id: 1])
        engine.takesFolder = folder("takes")
        for track in session.tracks { engine.setLatency(0, ofTrack: track.id) }
        engine.apply(session, library: folder.library)
        engine.record(0..<Int64.max)
        for (player, frame) in [(0, Int64(1000)), (1, 50000)] { engine.locate(frame, player: player) }
        func render() {
            _ = engine.render(
                300,
                hearing: session.tracks.enumerated().map { track, one in
                    (one.id, (0..<300).map { Float($0 + 1000 * track) / 0x1p12 })
                })
        }
        engine.play(player: 1)
        for _ in 0..<10 { render() }
        engine.play(player: 0)
        for _ in 0..<20 { render() }
        for player in 0..<2 { engine.stop(player: player) }
        for _ in 0..<10 { render() }
        engine.close()
        let takes = engine.takeFinishedTakes().sorted { $0.start < $1.start }
        #expect(takes.map(\.start) == [1000, 50000])
        #expect(takes.map(\.frames) == [6000, 9000])
        #expect(takes.map(\.track) == session.tracks.map(\.id))
    }

    /// `JMIX_PLAYERS` says how many sequences; `JMIX_SEED` where they begin.
    @Test func twoPlayersInOneMixerSoundLikeTwoMixers() throws {
        let folder = TemporaryFolder()
        for (name, step) in [("a", 7), ("b", 11)] {
            try folder.file(name + ".wav", frames: 60000) { n in
                (Float((n * step) % 4001) / 0x1p13, -Float((n * step) % 3989) / 0x1p13)
            }
        }
        let first = firstSeed("JMIX_SEED")
        let sequences: Int = environmentNumber("JMIX_PLAYERS") ?? 40
        var sounding = 0
        for seed in first..<first + UInt64(sequences) {
            let duel = PlayersDuel(seed: seed, folder.library)
            if let fault = duel.run(calls: 60) {
                Issue.record("seed \(seed): \(fault)")
                return
            }
            sounding += duel.sounding
        }
        #expect(sounding > sequences * 1000, "they are heard")
    }
}
