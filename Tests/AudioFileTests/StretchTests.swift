import AudioFile
import Foundation
import TestSupport
import Testing

nonisolated(unsafe) private let cache = TemporaryFolder()

/// Sounds made slower, faster, higher, lower and backwards: how long they are, where in them what is heard
/// lies, and how high it is.
@Suite(.serialized) struct StretchTests {
    private let folder = TemporaryFolder()

    init() { _ = Self.hasCache }

    /// Sounds are kept where nothing else is, for all tests of the process.
    private static let hasCache: Bool = {
        setenv("XDG_CACHE_HOME", cache.path, 1)
        atexit { try? FileManager.default.removeItem(atPath: cache.path) }
        return true
    }()

    private func file(_ name: String, frames: Int, _ sample: (Int) -> (Float, Float)) throws -> String {
        folder(try folder.file(name, frames: frames, sample))
    }

    private func sound(
        _ path: String, _ speed: Double = 1, pitch: Double = 0, _ method: Stretch.Method = .soundTouch,
        isReversed: Bool = false
    ) -> SoundPlace {
        SoundPlace(
            path, stretch: Stretch(millionths: Int32((speed * 1_000_000).rounded()), pitch: pitch, method),
            isReversed: isReversed)
    }

    /// All of it, left and right.
    private func all(_ place: SoundPlace) throws -> (left: [Float], right: [Float]) {
        let source = try AudioSource.open(place)
        var buffer = [Float](repeating: 9, count: Int(source.frames) * source.channels)
        #expect(
            try buffer.withUnsafeMutableBufferPointer {
                try source.read(from: 0, count: Int(source.frames), into: $0.baseAddress!)
            } == Int(source.frames))
        let channels = source.channels
        return (
            stride(from: 0, to: buffer.count, by: channels).map { buffer[$0] },
            stride(from: channels - 1, to: buffer.count, by: channels).map { buffer[$0] }
        )
    }

    @Test func aClipAtItsOwnSpeedNeedsNoStretching() {
        #expect(
            Stretch(millionths: 1_000_000, pitch: 0, .soundTouch) == nil
                && Stretch(millionths: 1_000_000, pitch: 7, .tape) == nil)
        #expect(
            Stretch(millionths: 1_000_000, pitch: 1, .soundTouch) != nil
                && Stretch(millionths: 999_999, pitch: 0, .tape) != nil)
    }

    @Test(arguments: [0.25, 0.5, 0.333333, 0.9375, 1.1, 2, 3.7, 4] as [Double])
    func aTapeIsTheSoundOnAnotherClock(_ speed: Double) throws {
        let (rate, frames) = (48000, 96001)
        func tone(_ seconds: Double) -> Float {
            Float(0.5 * sin(2 * .pi * 440 * seconds) + 0.2 * sin(2 * .pi * 1000 * seconds))
        }
        let path = try file("a.wav", frames: frames) { (tone(Double($0) / Double(rate)), 0) }
        let made = try all(sound(path, speed, .tape))
        let millionths = (speed * 1e6).rounded() / 1e6
        #expect(made.left.count == Int((Double(frames) / millionths).rounded()))
        // The filter rings where the sound begins and ends.
        let error = made.left.indices.dropFirst(2000).dropLast(2000).map {
            abs(made.left[$0] - tone(Double($0) * millionths / Double(rate)))
        }.max()!
        #expect(error < 2e-5, "\(speed): \(error)")
        #expect(made.right.allSatisfy { $0 == 0 })
    }

    /// Bursts of noise of a third of a second, and a tone: each lies where it belongs, and is as high as it
    /// should be.
    @Test(
        arguments: [Stretch.Method.soundTouch, .rubberBand],
        [(1, -12), (1, 5), (0.25, 0), (0.5, 0), (0.8, -3), (0.95, 0), (1.25, 0), (2, 12), (4, 0)]
            as [(Double, Double)])
    func soundsLieWhereTheyBelong(_ method: Stretch.Method, _ change: (speed: Double, pitch: Double)) throws {
        let (rate, seconds) = (48000, 8)
        var dice = Seeded(state: 5)
        let noise = (0..<rate).map { _ in Float.random(in: -0.5...0.5, using: &dice) }
        let path = try file("a.wav", frames: rate * seconds + 17) { frame in
            let place = (frame + rate / 2) % rate - rate / 2
            let burst =
                frame > rate / 2 && abs(place) < 7000
                ? noise[frame % rate] * Float(0.5 + 0.5 * cos(.pi * Double(place) / 7000)) : 0
            return (burst, Float(0.5 * sin(2 * .pi * 440 * Double(frame) / Double(rate))))
        }
        let made = try all(sound(path, change.speed, pitch: change.pitch, method))
        #expect(made.left.count == Int((Double(rate * seconds + 17) / change.speed).rounded()))
        for second in 1..<seconds {
            let (middle, reach) = (Double(second * rate) / change.speed, 0.45 * Double(rate) / change.speed)
            var (sum, moment) = (0.0, 0.0)
            for frame in Int(middle - reach)...Int(middle + reach) {
                let energy = Double(made.left[frame]) * Double(made.left[frame])
                (sum, moment) = (sum + energy, moment + energy * (Double(frame) - middle))
            }
            let milliseconds = moment / sum / Double(rate) * 1000
            #expect(
                abs(milliseconds) < (change.speed == 0.25 ? 25 : 10),
                "\(method) \(change) second \(second): \(milliseconds) ms")
        }
        // Zero crossings of the tone.
        let tone = made.right[(made.right.count / 4)..<(made.right.count * 3 / 4)]
        let crossings = zip(tone, tone.dropFirst()).reduce(0) { $0 + ($1.0 < 0 && $1.1 >= 0 ? 1 : 0) }
        let heard = Double(crossings) / (Double(tone.count) / Double(rate))
        #expect(abs(heard / (440 * pow(2, change.pitch / 12)) - 1) < 0.01, "\(heard) Hz")
    }

    @Test func anyPieceOfAStretchedSoundIsThatOfTheWhole() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var dice = Seeded(state: seed)
        let path = try file("a.wav", frames: 50_001) { _ in
            (Float.random(in: -1...1, using: &dice), Float.random(in: -1...1, using: &dice))
        }
        let plain = try all(sound(path))
        for place in [
            sound(path, isReversed: true), sound(path, 0.7), sound(path, 1.3, isReversed: true),
            sound(path, 2, .tape, isReversed: true),
        ] {
            let whole = try all(place)
            if place.stretch == nil {
                #expect(whole.left == plain.left.reversed() && whole.right == plain.right.reversed())
            } else {
                let forwards = try all(SoundPlace(path, stretch: place.stretch))
                if place.isReversed { #expect(whole.left == forwards.left.reversed()) }
            }
            let source = try AudioSource.open(place)
            #expect(source.frames == Int64(whole.left.count))
            for _ in 0..<50 {
                let (start, count) = (
                    Int64.random(in: 0..<source.frames + 100, using: &dice),
                    Int.random(in: 1...5000, using: &dice)
                )
                var piece = [Float](repeating: 9, count: 2 * count)
                let done = try piece.withUnsafeMutableBufferPointer {
                    try source.read(from: start, count: count, into: $0.baseAddress!)
                }
                #expect(done == max(0, min(count, Int(source.frames - start))))
                for frame in 0..<done {
                    let place = Int(start) + frame
                    #expect(
                        piece[2 * frame] == whole.left[place] && piece[2 * frame + 1] == whole.right[place])
                }
            }
        }
    }

    @Test func aSoundThatCannotBeStretchedSaysWhy() throws {
        #expect(throws: AudioFileError.self) { try AudioSource.open(sound(folder("none.wav"), 2)) }
        let text = folder("a.txt")
        try Data("no sound".utf8).write(to: URL(fileURLWithPath: text))
        #expect(throws: AudioFileError.self) { try AudioSource.open(sound(text, 2)) }
    }

    /// A file that changes while it is stretched gives no sound: what was read before and what was read
    /// behind do not belong together.
    @Test func aFileThatChangesMeanwhileIsNoSound() throws {
        let path = try file("long.wav", frames: 300 * 48000) { n in (Float(n % 100) / 200, 0) }
        let kept = cache("jmix")
        @Sendable func isMade() -> Bool {
            (FileManager.default.subpaths(atPath: kept) ?? []).contains {
                !$0.isEmpty && ($0 as NSString).lastPathComponent.hasPrefix(".")
            }
        }
        let changer = Thread {
            let end = Date(timeIntervalSinceNow: 20)
            while !isMade(), Date() < end { usleep(1000) }
            let file = FileHandle(forWritingAtPath: path)
            try? file?.seek(toOffset: 1_000_000)
            try? file?.write(contentsOf: Data(count: 1000))
            try? file?.close()
        }
        changer.start()
        #expect {
            try AudioSource.open(sound(path, 0.9))
        } throws: { error in
            "\(error)".contains("changed while it was stretched")
        }
    }
}
