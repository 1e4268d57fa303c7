import Engine
import Foundation
import Speakers
import TestSupport
import Testing
import Timeline

/// A desk that is monitored in every way, in random order: what the monitor's ports play is what leaves by
/// the ports of what it listens to, as it is set, wherever nothing is on its way; and the mix is that of a
/// desk that nobody monitors.
private final class MonitorDuel {
    private var dice: Seeded
    private let engine = PlaybackEngine(sampleRate: 48000)
    private let plain = PlaybackEngine(sampleRate: 48000)
    private let library: MediaLibrary
    private var session = Session()
    private var said: [String] = []
    private var done = 0
    /// Up to this frame something is on its way.
    private var quiet = 0
    /// The master has a limiter: what is monitored waits with the mix. What waits fades in its own way where
    /// playing stops, and locates wait for it.
    private let isLate: Bool
    /// How many frames were compared with something that sounds.
    private(set) var compared = 0

    init(seed: UInt64, library: MediaLibrary) throws {
        (dice, self.library, isLate) = (Seeded(state: seed), library, seed % 3 == 0)
        if isLate { session.master.limiter = Limiter() }
        for number in 0..<2 { session.addBus(named: "b\(number)", layout: chance(3) ? .mono : .stereo) }
        for number in 0..<3 {
            var track = Track(name: "t\(number)", layout: chance(4) ? .mono : .stereo)
            track.clips = [Clip(file: "\(number).wav")]
            track.strip.fader = pick(0.2...1)
            session.append(track)
        }
        for place in session.places.prefix(3) {
            if chance(2) { session[place].output = .bus(session.buses[0].id) }
            if chance(2) { session.setSend(of: place, to: session.buses[1].id) { $0.volume = 0.5 } }
        }
        apply()
    }

    deinit {
        engine.close()
        plain.close()
    }

