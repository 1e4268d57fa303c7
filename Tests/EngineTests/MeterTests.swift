import AudioFile
import Engine
import Realtime
import TestSupport
import Testing
import Timeline

/// The meter of a track against its definition: slots of at least 10 ms that end with a block, and the mean
/// of the last thirty of them. Where its first slot ends is a strip's own: one of eight places.
@Suite struct MeterTests {
    /// A slow meter.
    private struct Model {
        private let slotFrames = 480
        private var end: Int
        /// Two windows: what was loud in the one before may have left its rounding.
        private var slots = [Double](repeating: 0, count: 60)
        private var (squares, frames) = (0.0, 0)

        init(phase: Int) { end = slotFrames * (phase + 1) / 8 }

        mutating func add(_ samples: ArraySlice<Float>) {
            squares += samples.reduce(0) { $0 + Double($1) * Double($1) }
            frames += samples.count
            if frames < end { return }
            let ended = min(30, max(1, frames / slotFrames))
            let mean = squares / Double(frames)
            slots = Array((slots + [Double](repeating: mean, count: ended)).suffix(60))
            (squares, frames, end) = (0, 0, slotFrames)
        }

        func agrees(_ rms: Float) -> Bool {
            let mean = slots.suffix(30).reduce(0, +) / 30
            return abs(Double(rms) * Double(rms) - mean) <= 1e-5 * mean + 1e-13 * slots.max()!
        }
    }

    /// Blocks of all lengths, and passages from silence to far beyond full scale.
    @Test(arguments: 0..<20) func rmsIsTheMeanOfThirtySlots(_ round: Int) throws {
        var dice = Seeded(state: .random(in: 0...UInt64(UInt32.max)))
        print("meter: seed \(dice.state)")
        let folder = TemporaryFolder()
        let loudness = (0..<40).map { _ in
            [0, 0, 1e-6, 1e-3, 1, 1e4].randomElement(using: &dice)! as Float
        }
        try folder.file("a.wav", frames: 40 * 7000) { n in
            let sample = loudness[n / 7000] * Float.random(in: -1...1, using: &dice)
            return (sample, -sample / 2)
        }
        let session = Session.of("a.wav") { _ in }
        let stepper = Stepper(playing: session, folder)
        var (models, done) = ((0..<8).map { [Model(phase: $0), Model(phase: $0)] }, 0)
        while done < 40 * 7000 - 512 {
            let count = [1, 16, 64, 100, 255, 480, 512].randomElement(using: &dice)!
            stepper.render(count)
            let heard = [stepper.left[done..<done + count], stepper.right[done..<done + count]]
            done += count
            for phase in models.indices { for side in 0..<2 { models[phase][side].add(heard[side]) } }
            let rms = stepper.engine.readMeter(session.tracks[0].id).rms
            models.removeAll { model in !(0..<2).allSatisfy { model[$0].agrees(rms[$0]) } }
            try #require(!models.isEmpty, "no meter says \(rms) at frame \(done)")
        }
    }

    /// However loud it was, two windows later nothing of it is left.
    @Test func silenceIsZeroAfterTwoWindows() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 130_000) { n in
            let sample: Float = n < 50_021 ? 1e5 / Float(n % 97 + 1) : n < 100_021 ? 0 : 1e-6
            return (sample, sample)
        }
        let session = Session.of("a.wav") { _ in }
        let stepper = Stepper(playing: session, folder)
        let id = session.tracks[0].id
        for _ in 0..<781 { stepper.render(64) }
        for _ in 0..<600 { stepper.render(64) }
        #expect(stepper.engine.readMeter(id).rms == [0, 0])
        for _ in 0..<550 { stepper.render(64) }
        #expect(stepper.engine.readMeter(id).rms.allSatisfy { abs($0 / 1e-6 - 1) < 1e-6 })
    }
}
