import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// Automixes as `Automix` describes them, slow and one frame after the other, beside the engine: members that
/// come, go, change sides, are muted, weighed anew, located, stopped and played, in random order and in
/// blocks of any length.
private final class AutomixDuel {
    private var dice: Seeded
    private let stepper = Stepper()
    private let library: MediaLibrary
    private var session = Session()
    private var said: [String] = []
    /// Up to this frame something is on its way.
    private var quiet = 0
    private var position = 0
    private var isRolling = false
    /// Frames until a stop is over.
    private var fading = 0
    /// What each member stands at.
    private var stands: [StripID: Double] = [:]
    private static let fade = 240

    init(seed: UInt64, library: MediaLibrary) throws {
        (dice, self.library) = (Seeded(state: seed), library)
        for name in ["p", "q"] { session.addBus(named: name, layout: chance(3) ? .mono : .stereo) }
        for number in 0..<5 {
            var track = Track(name: "t\(number)")
            track.clips = [Clip(file: "\(number).wav")]
            session.append(track)
            reroute(number)
        }
        for index in 0..<2 where chance(2) { session[.bus(index + 1)].automix = automix() }
        stepper.engine.apply(session, library: library)
        stepper.settle()
    }

    private func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }
    private func time() -> MediaTime {
        MediaTime(value: Int64.random(in: 0...20000, using: &dice), timescale: 48000)
    }

    private func automix() -> Automix {
        var automix = Automix()
        (automix.attack, automix.release, automix.isOn) = (time(), time(), !chance(5))
        return automix
    }

    private func reroute(_ number: Int) {
        let outputs = session.buses.map { Output.bus($0.id) } + [.bus(session.buses[0].id), .master]
        session.tracks[number].strip.output = outputs.randomElement(using: &dice)!
    }

    private func change() {
        let number = Int.random(in: 0..<5, using: &dice)
        let engine = stepper.engine
        var edited = true
        switch Int.random(in: 0..<11, using: &dice) {
        case 0, 1: reroute(number)
        case 2:
            session.tracks[number].strip.automixing.weight =
                chance(6) ? 0 : Double.random(in: 0.1...10, using: &dice)
        case 3: session.tracks[number].strip.automixing.priority = Double(Int.random(in: 0...4, using: &dice))
        case 4: session.tracks[number].strip.automixing.isIn = !chance(3)
        case 5: session.tracks[number].strip.mute.toggle()
        case 6: session.tracks[number].strip.fader = Double.random(in: 0...1, using: &dice)
        case 7: session[.bus(Int.random(in: 1...2, using: &dice))].automix = chance(4) ? nil : automix()
        default:
            edited = false
            move(engine)
        }
        if edited {
            said.append("edit")
            engine.apply(session, library: library)
        }
        stepper.settle()
        quiet = stepper.left.count + 2 * Self.fade + 16
    }

    /// Plays, stops, or goes elsewhere.
    private func move(_ engine: PlaybackEngine) {
        if chance(2) {
            let target = Int.random(in: 0..<60000, using: &dice)
            said.append("locate \(target)")
            engine.locate(Int64(target))
            position = target
            if isRolling { stands = [:] }
        } else if isRolling {
            said.append("stop")
            engine.stop()
            fading = Self.fade
        } else {
            said.append("play")
            engine.play()
            (isRolling, stands) = (true, [:])
        }
    }

    func run() -> String? {
        for _ in 0..<80 {
            if stepper.left.count >= quiet { change() }
            let done = stepper.left.count
            let count = Int.random(in: 1...700, using: &dice)
            stepper.render(count)
            for frame in done..<done + count {
                let expected = next()
                let heard = (Double(stepper.left[frame]), Double(stepper.right[frame]))
                let error = max(abs(heard.0 - expected.0), abs(heard.1 - expected.1))
                if frame >= quiet, error > 2e-6 {
                    return "\(heard) at \(frame), not \(expected): \(said.suffix(6))"
                }
            }
        }
        return nil
    }

    /// The next frame, by the formulas.
    private func next() -> (Double, Double) {
        let parts = session.automixes.map { _, automix, members in (automix, members.map(\.id)) }
        var gains: [StripID: Double] = [:]
        var kept: [StripID: Double] = [:]
        for (automix, members) in parts {
            for id in members { kept[id] = follow(id, automix) }
            let shares = members.map { share($0, kept[$0]!) }
            let sum = shares.reduce(0, +)
            for (id, share) in zip(members, shares) { gains[id] = sum > 0 ? share / sum : 0 }
        }
        // Who takes part nowhere forgets.
        stands = kept
        var sum = (0.0, 0.0)
        for (number, track) in session.tracks.enumerated() where !track.mute && isRolling {
            let sample = sound(number)
            let gain = track.strip.fader * (gains[track.id] ?? 1)
            sum = (sum.0 + gain * sample.left, sum.1 + gain * sample.right)
        }
        if isRolling { position += 1 }
        if fading > 0 {
            fading -= 1
            if fading == 0 { isRolling = false }
        }
        return sum
    }

    private func follow(_ id: StripID, _ automix: Automix) -> Double {
        let (level, state) = (isRolling ? sound(session.index(of: id)!).level : 0, stands[id] ?? 0)
        let frames = (level > state ? automix.attack : automix.release).seconds * 48000
        let rest = frames > 0 ? exp(-1 / frames) : 0
        return rest * state + (1 - rest) * level
    }

    private func share(_ id: StripID, _ stand: Double) -> Double {
        let strip = session.tracks[session.index(of: id)!].strip
        return strip.mute ? 0 : strip.automixing.weight * pow(10, strip.automixing.priority) * (stand + 1e-6)
    }

    /// What a track plays where it is heard: a mono bus gives half of both sides to each.
    private func sound(_ number: Int) -> (left: Double, right: Double, level: Double) {
        let (left, right) = Self.sample(number, position)
        let level = Double(abs(left))
        if case .bus(let id) = session.tracks[number].output, session.layout(of: id) == .mono {
            let half = Double(left + right) / 2
            return (half, half, level)
        }
        return (Double(left), Double(right), level)
    }

    /// What its file holds.
    static func sample(_ number: Int, _ frame: Int) -> (Float, Float) {
        if frame < 0 || frame >= 100_000 { return (0, 0) }
        let loud: [Float] = [0, 0.5, 0.02, 0.25, 0]
        let value = Float((frame &* (2 * number + 3)) % 255 - 127) / 1024 * loud[(frame / 3000 + number) % 5]
        return (value, -value / 2)
    }
}