    private func pick(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &dice) }
    private func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }

    private func apply() {
        var unheard = session
        (unheard.monitoring, unheard.soloMode) = (Monitoring(), .inPlace)
        if session.soloMode != .inPlace { for place in unheard.places { unheard[place].solo = false } }
        engine.apply(session, library: library)
        plain.apply(unheard, library: library)
    }

    private func both(_ body: (PlaybackEngine) -> Void) { for engine in [engine, plain] { body(engine) } }

    private func change() {
        let places = session.places.filter { $0 != .master && $0.kind != .dca }
        let place = places.randomElement(using: &dice)!
        switch Int.random(in: 0..<13, using: &dice) {
        case 0, 1: session.monitoring.source = .strip(session[place].id)
        case 2: session.monitoring.source = .master
        case 3: if chance(2) { session.monitoring.source = .solo }
        case 4: session.monitoring.level = pick(0...2)
        case 5: session.monitoring.isDimmed.toggle()
        case 6: session.monitoring.isMono.toggle()
        case 7: session.monitoring.isMuted = chance(3)
        case 8: session.soloMode = SoloMode.allCases.randomElement(using: &dice)!
        case 9: session[place].solo.toggle()
        case 10: session[place].fader = pick(0...1)
        case 11: session[place].mute = chance(4)
        default:
            // When a locate behind another is begun hangs on when its files are read.
            if isLate || done < quiet { break }
            said.append("locate")
            both { $0.locate(Int64(done % 7000)) }
        }
        let monitoring = session.monitoring
        said.append(
            """
            @\(done) \(monitoring.source) \(monitoring.gain) mono \(monitoring.isMono) mute \
            \(monitoring.isMuted) \(session.soloMode) \
            \(session.strips.filter { $0.solo }.map(\.name)) late \(isLate)
            """)
        apply()
        let plays = isLate || !chance(5)
        said.append("plays \(plays)")
        both { plays ? $0.play() : $0.stop() }
        quiet = done + 6 * 240 + 400
    }

    func run() -> String? {
        for _ in 0..<60 {
            change()
            for _ in 0..<Int.random(in: 1...12, using: &dice) {
                if let wrong = render(Int.random(in: 1...512, using: &dice)) { return wrong }
            }
        }
        return nil
    }

    /// What is heard of the mixer.
    private func mix(_ engine: PlaybackEngine, _ count: Int, _ outs: DirectOuts?) -> [[Float]] {
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        engine.waitUntilFilled()
        engine.mixer.audioSide.render(&left, &right, count, waits: true, outs: outs)
        engine.poll()
        return [left, right]
    }

    private func render(_ count: Int) -> String? {
        let soloed =
            session.soloMode == .inPlace ? [] : (session.tracks.map(\.strip) + session.buses).filter(\.solo)
        let isPre = !soloed.isEmpty && session.soloMode == .pfl
        engine.waitUntilFilled()
        let ids = session.strips.filter { $0.id != .master }.map(\.id) + [.monitor]
        let handles = ids.compactMap { id in engine.stripHandle(id).map { (id, $0) } }
        let rooms = handles.map { _ in UnsafeMutablePointer<Float>.allocate(capacity: 2 * count) }
        defer { for room in rooms { room.deallocate() } }
        var outs = zip(handles, rooms).map { handle, room in
            room.initialize(repeating: 0, count: 2 * count)
            var out = DirectOut(handle.1, handle.0 != .monitor && isPre ? .pre : .post, channels: 2)
            (out.buffers[0], out.buffers[1]) = (room, room + count)
            return out
        }
        let master = outs.withUnsafeMutableBufferPointer {
            mix(engine, count, DirectOuts($0.baseAddress!, count: $0.count))
        }
        let unheard = mix(plain, count, nil)
        for side in 0..<2 {
            guard let frame = (0..<count).first(where: { master[side][$0] != unheard[side][$0] }) else {
                continue
            }
            return
                """
                the mix at \(done + frame): \(master[side][frame]), not \(unheard[side][frame]): \
                \(said.suffix(4))
                """
        }
        let heard = Dictionary(uniqueKeysWithValues: zip(handles.map(\.0), rooms))
        defer { done += count }
        if done < quiet { return nil }
        for frame in 0..<count {
            guard let sides = source(soloed.map(\.id), heard, master, frame, count) else { return nil }
            var expected = sides.map { $0 * (session.monitoring.isMuted ? 0 : session.monitoring.gain) }
            if session.monitoring.isMono {
                expected = Array(repeating: (expected[0] + expected[1]) / 2, count: 2)
            }
            for side in 0..<2 {
                let sample = Double(heard[.monitor]![side * count + frame])
                if abs(sample - expected[side]) > 2e-6 {
                    return
                        "side \(side) at \(done + frame): \(sample), not \(expected[side]): \(said.suffix(4))"
                }
                if sample != 0 { compared += 1 }
            }
        }
        return nil
    }

    /// What is listened to, at one frame; nil where there is no monitor, or nothing to compare with.
    private func source(
        _ soloed: [StripID], _ heard: [StripID: UnsafeMutablePointer<Float>], _ master: [[Float]],
        _ frame: Int, _ count: Int
    ) -> [Double]? {
        func strips(_ ids: [StripID]) -> [Double]? {
            // Their own ports do not wait for the limiter.
            if isLate { return nil }
            return (0..<2).map { side in ids.reduce(0) { $0 + Double(heard[$1]![side * count + frame]) } }
        }
        guard heard[.monitor] != nil else { return nil }
        if !soloed.isEmpty { return strips(soloed) }
        switch session.monitoring.source {
        case .solo: return [0, 0]
        case .master: return master.map { Double($0[frame]) }
        case .strip(let id): return strips([id])
        }
    }
}

@Suite struct MonitorModelTests {
    @Test func theMonitorHearsTheMixAndLeavesItAsItIs() throws {
        let count: Int = environmentNumber("JMIX_MONITOR_SEQUENCES") ?? 40
        let first = firstSeed("JMIX_MONITOR_SEED")
        let folder = TemporaryFolder()
        for number in 0..<3 {
            let step = Float(number + 1) / 7
            _ = try folder.file("\(number).wav", frames: 30000) { frame -> (Float, Float) in
                let angle = Float(frame) * step / 100
                return (sin(angle) / 4, cos(2 * angle) / 5)
            }
        }
        var compared = 0
        for seed in first..<first + UInt64(count) {
            let duel = try MonitorDuel(seed: seed, library: folder.library)
            let wrong = duel.run()
            #expect(wrong == nil, "JMIX_MONITOR_SEED=\(seed)")
            compared += duel.compared
            if wrong != nil { break }
        }
        #expect(compared > 1000 * count, "of seed \(first)")
    }
}
