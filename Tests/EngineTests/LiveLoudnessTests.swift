import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// What the master measures while it plays, with the signals of EBU Tech 3341 (minimum requirements, table 1)
/// and Tech 3342 (table 1) and their tolerances.
@Suite struct LiveLoudnessTests {
    /// A tone of 1 kHz on both sides: so many seconds of each level in dBFS.
    struct Signal: Sendable {
        let parts: [(level: Double, seconds: Double)]

        init(_ parts: (Double, Double)...) { self.parts = parts.map { (level: $0.0, seconds: $0.1) } }

        var frames: Int { parts.reduce(0) { $0 + Int($1.seconds * 48_000) } }

        func amplitude(at frame: Int) -> Double {
            var end = 0
            for part in parts {
                end += Int(part.seconds * 48_000)
                if frame < end { return pow(10, part.level / 20) }
            }
            return 0
        }
    }

    /// Plays it to its end, and reads as a meter does, ten times a second.
    private func play(_ signal: Signal, _ read: (Double, LoudnessReading) -> Void) throws {
        let folder = TemporaryFolder()
        try folder.file("tone.wav", frames: signal.frames) { n in
            let sample = Float(signal.amplitude(at: n) * sin(2 * .pi * 1000 * Double(n) / 48_000))
            return (sample, sample)
        }
        let stepper = Stepper(playing: Session.of("tone.wav") { _ in }, folder)
        _ = stepper.engine.loudness(of: .master)
        for step in 1...signal.frames / 4800 {
            stepper.render(4800)
            read(Double(step) / 10, try #require(stepper.engine.loudness(of: .master)))
        }
    }

    @Test(arguments: [
        Signal((-23, 20)), Signal((-36, 10), (-23, 60), (-36, 10)),
        Signal((-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)),
        Signal((-26, 20), (-20, 20.1), (-26, 20)),
    ])
    func integrated(_ signal: Signal) throws {
        var last: LoudnessReading?
        try play(signal) { last = $1 }
        #expect(abs(try #require(last).integrated + 23) <= 0.1)
    }

    @Test(arguments: [(Signal((-23, 20)), -23.0), (Signal((-33, 20)), -33.0)])
    func steadyTones(_ signal: Signal, _ level: Double) throws {
        try play(signal) { seconds, reading in
            if seconds > 0.5 { #expect(abs(reading.momentary - level) <= 0.1) }
            if seconds > 3.1 { #expect(abs(reading.shortTerm - level) <= 0.1) }
        }
    }

    /// Case 9: -20 dBFS for 1.34 s, -30 dBFS for 1.66 s, five times: short-term stays at -23.
    @Test func shortTerm() throws {
        let turn = [(-20.0, 1.34), (-30.0, 1.66)]
        let signal = Signal(parts: Array(repeating: turn, count: 5).flatMap { $0 })
        try play(signal) { seconds, reading in
            if seconds >= 3, seconds <= 15 { #expect(abs(reading.shortTerm + 23) <= 0.1, "\(seconds) s") }
        }
    }

    /// Case 12: -20 dBFS for 0.18 s, -30 dBFS for 0.22 s, twenty-five times: momentary stays at -23.
    @Test func momentary() throws {
        let turn = [(-20.0, 0.18), (-30.0, 0.22)]
        try play(Signal(parts: Array(repeating: turn, count: 25).flatMap { $0 })) { seconds, reading in
            if seconds >= 1, seconds <= 10 { #expect(abs(reading.momentary + 23) <= 0.1, "\(seconds) s") }
        }
    }

    @Test(arguments: [
        (Signal((-20, 20), (-30, 20)), 10.0), (Signal((-20, 20), (-15, 20)), 5.0),
        (Signal((-40, 20), (-20, 20)), 20.0),
        (Signal((-50, 20), (-35, 20), (-20, 20), (-35, 20), (-50, 20)), 15.0),
    ])
    func range(_ signal: Signal, _ range: Double) throws {
        var last: LoudnessReading?
        try play(signal) { last = $1 }
        #expect(abs(try #require(last).range - range) <= 1)
    }

    /// Cases 15 to 18: a tone at a quarter of the rate whose samples lie beside its peaks by so much: its
    /// true peak is -6 dBTP.
    @Test(arguments: [0.0, 45, 60, 67.5])
    func truePeak(_ degrees: Double) throws {
        let folder = TemporaryFolder()
        try folder.file("tone.wav", frames: 48_000) { n in
            // What begins and ends softly has no peaks of its own there.
            let edge = min(1, Double(min(n, 48_000 - n)) / 4800)
            let sample = Float(0.5 * edge * sin(.pi / 2 * Double(n) + degrees * .pi / 180))
            return (sample, sample)
        }
        let stepper = Stepper(playing: Session.of("tone.wav") { _ in }, folder)
        _ = stepper.engine.loudness(of: .master)
        for _ in 0..<10 { stepper.render(4800) }
        let level = try #require(stepper.engine.loudness(of: .master)).truePeak
        #expect(level >= -6.4 && level <= -5.8, "\(level) dBTP")
    }

    /// A ring holds a second and more: what comes while nobody reads for as long is left out, and what is
    /// measured goes on.
    @Test func aSlowReaderMeasuresOn() throws {
        let folder = TemporaryFolder()
        try folder.file("tone.wav", frames: 480_000) { n in
            let sample = Float(0.1 * sin(2 * .pi * 1000 * Double(n) / 48_000))
            return (sample, sample)
        }
        let stepper = Stepper(playing: Session.of("tone.wav") { _ in }, folder)
        _ = stepper.engine.loudness(of: .master)
        for _ in 0..<80 { stepper.render(4800) }
        for _ in 0..<10 {
            stepper.render(4800)
            _ = stepper.engine.loudness(of: .master)
        }
        #expect(abs(try #require(stepper.engine.loudness(of: .master)).momentary + 20) <= 0.1)
    }
}

extension LiveLoudnessTests.Signal {
    init(parts: [(Double, Double)]) { self.parts = parts.map { (level: $0.0, seconds: $0.1) } }
}
