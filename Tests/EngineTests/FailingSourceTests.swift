import AudioFile
import Engine
import TestSupport
import Testing
import Timeline

/// A source that cannot be read for a while: its track comes back in the right place, however fast the mixer
/// is called.
@Suite struct FailingSourceTests {
    private struct Damaged: Error {}
    private let folder = TemporaryFolder()
    /// In frames: a source is tried again after half a second, and sounds within a quarter of one more.
    private static let longest = 36_000
    private static let longestBlock = 1024

    @Test func itComesBackInTheRightPlace() throws {
        let length = 240_000
        for seed in UInt64(1)...40 {
            var dice = Seeded(state: seed)
            let first = Int64.random(in: 3000...90_000, using: &dice)
            let hole = first..<first + Int64.random(in: 1...60_000, using: &dice)
            let source = try CallbackSource(sampleRate: 48000, channels: 2, frames: Int64(length)) {
                frames, samples in
                if frames.overlaps(hole) { throw Damaged() }
                for (i, n) in frames.enumerated() {
                    (samples[2 * i], samples[2 * i + 1]) = numbered(Int(n) + 1)
                }
            }
            let library = MediaLibrary(folder: folder.path, sources: ["a": source])
            let stepper = Stepper()
            stepper.engine.apply(try Session.of("a"), library: library)
            stepper.settle()
            stepper.engine.play()
            while stepper.left.count < length {
                stepper.render(.random(in: 1...Self.longestBlock, using: &dice))
            }
            let sounds = (0..<length).map { stepper.left[$0] == numbered($0 + 1).0 }
            // Of the piece that meets the hole nothing is heard, and the sound before that fades from the
            // beginning of a block on.
            let whole = Int(first) - 8192 - 240 - Self.longestBlock
            #expect(sounds.prefix(max(0, whole)).allSatisfy { $0 }, "seed \(seed): before \(hole)")
            let back = Int(hole.upperBound) + Self.longest
            #expect(sounds[back...].allSatisfy { $0 }, "seed \(seed): behind \(hole)")
        }
    }
}
