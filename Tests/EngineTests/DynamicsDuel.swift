import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// A desk of a few tracks, beside the engine that plays it.
final class DynamicsDuel {
    private var dice: Seeded
    private let stepper = Stepper(diskThreads: 0)
    private let library: MediaLibrary
    private var session = Session()
    private var strips: [StripID: SlowStrip] = [:]
    /// The ducks that are heard, and those that were, with how many frames they are crossed over still.
    private var ducks: [Duck] = []
    private var ducksBefore: [Duck] = []
    private var crossing = 0
    private var isElsewhere = false
    private var position = 0
    private var positionBefore = 0
    private var clock = 0
    private var isRolling = false
    /// Frames of a stop's fade that are left.
    private var stopping = 0
    /// The frames of a fade from silence that are left, where playing goes on from where it stopped.
    private var rising = 0
    private var goesOn = false
    /// When it was played last.
    private var begun = 0
    private var said: [String] = []

    init(seed: UInt64, library: MediaLibrary) {
        (dice, self.library) = (Seeded(state: seed), library)
        for track in 0..<4 {
            var next = Track(name: "t\(track)")
            next.clips = [Clip(file: "\(track).wav")]
            if track == 3 { next.strip.output = .none }
            let id = session.append(next)
            strips[id] = SlowStrip()
        }
        stepper.engine.apply(session, library: library)
        stepper.settle()
    }

    static func sample(_ track: Int, _ frame: Int) -> Float {
        if frame < 0 || frame >= 40000 { return 0 }
        let loudness = [0, 0.001, 0.02, 0.1, 0.5, 0.9][Int(Seeded.number(track &* 977 &+ frame / 500) % 6)]
        return Float(loudness) * (Float(Seeded.number(frame &* 4 &+ track) % 2001) / 1000 - 1)
    }

