import AudioFile
import Engine
import Foundation
import Realtime
import TestSupport
import Testing
import Timeline

/// A show with microphones that come in late: what the master's ports gave while it was recorded is what the
/// session as it was aired renders to. The oracle is the live mix itself.
final class AiredShow {
    static let rate: Int32 = 48000
    let engine = PlaybackEngine(sampleRate: AiredShow.rate)
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
                        start: MediaTime(frame: 900, rate: AiredShow.rate),
                        end: MediaTime(frame: 9000, rate: AiredShow.rate)))
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
            processors.delay = MediaTime(
                value: [1, 700, 9000].randomElement(using: &seed)!, timescale: AiredShow.rate)
        }
        if chance(4) {
            processors.limiter = Limiter()
            processors.limiter!.level = -12
        }
    }

    deinit { engine.close() }

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
        engine.close()
        takes = engine.takeFinishedTakes()
        var session = session
        let ruler = folder.library.ruler(atRate: AiredShow.rate)
        for take in takes {
            var clip = Clip(file: take.path)
            (clip.at, clip.duration) = (
                MediaTime(frame: take.start, rate: AiredShow.rate),
                MediaTime(frame: take.frames, rate: AiredShow.rate)
            )
            clip.aired = MediaTime(frame: take.aired, rate: AiredShow.rate)
            let index = session.tracks.firstIndex { $0.id == take.track }!
            try session.tracks[index].overwrite(with: clip, ruler: ruler)
        }
        return session
    }
}
