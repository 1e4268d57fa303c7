import AudioFile
import Engine
import Foundation
import Realtime
import TestSupport
import Testing
import Timeline

private let rate: Int32 = 48000

/// A show with microphones that come in late: what the master's ports gave while it was recorded is what the
/// session as it was aired renders to. The oracle is the live mix itself.
private final class Show {
    let engine = PlaybackEngine(sampleRate: rate)
    let folder = TemporaryFolder()
    var session: Session
    private let mics: Int
    private let period: Int
    private var clock = 0
    /// What the master's ports have given since `play`.
    private(set) var aired: (left: [Float], right: [Float]) = ([], [])
    private(set) var takes: [Take] = []

    /// - Parameter hasProcessors: what goes through it remembers what it heard, wherever that is possible.
    init(_ seed: inout Seeded, latency: Int? = nil, hasProcessors: Bool = false) throws {
        func pick<T>(_ choices: [T]) -> T { choices.randomElement(using: &seed)! }
        let factor = Float.random(in: 0.1...0.4, using: &seed)
        try folder.file("a.wav", frames: 60_000) {
            (Float(($0 &* 7919) % 4096 - 2048) * factor / 2048, Float(($0 &* 104_729) % 4096) / 8192)
        }
        try folder.file("key.wav", frames: 60_000) { $0 / 3000 % 2 == 0 ? (0.5, 0.5) : (0, 0) }
        session = try .of("a.wav")
        mics = pick([1, 1, 2, 3])
        period = hasProcessors ? pick([64, 256, 480, 2048]) : 256
        for number in 0..<mics {
            var mic = Track(name: "mic\(number)")
            mic.input = Input(channels: pick([1, 2]))
            (mic.monitor, mic.isArmed) = (pick([.auto, .input]), true)
            (mic.fader, mic.pan, mic.trim) = (pick([1, 0.3]), pick([0, 0, -0.4]), pick([1, 0.5]))
            if pick([true, false]) {
                try mic.automation.setRamp(
                    from: 0.2, to: 0.9,
                    over: TimeRange(
                        start: MediaTime(frame: 900, rate: rate), end: MediaTime(frame: 9000, rate: rate)))
            }
            session.append(mic)
        }
        engine.takesFolder = folder("takes")
        for index in 0..<mics {
            engine.setLatency(
                latency ?? pick([0, 1, 256, 700, 2048, 5000]), ofTrack: session.tracks[1 + index].id)
        }
        // Something that looks ahead makes the mix late as a whole.
        if pick([true, false]) {
            var key = Track(name: "key")
            key.clips = [Clip(file: "key.wav")]
            key.output = .none
            session.append(key)
            var duck = Duck(track: session.tracks[0].id, under: key.id, to: 0.3)
            (duck.trigger, duck.lookahead) = (.signal, MediaTime(value: pick([1, 5]), timescale: 1000))
            session.ducks = [duck]
        }
        if hasProcessors { equip(&seed) }
        engine.apply(session, library: folder.library)
    }