@Suite struct AutomixModelTests {
    @Test func sharesAreAsTheFormulaSaysWhoeverComesAndGoes() throws {
        let count: Int = environmentNumber("JMIX_AUTOMIX_SEQUENCES") ?? 60
        let first = firstSeed("JMIX_AUTOMIX_SEED")
        let folder = TemporaryFolder()
        for number in 0..<5 {
            _ = try folder.file("\(number).wav", frames: 100_000) { AutomixDuel.sample(number, $0) }
        }
        for seed in first..<first + UInt64(count) {
            let wrong = try AutomixDuel(seed: seed, library: folder.library).run()
            #expect(wrong == nil, "JMIX_AUTOMIX_SEED=\(seed)")
            if wrong != nil { break }
        }
    }

    /// All are as loud: whoever takes more of it, and while that changes, they are together as loud as one.
    @Test func allSharesTogetherAreOneAtEveryFrame() throws {
        var dice = Seeded(state: 77)
        let folder = TemporaryFolder()
        _ = try folder.file("a.wav", frames: 200_000) { _ in (0.25, -0.5) }
        var session = Session()
        let bus = session.addBus(named: "panel")
        for number in 0..<5 {
            var track = Track(name: "t\(number)")
            (track.clips, track.strip.output) = ([Clip(file: "a.wav")], .bus(bus))
            session.append(track)
        }
        session[.bus(1)].automix = Automix()
        let stepper = Stepper(playing: session, folder)
        stepper.render(4000)
        for _ in 0..<200 {
            let number = Int.random(in: 0..<5, using: &dice)
            session.tracks[number].strip.automixing.weight = Double.random(in: 0.1...10, using: &dice)
            session.tracks[number].strip.automixing.priority = Double(Int.random(in: 0...4, using: &dice))
            stepper.engine.apply(session, library: folder.library)
            stepper.settle()
            stepper.render(Int.random(in: 1...900, using: &dice))
        }
        #expect(stepper.left.dropFirst(3000).allSatisfy { abs($0 - 0.25) < 1e-6 })
        #expect(stepper.right.dropFirst(3000).allSatisfy { abs($0 + 0.5) < 1e-6 })
    }
}
