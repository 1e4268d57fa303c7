import AudioFile
import Foundation
import Realtime
import Speakers
import TestSupport
import Testing

private func write(
    _ samples: [Float], to path: String, _ kind: OutputFormat.Samples? = nil, rate: Int32 = 48000
) throws -> SoundFileWriter {
    let writer = try SoundFileWriter(
        path: path, format: OutputFormat(path: path, samples: kind, sampleRate: rate, frames: 0),
        sampleRate: rate)
    for start in stride(from: 0, to: samples.count, by: 1000) {
        let part = Array(samples[start..<min(samples.count, start + 1000)])
        try writer.write(left: part, right: part.map { -$0 }, count: part.count)
    }
    try writer.finish()
    return writer
}

private func read(
    _ path: String, from start: Int64, _ count: Int, rate: Int32, channels: (Int, Int)? = nil
) throws -> (left: [Float], right: [Float]) {
    let reader = try ChannelReader(
        path: path, channels: channels.map { (left: $0.0, right: $0.1) }, sampleRate: rate)
    var (left, right) = ([Float](repeating: 9, count: count), [Float](repeating: 9, count: count))
    try reader.read(from: start, count: count, left: &left, right: &right)
    return (left, right)
}

@Suite struct AudioFileTests {
    @Test(
        arguments: [
            ("wav", .pcm16), ("wav", .pcm24), ("wav", .float), ("aiff", .pcm16), ("aiff", .pcm24),
            ("aiff", .float), ("flac", .pcm16), ("flac", .pcm24),
            ("w64", .pcm24), ("rf64", .float), ("caf", .pcm24),
        ] as [(String, OutputFormat.Samples)])
    func samplesComeBackToTheBit(container: String, kind: OutputFormat.Samples) throws {
        let folder = TemporaryFolder()
        let steps: Float = kind == .pcm16 ? 0x1p15 : 0x1p23
        var random = Seeded(state: 17)
        let samples =
            (0..<5000).map { _ in Float(Int.random(in: -Int(steps)...Int(steps) - 1, using: &random)) / steps
            } + [-1, (steps - 1) / steps, 0]
        let right = samples.map { max(-1, min((steps - 1) / steps, -$0)) }
        let writer = try write(samples, to: folder("a.\(container)"), kind)
        // The other side of -1 is 1, which whole numbers do not have.
        #expect(
            writer.clippedSamples == (kind == .float ? 0 : samples.count { $0 == -1 }) && writer.peak == 1)
        let back = try read(folder("a.\(container)"), from: 0, samples.count, rate: 48000)
        #expect(back.left == samples)
        #expect(back.right == (kind == .float ? samples.map { -$0 } : right))
    }

    @Test func samplesBeyondFullLevelAreCutAndCounted() throws {
        let folder = TemporaryFolder()
        let writer = try write([0.5, 1.5, -2], to: folder("a.wav"), .pcm16)
        #expect(writer.clippedSamples == 4)
        #expect(writer.peak == 2)
        #expect(try read(folder("a.wav"), from: 0, 3, rate: 48000).left == [0.5, 32767.0 / 32768, -1])
    }

    @Test func beyondTheEndIsSilence() throws {
        let folder = TemporaryFolder()
        _ = try write([1, 0.5], to: folder("a.wav"))
        #expect(try read(folder("a.wav"), from: 1, 3, rate: 48000).left == [0.5, 0, 0])
        #expect(try read(folder("a.wav"), from: 7, 2, rate: 48000).left == [0, 0])
    }

    @Test(arguments: [(44100, 48000), (48000, 44100), (96000, 48000), (22050, 48000)] as [(Int32, Int32)])
    func aConvertedSineIsCloserThanMinus100dB(rates: (from: Int32, to: Int32)) throws {
        let folder = TemporaryFolder()
        let length = Int(rates.from) * 3
        func sine(_ frame: Int, _ rate: Int32) -> Double {
            0.5 * sin(2 * .pi * 997 * Double(frame) / Double(rate))
        }
        _ = try write((0..<length).map { Float(sine($0, rates.from)) }, to: folder("a.wav"), rate: rates.from)
        let (left, right) = try read(folder("a.wav"), from: 0, Int(rates.to) * 3, rate: rates.to)
        // At both ends the filter hears the edge of the sine; 50 ms in it does not.
        let middle = (Int(rates.to) / 20)..<(Int(rates.to) * 3 - Int(rates.to) / 20)
        let error = middle.map { abs(Double(left[$0]) - sine($0, rates.to)) }.max()!
        #expect(error < 0.5e-5, "\(error)")
        #expect(middle.allSatisfy { left[$0] == -right[$0] })
    }

    @Test func convertedSamplesAreTheSameWhereverReadingBegins() throws {
        let folder = TemporaryFolder()
        var random = Seeded(state: 18)
        _ = try write(
            (0..<150_000).map { _ in Float.random(in: -0.5...0.5, using: &random) }, to: folder("a.wav"),
            rate: 44100)
        let whole = try read(folder("a.wav"), from: 0, 160_000, rate: 48000).left
        for start in [1, 999, 32767, 40000, 100_001] {
            #expect(
                try read(folder("a.wav"), from: Int64(start), 3000, rate: 48000).left
                    == Array(whole[start..<start + 3000]))
        }
    }

    /// A file at another rate is as many frames long as it takes to hold all of it, and silent behind that.
    @Test(arguments: [(44100, 1000, 1089), (44100, 147, 160), (44100, 148, 162), (96000, 999, 500)])
    func aConvertedFileIsAsLongAsAllOfIt(rate: Int32, frames: Int, expected: Int64) throws {
        let folder = TemporaryFolder()
        _ = try write([Float](repeating: 0.5, count: frames), to: folder("a.wav"), .float, rate: rate)
        let reader = try ChannelReader(path: folder("a.wav"), channels: nil, sampleRate: 48000)
        #expect(reader.frames == expected)
        let sides = try read(folder("a.wav"), from: 0, Int(expected) + 200, rate: 48000)
        #expect(sides.left[Int(expected)...].allSatisfy { $0 == 0 })
        #expect(sides.left[Int(expected) - 20] != 0)
    }

    @Test func lossyAndOtherFormatsAreWritten() throws {
        let folder = TemporaryFolder()
        for name in ["a.ogg", "a.opus", "a.mp3"] {
            _ = try write((0..<48000).map { 0.5 * sin(Float($0) * 0.05) }, to: folder(name))
            let level =
                try read(folder(name), from: 10000, 20000, rate: 48000).left.map { $0 * $0 }.reduce(0, +)
                / 20000
            #expect(abs(level - 0.125) < 0.03, "\(name): \(level)")
        }
    }

    @Test(
        arguments: [("a.xyz", nil), ("a", nil), ("a.flac", .float), ("a.mp3", .pcm16)]
            as [(String, OutputFormat.Samples?)])
    func unknownFormatsAreRefused(name: String, kind: OutputFormat.Samples?) {
        #expect(throws: AudioFileError.self) {
            try OutputFormat(path: name, samples: kind, sampleRate: 48000, frames: 0)
        }
    }

    @Test func filesWithoutSoundAreRefusedWithAReason() throws {
        let folder = TemporaryFolder()
        _ = try write((0..<5000).map { sin(Float($0)) }, to: folder("whole.wav"))
        let whole = try Data(contentsOf: URL(filePath: folder("whole.wav")))
        try Data().write(to: URL(filePath: folder("empty.wav")))
        try Data("this is no audio file, however long it may be".utf8).write(
            to: URL(filePath: folder("text.wav")))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: folder("cut.wav")))
        #expect(
            throws: AudioFileError(path: folder("none.wav"), reason: "there is no such file", kind: .missing)
        ) { try SoundFile(path: folder("none.wav")) }
        #expect(throws: AudioFileError(path: folder("empty.wav"), reason: "the file is empty")) {
            try SoundFile(path: folder("empty.wav"))
        }
        #expect(throws: AudioFileError(path: folder.path, reason: "it is a folder, not an audio file")) {
            try SoundFile(path: folder.path)
        }
        #expect(throws: AudioFileError.self) { try SoundFile(path: folder("text.wav")) }
        #expect(try SoundFile(path: folder("cut.wav")).info.truncation?.contains("truncated") == true)
        #expect(try SoundFile(path: folder("whole.wav")).info.truncation == nil)
    }

    /// Between two blocks of the converter, for every pair of rates: the seam of a sine is as clean as its
    /// middle.
    @Test(
        arguments: [8000, 11025, 16000, 22050, 32000, 44100, 48000, 88200, 96000, 176_400, 192_000, 384_000]
            as [Int32])
    func seamsOfConvertedFilesAreBelowMinus100dB(from: Int32) throws {
        for to: Int32 in [
            8000, 11025, 16000, 22050, 32000, 44100, 48000, 88200, 96000, 176_400, 192_000, 384_000,
        ] where to != from {
            // Low, and near the end of what passes.
            for share in [0.0211, 0.41] {
                let turn = 2 * Double.pi * share * Double(min(from, to))
                let source = try CallbackSource(sampleRate: from, channels: 1) { frames, samples in
                    for (i, frame) in frames.enumerated() {
                        samples[i] = Float(0.5 * sin(turn * Double(frame) / Double(from)))
                    }
                }
                let reader = try ChannelReader(source, name: "sine", channels: nil, sampleRate: to)
                let count = 100_000
                var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
                try reader.read(from: 0, count: count, left: &left, right: &right)
                // At its beginning the filter hears the edge of the sine. What the filter makes of a sine is
                // a sine: the nearest one is what to compare with.
                let frames = 20_000..<count
                let wave = frames.map {
                    (
                        sine: sin(turn * Double($0) / Double(to)),
                        cosine: cos(turn * Double($0) / Double(to)), heard: Double(left[$0])
                    )
                }
                func sum(_ term: ((sine: Double, cosine: Double, heard: Double)) -> Double) -> Double {
                    wave.reduce(0) { $0 + term($1) }
                }
                let (ss, cc, sc) = (
                    sum { $0.sine * $0.sine }, sum { $0.cosine * $0.cosine }, sum { $0.sine * $0.cosine }
                )
                let (sh, ch) = (sum { $0.sine * $0.heard }, sum { $0.cosine * $0.heard })
                let (a, b) = (
                    (sh * cc - ch * sc) / (ss * cc - sc * sc), (ch * ss - sh * sc) / (ss * cc - sc * sc)
                )
                let worst = wave.map { abs($0.heard - a * $0.sine - b * $0.cosine) }.max()!
                #expect(
                    abs(a - 0.5) < 1e-3 && worst < 1e-5, "\(from) to \(to), \(share): \(20 * log10(worst)) dB"
                )
            }
        }
    }

    /// A WAV says its size in 32 bits: a longer one is an RF64. Others say what they hold.
    @Test func aFileTooLongForItsFormatIsAnotherOrRefused() throws {
        let folder = TemporaryFolder()
        // Of floats 536,870,399 frames are 4 GiB less the header.
        for (frames, name) in [(0, "RIFF"), (536_870_399, "RIFF"), (536_870_400, "RF64"), (1 << 40, "RF64")]
            as [(Int64, String)]
        {
            let path = folder("\(frames).wav")
            let writer = try SoundFileWriter(
                path: path,
                format: OutputFormat(path: path, samples: .float, sampleRate: 48000, frames: frames),
                sampleRate: 48000)
            try writer.write(left: [0.5, 0.25], right: [-0.5, 1.5], count: 2)
            try writer.finish()
            let bytes = try Data(contentsOf: URL(filePath: path))
            #expect(String(decoding: bytes.prefix(4), as: UTF8.self) == name, "\(frames)")
            let heard = try read(path, from: 0, 2, rate: 48000)
            #expect(heard.left == [0.5, 0.25] && heard.right == [-0.5, 1.5])
        }
        for (name, samples, most) in [
            ("a.aiff", .pcm16, 536_869_887), ("a.aif", .float, 268_434_943),
            ("a.flac", .pcm24, 68_719_476_735),
        ] as [(String, OutputFormat.Samples, Int64)] {
            _ = try OutputFormat(path: name, samples: samples, sampleRate: 48000, frames: most)
            let error = #expect(throws: AudioFileError.self) {
                try OutputFormat(path: name, samples: samples, sampleRate: 48000, frames: most + 1)
            }
            #expect(error?.reason.contains("holds at most \(most) frames") == true)
        }
        for name in ["a.w64", "a.rf64", "a.caf", "a.ogg", "a.opus", "a.mp3"] {
            _ = try OutputFormat(path: name, samples: nil, sampleRate: 48000, frames: 1 << 40)
        }
    }

    @Test(arguments: ["wav", "rf64", "w64", "aiff"]) func halfAFileIsKnownAsCut(ending: String) throws {
        let folder = TemporaryFolder()
        _ = try write((0..<5000).map { Float($0) / 8192 }, to: folder("whole.\(ending)"), .pcm24)
        let whole = try Data(contentsOf: URL(filePath: folder("whole.\(ending)")))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: folder("half.\(ending)")))
        #expect(try SoundFile(path: folder("whole.\(ending)")).info.truncation == nil)
        #expect(try SoundFile(path: folder("half.\(ending)")).info.truncation?.contains("truncated") == true)
    }

    /// Of a W64 the size has 64 bits: 16 bytes of its name, then that.
    @Test(arguments: [4_000_000_000, 5_000_000_000] as [Int64]) func aLongW64ThatIsCutIsKnown(
        size: Int64
    ) throws {
        let folder = TemporaryFolder()
        _ = try write((0..<5000).map { Float($0) / 8192 }, to: folder("a.w64"), .pcm24)
        var bytes = try Data(contentsOf: URL(filePath: folder("a.w64")))
        withUnsafeBytes(of: size.littleEndian) { bytes.replaceSubrange(16..<24, with: $0) }
        try bytes.write(to: URL(filePath: folder("a.w64")))
        #expect(try SoundFile(path: folder("a.w64")).info.truncation?.contains("\(size)") == true)
    }

    /// Sun's AU, by its bytes: magic, offset, size, encoding (16 bits), rate, channels. A size of all ones is
    /// not known.
    @Test(arguments: [(2000, true), (4000, false), (0xffff_ffff, false)] as [(UInt32, Bool)])
    func halfAnAUIsKnownAsCut(size: UInt32, isWhole: Bool) throws {
        let folder = TemporaryFolder()
        var bytes = Data(".snd".utf8)
        for word in [24, size, 3, 48000, 2] as [UInt32] {
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.append(Data(repeating: 1, count: 2000))
        try bytes.write(to: URL(filePath: folder("a.au")))
        #expect(
            try (SoundFile(path: folder("a.au")).info.truncation == nil) == (isWhole || size == 0xffff_ffff))
    }

    @Test func channelsAreChosen() throws {
        let folder = TemporaryFolder()
        _ = try write([0.5, 0.25], to: folder("a.wav"))
        #expect(try read(folder("a.wav"), from: 0, 2, rate: 48000, channels: (2, 2)).left == [-0.5, -0.25])
        #expect(throws: AudioFileError.self) {
            try read(folder("a.wav"), from: 0, 2, rate: 48000, channels: (1, 3))
        }
        #expect { try ChannelChoice(nil, of: 6, on: .stereo) } throws: { "\($0)".contains("6 channels") }
    }

    /// More than what is read from the disk at once: 600 bytes a frame. And what ends meanwhile is said, not
    /// heard.
    @Test func wideFramesAreReadPieceByPiece() throws {
        let folder = TemporaryFolder()
        let (channels, frames) = (200, 2000)
        func sample(_ frame: Int, _ channel: Int) -> Int32 {
            Int32(truncatingIfNeeded: (frame * channels + channel) &* 2_654_435_761) >> 8
        }
        func word(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let step = 3 * channels
        var bytes =
            Array("RIFF".utf8) + word(36 + frames * step, 4) + Array("WAVEfmt ".utf8) + word(16, 4)
            + word(1, 2) + word(channels, 2) + word(48000, 4) + word(48000 * step, 4) + word(step, 2)
            + word(24, 2)
        bytes += Array("data".utf8) + word(frames * step, 4)
        for frame in 0..<frames {
            for channel in 0..<channels { bytes += word(Int(sample(frame, channel)), 3) }
        }
        try Data(bytes).write(to: URL(filePath: folder("wide.wav")))
        let reader = try ChannelReader(path: folder("wide.wav"), channels: (3, 200), sampleRate: 48000)
        for (start, count) in [(0, frames), (1, 55), (54, 1), (777, 1000)] {
            var (left, right) = ([Float](repeating: 9, count: count), [Float](repeating: 9, count: count))
            try reader.read(from: Int64(start), count: count, left: &left, right: &right)
            #expect(left == (start..<start + count).map { Float(sample($0, 2)) / 0x1p23 })
            #expect(right == (start..<start + count).map { Float(sample($0, 199)) / 0x1p23 })
        }
        #expect(truncate(folder("wide.wav"), off_t(44 + 1000 * step)) == 0)
        var (left, right) = ([Float](repeating: 9, count: frames), [Float](repeating: 9, count: frames))
        try reader.read(from: 0, count: 1000, left: &left, right: &right)
        #expect { try reader.read(from: 500, count: 501, left: &left, right: &right) } throws: {
            "\($0)".contains("truncated")
        }
    }

    /// So many that some are left behind those that go eight at a time, from wherever they lie.
    @Test func bothSidesAndTheirPeakAreWritten() throws {
        let folder = TemporaryFolder()
        var random = Seeded(state: 5)
        for count in Array(0...40) + [1000] {
            let (left, right) = (
                (0..<count + 3).map { _ in Float.random(in: -2...2, using: &random) },
                (0..<count + 3).map { _ in Float.random(in: -2...2, using: &random) }
            )
            let format = try OutputFormat(path: "a.wav", samples: .float, sampleRate: 48000, frames: 0)
            let writer = try SoundFileWriter(path: folder("a.wav"), format: format, sampleRate: 48000)
            var peak: Float = 0
            for start in 0..<3 {
                var (some, others) = (left, right)
                if count > 7 { (some[start + 7], others[start]) = (.nan, -.nan) }
                try some.withUnsafeMutableBufferPointer { some in
                    try others.withUnsafeMutableBufferPointer {
                        try writer.write(
                            Channels(some.baseAddress! + start, $0.baseAddress! + start), count: count)
                    }
                }
                for sample in some[start..<start + count] + others[start..<start + count]
                where abs(sample) > peak { peak = abs(sample) }
                #expect(writer.peak == peak)
            }
            if count == 0 { continue }
            try writer.finish()
            let back = try read(folder("a.wav"), from: 0, 3 * count, rate: 48000)
            for start in 0..<3 {
                for i in 0..<count where count <= 7 || (i != 7 && i != 0) {
                    #expect(
                        back.left[start * count + i] == left[start + i]
                            && back.right[start * count + i] == right[start + i])
                }
            }
        }
    }

    @Test func anUnfinishedFileLeavesNothing() throws {
        let folder = TemporaryFolder()
        do {
            let writer = try SoundFileWriter(
                path: folder("a.wav"),
                format: OutputFormat(path: "a.wav", samples: nil, sampleRate: 48000, frames: 0),
                sampleRate: 48000)
            try writer.write(left: [1], right: [1], count: 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// One of those in a mix would leave nothing else of it: it is silent, at the file's rate and at others,
    /// at its beginning too.
    @Test(arguments: [48000, 44100] as [Int32], [0, 500]) func samplesThatAreNoNumbersAreSilent(
        _ rate: Int32, _ first: Int
    ) throws {
        let folder = TemporaryFolder()
        let wrong: [Float] = [.infinity, -.infinity, .nan]
        let name = try folder.file("a.wav", frames: 1000) { n in
            wrong.indices.contains(n - first) ? (wrong[n - first], 0.5) : (0.5, 0.5)
        }
        let reader = try ChannelReader(path: folder(name), channels: nil, sampleRate: rate)
        let count = Int(reader.frames)
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        try reader.read(from: 0, count: count, left: &left, right: &right)
        #expect((left + right).allSatisfy { $0.isFinite })
        if rate == 48000 {
            #expect(left.indices.allSatisfy { left[$0] == (first..<first + 3 ~= $0 ? 0 : 0.5) })
        }
    }
}