    /// Processors on all kinds of strips, buses on the way, sends that come late, ducks and an automix.
    private func equip(_ seed: inout Seeded) {
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &seed) == 0 }
        let (voices, echo) = (session.addBus(named: "voices"), session.addBus(named: "echo"))
        if chance(2) { session[.bus(1)].automix = Automix() }
        for number in 0..<mics where chance(2) { session.tracks[1 + number].output = .bus(voices) }
        for place in session.places {
            if place.kind == .track, chance(3) {
                session.setSend(of: place, to: echo) { $0.volume = 0.3 }
            }
            setProcessors(&session[place].processors, &seed)
        }
        if chance(2) {
            var duck = Duck(track: session.tracks[0].id, under: session.tracks[1].id, to: 0.3)
            duck.trigger = .signal
            duck.lookahead = MediaTime(value: [0, 3].randomElement(using: &seed)!, timescale: 1000)
            session.ducks.append(duck)
        }
    }

    private func setProcessors(_ processors: inout Processors, _ seed: inout Seeded) {
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &seed) == 0 }
        if chance(3) {
            var gate = Gate()
            (gate.threshold, gate.range, gate.hold) = (
                [-30, -12].randomElement(using: &seed)!, 20, MediaTime(value: 3, timescale: 1000)
            )
            processors.gate = gate
        }
        if chance(3) {
            var equaliser = Equaliser()
            (equaliser.highPass, equaliser.bands[1].gain) = (Equaliser.Pass(frequency: 90), 6)
            processors.equaliser = equaliser
        }
        if chance(2) {
            var compressor = Compressor()
            (compressor.threshold, compressor.release) = (-30, MediaTime(value: 400, timescale: 1000))
            processors.compressor = compressor
        }
        if chance(4) {
            processors.delay = MediaTime(value: [1, 700, 9000].randomElement(using: &seed)!, timescale: rate)
        }
        if chance(4) {
            processors.limiter = Limiter()
            processors.limiter!.level = -12
        }
    }

    deinit { engine.end() }

    func render(_ frames: Int) {
        var done = 0
        while done < frames {
            let count = min(period, frames - done)
            engine.waitUntilFilled()
            let buffers = (0..<mics).map { mic -> UnsafeMutablePointer<Float> in
                let buffer = UnsafeMutablePointer<Float>.allocate(capacity: 2 * count)
                for i in 0..<count {
                    buffer[i] = Oracle.sample(mic, clock + i)
                    buffer[count + i] = Oracle.sample(mic + 7, clock + i)
                }
                return buffer
            }
            defer { for buffer in buffers { buffer.deallocate() } }
            var ins = (0..<mics).map { mic -> DirectIn in
                var direct = DirectIn(engine.stripHandle(session.tracks[1 + mic].id)!)
                let isMono = session.tracks[1 + mic].input?.channels == 1
                (direct.buffers[0], direct.buffers[1]) = (
                    buffers[mic], buffers[mic] + (isMono ? 0 : count)
                )
                return direct
            }
            var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
            ins.withUnsafeMutableBufferPointer {
                engine.mixer.audioSide.render(
                    &left, &right, count, waits: true, ins: DirectIns($0.baseAddress!, count: mics))
            }
            if engine.isRolling || !aired.left.isEmpty { aired = (aired.left + left, aired.right + right) }
            (clock, done) = (clock + count, done + count)
            engine.poll()
        }
    }

    /// What comes is as if nothing had been given yet.
    func forget() { aired = ([], []) }

    /// The session with its takes.
    func recorded() throws -> Session {
        engine.end()
        takes = engine.takeFinishedTakes()
        var session = session
        let ruler = folder.library.ruler(atRate: rate)
        for take in takes {
            var clip = Clip(file: take.path)
            (clip.at, clip.duration) = (
                MediaTime(frame: take.start, rate: rate), MediaTime(frame: take.frames, rate: rate)
            )
            clip.aired = MediaTime(frame: take.aired, rate: rate)
            let index = session.tracks.firstIndex { $0.id == take.track }!
            try session.tracks[index].overwrite(with: clip, ruler: ruler)
        }
        return session
    }
}

@Suite struct AiredTests {
    private func mix(
        _ session: Session, _ folder: TemporaryFolder, _ frames: Range<Int64>
    ) throws -> (
        left: [Float], right: [Float]
    ) {
        let aired = AiredSession(session, library: folder.library)
        #expect(aired.missing.isEmpty)
        var sides: (left: [Float], right: [Float]) = ([], [])
        var render = OfflineRender(aired.session, library: aired.library, frames: frames)
        render.recalls = aired.recalls
        try render.mixSides {
            left, right, count, _ in
            sides.left += UnsafeBufferPointer(start: left, count: count)
            sides.right += UnsafeBufferPointer(start: right, count: count)
            return true
        }
        return sides
    }

