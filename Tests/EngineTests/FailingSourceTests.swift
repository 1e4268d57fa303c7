import AudioFile
import Engine
import TestSupport
import Testing
import Timeline

/// Sources that cannot be read in places: their tracks come back in the right place, however fast the mixer
/// is called, in loops and behind locates, and one does not hold up the other.
@Suite struct FailingSourceTests {
    private struct Damaged: Error {}
    private let folder = TemporaryFolder()
    private static let length: Int64 = 300_000
    /// In frames: a source is tried again after half a second, and sounds within a quarter of one more.
    private static let longest = 36_000
    private static let longestBlock = 1024
    /// Of the piece that meets a hole nothing is heard, and the sound before that fades from the beginning of
    /// a block on.
    private static let reach = Int64(8192 + 240 + longestBlock)

    /// A track that is heard on one side, and where it cannot be read.
    private struct Damage {
        let holes: [Range<Int64>]

        init(_ dice: inout Seeded) {
            holes = (0..<Int.random(in: 1...2, using: &dice)).map { _ in
                let start = Int64.random(in: 0..<length, using: &dice)
                return start..<start + Int64.random(in: 1...40_000, using: &dice)
            }
        }

        func source(onLeft isLeft: Bool) throws -> CallbackSource {
            try CallbackSource(sampleRate: 48000, channels: 2, frames: length) { [holes] frames, samples in
                if holes.contains(where: frames.overlaps) { throw Damaged() }
                for (i, n) in frames.enumerated() {
                    let sample = numbered(Int(n) + 1).0
                    (samples[2 * i], samples[2 * i + 1]) = isLeft ? (sample, 0) : (0, sample)
                }
            }
        }

        /// How far it is from `frame` to what cannot be read, as it is played.
        func distance(from frame: Int64, _ loop: Range<Int64>?) -> Int64 {
            let straight = holes.filter { $0.upperBound > frame }.map { max(0, $0.lowerBound - frame) }
            guard let loop, frame < loop.upperBound else { return straight.min() ?? .max }
            let again = holes.filter(loop.overlaps).map {
                loop.upperBound - frame + max(0, $0.lowerBound - loop.lowerBound)
            }
            return (straight.filter { frame + $0 < loop.upperBound } + again).min() ?? .max
        }
    }

    /// What of a track has to be heard, frame by frame.
    private struct Listener {
        let damage: Damage
        /// How long it has been played since what could not be read; since a locate it is another stream.
        private var healthy = Int.max
        private(set) var checked = 0

        init(_ damage: Damage) { self.damage = damage }

        mutating func locate() { healthy = .max }

        /// Whether `sample` may be heard where `frame` is played.
        mutating func allows(_ sample: Float, at frame: Int64, _ loop: Range<Int64>?) -> Bool {
            let distance = damage.distance(from: frame, loop)
            healthy = distance == 0 ? 0 : healthy == .max ? .max : healthy + 1
            if distance <= FailingSourceTests.reach || healthy <= FailingSourceTests.longest { return true }
            checked += 1
            return sample == (frame < FailingSourceTests.length ? numbered(Int(frame) + 1).0 : 0)
        }
    }

    /// Two tracks on a desk that is played, whose sounds are looked at.
    private struct Desk {
        let stepper = Stepper()
        private var listeners: [Listener]
        private var position: Int64 = 0
        private let loop: Range<Int64>?
        /// While a locate is crossed over both sounds are heard.
        private var crossing = 0

        init(_ dice: inout Seeded, _ folder: TemporaryFolder) throws {
            let damages = [Damage(&dice), Damage(&dice)]
            listeners = damages.map(Listener.init)
            let start = Int64.random(in: 0...150_000, using: &dice)
            loop =
                .random(using: &dice) ? start..<start + Int64.random(in: 60_000...120_000, using: &dice) : nil
            let library = MediaLibrary(
                folder: folder.path,
                sources: [
                    "a": try damages[0].source(onLeft: true), "b": try damages[1].source(onLeft: false),
                ])
            stepper.engine.apply(try Session.of("a", "b"), library: library)
            if let loop { stepper.engine.setLoop(loop) }
            stepper.settle()
            stepper.engine.play()
        }

        var checked: Int { listeners.map(\.checked).reduce(0, +) }

        mutating func locate(to frame: Int64) {
            stepper.engine.locate(frame)
            stepper.settle()
            (position, crossing) = (frame, 240)
            for i in listeners.indices { listeners[i].locate() }
        }

        /// - Returns: the first place on the timeline where something else is heard than may be.
        mutating func play(_ count: Int) -> Int64? {
            let done = stepper.left.count
            stepper.render(count)
            for i in done..<done + count {
                let isLeftWhole = listeners[0].allows(stepper.left[i], at: position, loop)
                let isRightWhole = listeners[1].allows(stepper.right[i], at: position, loop)
                if crossing == 0, !isLeftWhole || !isRightWhole { return position }
                crossing = max(0, crossing - 1)
                position += 1
                if position == loop?.upperBound { position = loop!.lowerBound }
            }
            return nil
        }
    }

    @Test func aSourceThatFailedComesBackInTheRightPlace() throws {
        var checked = 0
        for seed in UInt64(1)...60 {
            var dice = Seeded(state: seed)
            var desk = try Desk(&dice, folder)
            while desk.stepper.left.count < 400_000 {
                let wrong = desk.play(.random(in: 1...Self.longestBlock, using: &dice))
                #expect(wrong == nil, "seed \(seed), at frame \(desk.stepper.left.count) of what was heard")
                if wrong != nil { break }
                if Int.random(in: 0..<400, using: &dice) == 0 {
                    desk.locate(to: .random(in: 0..<Self.length, using: &dice))
                }
            }
            checked += desk.checked
        }
        #expect(checked > 60 * 2 * 400_000 / 4)
    }
}
