import Engine
import Foundation
import Realtime
import TestSupport
import Testing
import Timeline

private let fade = 240  // 5 ms at 48 kHz

/// What is set live, and the curves of what moves.
@Suite struct GainMixerTests {
    @Test func faderMutePanAndSoloGlideAndAFadeIsExact() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 60000) { _ in (1, 1) }
        let session = try Session.of("a.wav")
        let id = session.tracks[0].id
        let stepper = Stepper(playing: session, folder)
        stepper.render(100)
        stepper.engine.setFader(id, to: 0.5)
        stepper.render(1000)
        for i in 0..<fade { #expect(abs(stepper.left[100 + i] - (1 - 0.5 * Float(i) / Float(fade))) < 1e-6) }
        stepper.engine.set(StripSettings(fader: 0.5, isHeard: true, pan: -1), for: id)
        stepper.render(1000)
        #expect(stepper.left.last == 0.5 && stepper.right.last == 0)
        stepper.engine.set(StripSettings(fader: 0.5, isHeard: true, pan: 0), for: id)
        stepper.render(1000)
        stepper.engine.fade(id, to: 1.5, over: MediaTime(value: 10000, timescale: 48000), curve: .equalpower)
        let start = stepper.left.count
        for _ in 0..<12 { stepper.render(1000) }
        for i in 0..<10000 {
            let expected = 0.5 + sin(Double.pi / 2 * Double(i) / 10000)
            #expect(abs(Double(stepper.left[start + i]) - expected) < 1e-6)
        }
        #expect(stepper.left.last == 1.5)
    }

    /// From silence, to silence and between, by each curve, whatever the blocks. An exponential from or to
    /// silence is a line.
    @Test(arguments: Curve.allCases) func aLiveFadeFollowsItsCurve(curve: Curve) throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 20000) { _ in (1, 1) }
        let session = try Session.of("a.wav")
        let short = Stepper(playing: session, folder)
        short.render(100)
        short.engine.fade(
            session.tracks[0].id, to: 0.25, over: MediaTime(value: 1, timescale: 48000), curve: curve)
        short.render(10)
        #expect(
            Array(short.left[98...]) == [1, 1, 1] + Array(repeating: 0.25, count: 9),
            "of one frame: that begins where it was")
        for (first, last) in [(0.0, 1.0), (1.0, 0.0), (0.25, 2.0), (2.0, 0.25)] {
            let stepper = Stepper(playing: session, folder)
            stepper.engine.setFader(session.tracks[0].id, to: first)
            stepper.render(1000)
            stepper.engine.fade(
                session.tracks[0].id, to: last, over: MediaTime(value: 3000, timescale: 48000), curve: curve)
            for count in [1, 999, 64, 2000, 436] { stepper.render(count) }
            for i in 0..<3000 {
                let expected = Oracle.way(first, last, Double(i) / 3000, curve)
                #expect(
                    abs(Double(stepper.left[1000 + i]) - expected) < 1e-6, "\(first) to \(last), frame \(i)")
            }
            #expect(stepper.left[4000...].allSatisfy { $0 == Float(last) })
        }
    }
}

@Suite struct GainSegmentTests {
    @Test func aValueThatHoldsFromTheBeginningOfTimeIsThatValue() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 1000, numbered)
        let session = try Session.of("a.wav") {
            try $0.tracks[0].automation.setValue(0.5, at: MediaTime(seconds: 5))
        }
        let stepper = Stepper()
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
        #expect(stepper.engine.presentVolume(session.tracks[0].id) == 1)
        stepper.engine.locate(48000 * 6)
        stepper.settle()
        #expect(stepper.engine.presentVolume(session.tracks[0].id) == 0.5)
    }

    @Test func curvesAreTheContractsFormulas() {
        let formulas: [(GainCurve, (Double, Double, Double) -> Double)] = [
            (.linear, { a, b, p in a + (b - a) * p }),
            (.scurve, { a, b, p in a + (b - a) * (1 - cos(.pi * p)) / 2 }),
            (
                .equalpower,
                { a, b, p in b >= a ? a + (b - a) * sin(.pi * p / 2) : a + (b - a) * (1 - cos(.pi * p / 2)) }
            ),
            (.exponential, { a, b, p in a * pow(b / a, p) }),
        ]
        for (curve, formula) in formulas {
            for (first, last) in [(0.1, 1.0), (1.0, 0.1), (0.001, 4.0), (4.0, 1e-6), (0.5, 0.5)] {
                let segment = GainSegment(
                    start: 100, lead: 0.25, length: 1000, from: first, to: last, curve: curve)
                for frame in stride(from: Int64(100), to: 1099, by: 7) {
                    let p = (Double(frame - 100) + 0.25) / 1000
                    #expect(abs(segment.value(at: frame) - formula(first, last, p)) < 1e-10)
                }
            }
        }
        for tenths in 1...40 {
            let last = Double(tenths) / 10
            let value = GainSegment(start: 0, lead: 0, length: 2, from: 1, to: last, curve: .exponential)
                .value(at: 1)
            #expect(abs(value / last.squareRoot() - 1) < 1e-13, "from 1 to \(last)")
        }
    }
}