    /// Whatever the latencies, from the first frame to the last.
    @Test(arguments: 0..<40) func aShowRendersAsItWasAired(number: UInt64) throws {
        var seed = Seeded(state: 4711 &+ number &* 7919)
        let show = try Show(&seed)
        let start = Int64([0, 3000].randomElement(using: &seed)!)
        show.engine.locate(start)
        show.render(8192)
        show.engine.record(0..<Int64.max)
        show.engine.play()
        show.render(12_800)
        let end = show.engine.frame
        show.engine.stop()
        show.render(8192)
        var session = try show.recorded()
        // A cut changes nothing of what is heard.
        let cut = MediaTime(frame: Int64.random(in: start + 1..<end, using: &seed), rate: rate)
        for index in session.tracks.indices where session.tracks[index].input != nil {
            _ = try session.tracks[index].split(at: cut, ruler: show.folder.library.ruler(atRate: rate))
        }
        let lag = show.engine.lag
        let (left, right) = try mix(session, show.folder, start..<end - Int64(lag))
        let wrong = left.indices.first {
            left[$0] != show.aired.left[$0 + lag] || right[$0] != show.aired.right[$0 + lag]
        }
        let place = wrong ?? 0
        #expect(
            wrong == nil,
            """
            seed \(number), lag \(lag), latencies \(show.takes.map(\.aired)): frame \(place) of \
            \(left.count) \
            is \(left[place]), \(right[place]); on air it was \(show.aired.left[place + lag]), \
            \(show.aired.right[place + lag])
            """)
    }

    /// How a show comes to be recorded.
    enum Beginning: CaseIterable {
        /// Playing begins where it stands, or was just sent to; or goes on where it was stopped.
        case play, locateAndPlay, playOn
        /// While it plays: all of it, or from a frame on.
        case record, punch
    }

    /// Whatever remembers what it heard before: `JMIX_SHOWS` says how many shows; `JMIX_SEED` where they
    /// begin.
    @Test(arguments: Beginning.allCases) func aShowWithProcessorsRendersAsItWasAired(
        beginning: Beginning
    ) throws {
        let environment = ProcessInfo.processInfo.environment
        let number = environment["JMIX_SHOWS"].flatMap { UInt64($0) } ?? 40
        let first = environment["JMIX_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64(UInt32.max))
        for seed in first..<first + number { try compare(seed, beginning) }
    }

    private func compare(_ number: UInt64, _ beginning: Beginning) throws {
        var seed = Seeded(state: number)
        let show = try Show(&seed, hasProcessors: true)
        var start = Int64([0, 3000].randomElement(using: &seed)!)
        if beginning != .locateAndPlay { show.engine.locate(start) }
        show.render(8192)
        var settles: Int64 = 0
        switch beginning {
        case .play: show.engine.record(0..<Int64.max)
        case .locateAndPlay:
            show.engine.record(0..<Int64.max)
            start = 5000
            show.engine.locate(start)
            settles = 240
        case .playOn:
            show.engine.play()
            show.render(Int.random(in: 1...5000, using: &seed))
            show.engine.stop()
            show.render(8192)
            start = show.engine.frame
            show.engine.record(0..<Int64.max)
            settles = 240
        case .record, .punch: break
        }
        show.forget()
        show.engine.play()
        let origin = start
        if beginning == .record || beginning == .punch {
            let rolled = Int.random(in: 1...3000, using: &seed)
            start += Int64(rolled)
            if beginning == .punch { show.engine.record(start..<Int64.max) }
            show.render(rolled)
            if beginning == .record { show.engine.record(0..<Int64.max) }
        }
        show.render(12_800)
        let end = show.engine.frame
        show.engine.stop()
        show.render(8192)
        let session = try show.recorded()
        let lag = show.engine.lag
        let from = [start, 0, start + 5000].randomElement(using: &seed)!
        let (left, right) = try mix(session, show.folder, from..<end - Int64(lag))
        let wrong = (max(from, start + settles)..<end - Int64(lag)).first { frame in
            let (place, aired) = (Int(frame - from), Int(frame - origin) + lag)
            return left[place] != show.aired.left[aired] || right[place] != show.aired.right[aired]
        }
        #expect(
            wrong == nil,
            "\(beginning), seed \(number), lag \(lag), recorded from \(start), mixed from \(from)")
    }

    /// Whatever stands in the place of what strips remembered: it is passed over, or heard as numbers.
    @Test func memoriesThatAreNone() throws {
        let first = UInt64.random(in: 0...UInt64(UInt32.max))
        for number in first..<first + 60 {
            var seed = Seeded(state: number)
            let show = try Show(&seed, hasProcessors: true)
            show.render(2048)
            show.engine.record(0..<Int64.max)
            show.engine.play()
            show.render(4096)
            show.engine.stop()
            show.render(8192)
            let session = try show.recorded()
            let file = URL(fileURLWithPath: try #require(show.takes.first).path)
            var bytes = try Data(contentsOf: file)
            guard let chunk = bytes.range(of: Data("jmxm".utf8)) else { continue }
            for _ in 0..<Int.random(in: 1...40, using: &seed) {
                let place = Int.random(in: chunk.upperBound + 4..<bytes.count, using: &seed)
                bytes[place] = [0, 0x7f, 0xff, UInt8.random(in: 0...255, using: &seed)].randomElement(
                    using: &seed)!
            }
            try bytes.write(to: file)
            let (left, _) = try mix(session, show.folder, 0..<4000)
            #expect(left.count == 4000, "seed \(number)")
            // One that is gone is told of.
            bytes.replaceSubrange(chunk, with: Data("none".utf8))
            try bytes.write(to: file)
            let forgetful = AiredSession(session, library: show.folder.library).forgetful
            let isLate =
                show.takes.first!.aired > 0
                && session.tracks.first { $0.id == show.takes.first!.track }!.monitor != .clips
            #expect(forgetful.isEmpty != isLate, "seed \(number)")
        }
    }

    /// A punch in the middle of a show.
    @Test(arguments: [0, 700, 3000]) func aPunchRendersAsItWasAired(latency: Int) throws {
        var seed = Seeded(state: UInt64(latency))
        let show = try Show(&seed)
        show.engine.record(4000..<9000)
        show.engine.play()
        show.render(20_480)
        show.engine.stop()
        show.render(8192)
        let lag = show.engine.lag
        let (left, right) = try mix(try show.recorded(), show.folder, 4000..<9000)
        #expect(left == Array(show.aired.left[4000 + lag..<9000 + lag]))
        #expect(right == Array(show.aired.right[4000 + lag..<9000 + lag]))
    }

    /// A pass that is over before anything that was played in it has come in.
    @Test(arguments: [100, 1024, 2047]) func aPassThatIsShorterThanTheLatency(frames: Int) throws {
        var seed = Seeded(state: 3)
        let show = try Show(&seed, latency: 2048)
        show.engine.record(4000..<4000 + Int64(frames))
        show.engine.play()
        show.render(20_480)
        show.engine.stop()
        show.render(8192)
        let lag = show.engine.lag
        let (left, right) = try mix(try show.recorded(), show.folder, 4000..<4000 + Int64(frames))
        #expect(left == Array(show.aired.left[4000 + lag..<4000 + frames + lag]))
        #expect(right == Array(show.aired.right[4000 + lag..<4000 + frames + lag]))
    }

    /// A take that holds nothing of what came before it says so, and is silent there.
    @Test func whatAFileDoesNotHoldIsSilentAndSaid() throws {
        let folder = TemporaryFolder()
        try folder.file("mic.wav", frames: 4000) { numbered($0) }
        var session = Session()
        var (track, clip) = (Track(name: "mic"), Clip(file: "mic.wav"))
        (track.input, clip.aired) = (Input(), MediaTime(frame: 1000, rate: rate))
        track.clips = [clip]
        session.append(track)
        let aired = AiredSession(session, library: folder.library)
        #expect(aired.missing.map(\.file) == ["mic.wav"] && aired.missing.map(\.frames) == [1000])
        let length = aired.session.tracks[0].clips[0].duration
        #expect(length == MediaTime(frame: 4000, rate: rate))
        var left: [Float] = []
        try OfflineRender(aired.session, library: aired.library, frames: 0..<4000).mixSides {
            samples, _, count, _ in
            left += UnsafeBufferPointer(start: samples, count: count)
            return true
        }
        #expect(left == (0..<4000).map { $0 < 1000 ? 0 : numbered($0 - 1000).0 })
    }

    /// The file of a take is what it is without its lead: other programs read the take alone.
    @Test func aLeadIsNoPartOfTheSound() throws {
        let folder = TemporaryFolder()
        for (number, count) in [(1, 3), (2, 100_000)] {
            let lead = (0..<2 * count).map { Float($0) / 0x1p20 }
            let writer = try TakeWriter(
                folder: folder.path, name: "mic", places: [0, 1], sampleRate: rate, start: 5, lead: lead)
            let block = (0..<1000).map { Float($0) }
            try writer.write(left: block, right: block, count: 1000)
            try writer.finish()
            #expect(writer.path == folder("mic-\(number).wav"))
            let file = try SoundFile(path: writer.path)
            #expect(file.frames == 1000)
            let (source, missing) = try AiredTake.source(writer.path) { _ in Int64(count) }
            #expect(missing == 0 && source.frames == Int64(count + 1000))
            var samples = [Float](repeating: 0, count: 2 * (count + 1000))
            let done = try source.read(from: 0, count: count + 1000, into: &samples)
            #expect(done == count + 1000 && Array(samples[..<(2 * count)]) == lead)
            #expect(samples[(2 * count)...].enumerated().allSatisfy { $1 == Float($0 / 2) })
            // As its header says it is as long as it is.
            let bytes = try Data(contentsOf: URL(fileURLWithPath: writer.path))
            let length = bytes[4..<8].enumerated().reduce(0) { $0 | Int($1.1) << (8 * $1.0) }
            #expect(bytes.count == length + 8)
        }
    }
}