    private func pick(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &dice) }
    private func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }
    private func time(_ longest: Int) -> MediaTime {
        MediaTime(value: chance(4) ? 0 : Int64.random(in: 0...Int64(longest), using: &dice), timescale: 48000)
    }

    // MARK: - What is asked

    private func randomCompressor(_ key: StripID?) -> Compressor {
        var compressor = Compressor()
        (compressor.threshold, compressor.ratio, compressor.knee) = (
            pick(-60...0), chance(5) ? 1000 : pick(1...20), chance(3) ? 0 : pick(0...24)
        )
        (compressor.attack, compressor.release, compressor.makeup, compressor.isOn) = (
            time(900), time(4000), pick(-6...12), !chance(4)
        )
        compressor.key = key
        return compressor
    }

    private func randomGate(_ key: StripID?) -> Gate {
        var gate = Gate()
        (gate.threshold, gate.hysteresis, gate.range) = (
            pick(-60...0), pick(0...12), chance(2) ? 120 : pick(0...60)
        )
        (gate.attack, gate.hold, gate.release, gate.isOn, gate.key) = (
            time(200), time(900), time(2000), !chance(4), key
        )
        return gate
    }

    private func rest(_ time: MediaTime) -> Double { time > .zero ? exp(-1 / (time.seconds * 48000)) : 0 }

    private func set(_ id: StripID, from old: Strip, to strip: Strip, over frames: Int, at moment: Int) {
        if old.delay != strip.delay {
            strips[id]!.delay.set(Int((strip.delay.seconds * 48000).rounded()), over: frames, at: moment)
        }
        if differ(old.compressor, strip.compressor) {
            let compressor = strip.compressor.flatMap { $0.isOn ? $0 : nil }
            strips[id]!.compressor.set(
                compressor.map {
                    [$0.threshold, $0.ratio == 1000 ? 1 : 1 - 1 / $0.ratio, $0.knee, $0.makeup, 1]
                }, over: frames, at: moment)
            if let compressor {
                (strips[id]!.compressor.growth, strips[id]!.compressor.decay) = (
                    rest(compressor.attack), rest(compressor.release)
                )
            }
        }
        if differ(old.gate, strip.gate) {
            let gate = strip.gate.flatMap { $0.isOn ? $0 : nil }
            strips[id]!.gate.set(
                gate.map {
                    [$0.threshold, $0.threshold - $0.hysteresis, $0.range == 120 ? 144 : $0.range, 1]
                }, over: frames, at: moment)
            if let gate {
                (strips[id]!.gate.growth, strips[id]!.gate.decay) = (rest(gate.release), rest(gate.attack))
                strips[id]!.gate.hold = Int((gate.hold.seconds * 48000).rounded())
            }
        }
    }

    /// Off stays off, and another key is no other number.
    private func differ<Processor: Dynamics>(_ old: Processor?, _ new: Processor?) -> Bool {
        func heard(_ processor: Processor?) -> Processor? {
            guard var processor, processor.isOn else { return nil }
            processor.key = nil
            return processor
        }
        return heard(old) != heard(new)
    }

    private var isStill: Bool { !isRolling && stopping == 0 }

    /// A track before another, by which it may go: no loop comes of that.
    private func key(of track: Int) -> StripID? {
        track < 3 && !chance(2) ? session.tracks[Int.random(in: track + 1...3, using: &dice)].id : nil
    }

    /// Numbers of gates and compressors; keys stay.
    private func turn() {
        let track = Int.random(in: 0..<4, using: &dice)
        let old = session.tracks[track].strip
        if chance(3) {
            session.tracks[track].strip.delay = time(700)
        } else if chance(2) {
            session.tracks[track].strip.compressor = randomCompressor(old.compressor?.key)
            if old.compressor == nil { session.tracks[track].strip.compressor!.key = nil }
        } else {
            session.tracks[track].strip.gate = randomGate(old.gate?.key)
        }
        let moment = chance(2) ? clock : clock + Int.random(in: 0...300, using: &dice)
        if moment > clock, old.compressor == nil || old.gate == nil || isStill {
            session.tracks[track].strip = old
            return
        }
        said.append("turn \(track) @\(moment)")
        stepper.engine.together(at: moment > clock ? Int64(moment) : nil) {
            stepper.engine.applyStrips(session, at: [.track(track + 1)])
        }
        let next = session.tracks[track].strip
        let frames = isStill ? 0 : 240
        if moment > clock {
            later.append(
                (
                    moment, track,
                    old.delay != next.delay ? .delay : old.gate != next.gate ? .gate : .compressor,
                    { [self] in set(next.id, from: old, to: next, over: frames, at: moment) }
                ))
        } else {
            setNow(track, from: old, to: next)
        }
    }

    /// What is asked for now overrules what was asked before it of the same for later.
    private func setNow(_ track: Int, from old: Strip, to next: Strip) {
        let differs: [Part: Bool] = [
            .gate: differ(old.gate, next.gate), .compressor: differ(old.compressor, next.compressor),
            .delay: old.delay != next.delay,
        ]
        later.removeAll { $0.track == track && differs[$0.part]! }
        set(next.id, from: old, to: next, over: isStill ? 0 : 240, at: clock)
    }

    /// What was asked for a later frame.
    private var later: [(at: Int, track: Int, part: Part, make: () -> Void)] = []

    private enum Part { case gate, compressor, delay }

    /// Keys and ducks: another plan.
    private func edit() {
        let before = session
        let track = Int.random(in: 0..<3, using: &dice)
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: session.tracks[track].strip.compressor = randomCompressor(key(of: track))
        case 1: session.tracks[track].strip.gate = randomGate(key(of: track))
        case 2: session.ducks.removeAll { _ in chance(2) }
        default:
            guard let under = key(of: track) else { return }
            var duck = Duck(
                track: session.tracks[track].id, under: under, to: chance(4) ? 1.5 : pick(0...0.9))
            (duck.trigger, duck.threshold, duck.attack, duck.hold, duck.release) = (
                .signal, pick(-60...(-6)), time(2000), time(2000), time(4000)
            )
            session.ducks.removeAll { $0.track == duck.track && $0.under == under }
            session.ducks.append(duck)
        }
        said.append("edit \(track)")
        stepper.engine.apply(session, library: library)
        stepper.settle()
        for index in 0..<4 {
            setNow(index, from: before.tracks[index].strip, to: session.tracks[index].strip)
        }
        (ducksBefore, ducks) = (ducks, session.ducks)
        if !isStill { crossing = 240 }
        for duck in ducks
        where !ducksBefore.contains(where: { $0.track == duck.track && $0.under == duck.under }) {
            strips[duck.track]!.ducks[duck.under] = .init()
        }
    }

    private func locate() {
        let place = Int.random(in: 0..<30000, using: &dice)
        said.append("locate \(place)")
        stepper.engine.locate(Int64(place))
        stepper.settle()
        if isStill {
            goesOn = false
        } else {
            (crossing, isElsewhere, positionBefore, ducksBefore) = (240, true, position, ducks)
        }
        position = place
        beginAnew()
    }

    private func beginAnew() {
        for id in strips.keys {
            (strips[id]!.gate.before, strips[id]!.gate.now) = (strips[id]!.gate.now, .init())
            (strips[id]!.compressor.before, strips[id]!.compressor.now) = (
                strips[id]!.compressor.now, .init()
            )
            strips[id]!.delay.begin()
            for key in strips[id]!.ducks.keys {
                strips[id]!.ducks[key] = .init(now: .init(), before: strips[id]!.ducks[key]!.now)
            }
        }
    }

    private func ask() {
        // A plan waits for the crossfade before it.
        let isFree = crossing == 0 && stopping == 0 && rising == 0
        switch Int.random(in: 0..<8, using: &dice) {
        case 0...2: turn()
        case 3, 4: if isFree { edit() }
        case 5: if isFree { locate() }
        case 6:
            if isRolling, isFree, clock > begun {
                said.append("stop")
                stepper.engine.stop()
                (isRolling, stopping, goesOn) = (false, 240, true)
            }
        default:
            if !isRolling, isFree {
                said.append("play")
                stepper.engine.play()
                begun = clock
                (isRolling, rising) = (true, goesOn ? 240 : 0)
                beginAnew()
            }
        }
    }

    // MARK: - A frame

    private struct Sound {
        var level = 0.0
        var sample = 0.0
    }

    /// A strip behind its processors: those that it goes by have been asked before.
    private func sound(_ track: Int, at position: Int, isBefore: Bool, _ known: [StripID: Sound]) -> Sound {
        let strip = session.tracks[track].strip
        var x = Double(Self.sample(track, position))
        func run(_ path: WritableKeyPath<SlowStrip, SlowStrip.Unit>, isGate: Bool, _ key: StripID?) {
            guard let numbers = strips[strip.id]![keyPath: path].value(clock) else { return }
            let level = key.map { known[$0]!.level } ?? abs(x)
            let unit = strips[strip.id]![keyPath: path]
            let memory = isBefore ? \SlowStrip.Unit.before : \.now
            x *= SlowStrip.gain(
                numbers, unit, isGate: isGate, &strips[strip.id]![keyPath: path.appending(path: memory)],
                level)
        }
        run(\.gate, isGate: true, strip.gate?.key)
        run(\.compressor, isGate: false, strip.compressor?.key)
        x = strips[strip.id]!.delay.heard(x, isBefore: isBefore, clock)
        return Sound(level: abs(x), sample: x)
    }

    private func duck(_ duck: Duck, isBefore: Bool, _ known: [StripID: Sound]) -> Double {
        var state =
            isBefore
            ? strips[duck.track]!.ducks[duck.under]!.before : strips[duck.track]!.ducks[duck.under]!.now
        if known[duck.under]!.level >= pow(10, duck.threshold / 20) {
            state.sinceHeard = 0
        } else if let since = state.sinceHeard {
            state.sinceHeard = since + 1 > Int((duck.hold.seconds * 48000).rounded()) ? nil : since + 1
        }
        let (goal, time) = state.sinceHeard == nil ? (1, duck.release) : (duck.to, duck.attack)
        let step = time > .zero ? abs(1 - duck.to) / (time.seconds * 48000) : .infinity
        state.gain = abs(goal - state.gain) <= step ? goal : state.gain + (goal > state.gain ? step : -step)
        if isBefore {
            strips[duck.track]!.ducks[duck.under]!.before = state
        } else {
            strips[duck.track]!.ducks[duck.under]!.now = state
        }
        return state.gain
    }

    private func frame() -> Double {
        for index in later.indices where later[index].at == clock { later[index].make() }
        later.removeAll { $0.at <= clock }
        for id in strips.keys {
            strips[id]!.gate.settle(clock)
            strips[id]!.compressor.settle(clock)
            strips[id]!.delay.go(clock)
        }
        defer { clock += 1 }
        if isStill { return 0 }
        var (now, before): ([StripID: Sound], [StripID: Sound]) = ([:], [:])
        let share = Double(crossing) / 240
        let crosses = crossing > 0 && isElsewhere
        // Each goes by those behind it.
        for track in (0..<4).reversed() {
            now[session.tracks[track].id] = sound(track, at: position, isBefore: false, now)
            if crosses {
                before[session.tracks[track].id] = sound(track, at: positionBefore, isBefore: true, before)
            }
        }
        // Every duck that is heard, or was, goes on, once.
        var gains: [String: Double] = [:]
        func name(_ duck: Duck) -> String { "\(duck.track.rawValue) \(duck.under.rawValue)" }
        for duck in ducks + (crossing > 0 ? ducksBefore : []) where gains[name(duck)] == nil {
            gains[name(duck)] = self.duck(duck, isBefore: false, now)
        }
        let gainsBefore =
            crosses
            ? Dictionary(
                uniqueKeysWithValues: ducksBefore.map { (name($0), self.duck($0, isBefore: true, before)) })
            : gains
        var sum = 0.0
        for track in 0..<3 {
            let id = session.tracks[track].id
            var (sample, gain) = (
                now[id]!.sample, ducks.filter { $0.track == id }.reduce(1) { $0 * gains[name($1)]! }
            )
            if crossing > 0 {
                if crosses { sample += (before[id]!.sample - sample) * share }
                gain +=
                    (ducksBefore.filter { $0.track == id }.reduce(1) { $0 * gainsBefore[name($1)]! } - gain)
                    * share
            }
            sum += sample * gain
        }
        sum *= stopping > 0 ? Double(stopping) / 240 : Double(240 - rising) / 240
        rising = max(0, rising - 1)
        crossing = max(0, crossing - 1)
        if crossing == 0 { isElsewhere = false }
        position += 1
        positionBefore += 1
        if stopping > 0 { stopping -= 1 }
        return sum
    }

    /// - Returns: what was wrong, or nil.
    func play(callbacks: Int) -> String? {
        for _ in 0..<callbacks {
            for _ in 0..<Int.random(in: 0...3, using: &dice) { ask() }
            let count = [1, 64, Int.random(in: 1...300, using: &dice), 700].randomElement(using: &dice)!
            let first = stepper.left.count
            stepper.engine.waitUntilFilled()
            while stepper.engine.pool.readPieces() {}
            stepper.render(count)
            for i in 0..<count {
                let wanted = frame()
                if abs(Double(stepper.left[first + i]) - wanted) > 3e-6 {
                    return
                        """
                        frame \(clock - 1) is \(stepper.left[first + i]) and not \(wanted)\n  \
                        \(said.joined(separator: ", "))
                        """
                }
            }
        }
        return nil
    }
}

extension Seeded {
    fileprivate static func number(_ n: Int) -> UInt64 {
        var seeded = Seeded(state: UInt64(bitPattern: Int64(n)))
        return seeded.next() >> 8
    }
}
