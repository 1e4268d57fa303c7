import AudioFile
import Files
import Foundation
import JSON
import TestSupport
import Testing

/// What ffprobe may say, and what a disk may do to the cache: nothing of it may crash, and nothing that is
/// wrong may be taken for right.
@Suite struct MediaTests {
    private let folder = TemporaryFolder()

    private func content(
        _ stream: String, format: String = #"{"format_name": "mov,mp4,m4a"}"#
    ) throws -> MediaContent {
        MediaContent(
            try JSONValue(
                parsing:
                    #"""
                    {"format": \#(format), "streams": [{"index": 1, "codec_type": "audio",
                    "codec_name": "aac", "sample_rate": "48000", "channels": 2\#(stream)}]}
                    """#
            ))
    }

    @Test func aMovieCountsFromItsOwnZeroAndIsCutWhereItSays() throws {
        let sound = try #require(
            try content(#", "start_time": "1.000000", "duration": "3.002562", "duration_ts": 144123"#).sounds
                .first)
        #expect((sound.start, sound.frames, sound.isCut, sound.caution) == (48000, 48000 + 144123, true, nil))
        // What begins before zero was cut by the decoder already.
        let early = try #require(try content(#", "start_time": "-0.021333", "duration": "1.0""#).sounds.first)
        #expect((early.start, early.frames) == (0, 48000))
        // A transport stream's clock begins anywhere.
        let stream = try #require(
            try content(
                #", "start_time": "95443.717689", "duration": "2.0""#,
                format: #"{"format_name": "mpegts", "start_time": "95443.700000"}"#
            ).sounds.first)
        #expect((stream.start, stream.isCut) == (849, false) && stream.caution != nil)
    }

    @Test func absurdNumbersAreNoSoundOrNoHarm() throws {
        for wrong in [
            #", "sample_rate": "0""#, #", "sample_rate": "1e30""#, #", "sample_rate": "-48000""#,
            #", "sample_rate": "nan""#, #", "channels": 0"#, #", "channels": 70000"#, #", "channels": -2"#,
            #", "index": "x""#,
        ] {
            #expect(try content(wrong).sounds.isEmpty, "\(wrong)")
        }
        for odd in [
            #", "start_time": "1e300", "duration": "1e300""#, #", "start_time": "-1e300""#,
            #", "start_time": "nan", "duration": "inf", "duration_ts": 9223372036854775807"#,
            #", "duration": "-5""#, #", "tags": 5, "disposition": []"#,
        ] {
            let sound = try #require(try content(odd).sounds.first, "\(odd)")
            #expect(sound.start >= 0 && sound.frames.map { $0 >= 0 && $0 < 1 << 50 } ?? true, "\(odd)")
        }
        #expect(MediaContent(.null).sounds.isEmpty && MediaContent(.array([])).labels == FileLabels())
    }

    /// One bit anywhere, or an end that is missing: found, always.
    @Test func aDamagedCacheFileIsNoticed() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var dice = Seeded(state: seed)
        let samples = (0..<700_000).map { _ in Float.random(in: -1...1, using: &dice) }
        let place = folder("a.sound")
        let written = try CacheFile(new: place, channels: 2, sampleRate: 44100)
        samples.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: CacheFile.blockBytes) {
                try! written.append(
                    UnsafeRawBufferPointer(
                        rebasing: bytes[start..<min(start + CacheFile.blockBytes, bytes.count)]), named: place
                )
            }
        }
        try written.finish(frames: 350_000, truncation: "it ends", remark: "über", named: place)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: CacheFile.blockBytes, alignment: 64)
        defer { buffer.deallocate() }
        func isWhole(_ path: String) -> Bool {
            guard let file = CacheFile(path: path) else { return false }
            return file.hashes.indices.allSatisfy { file.isSound(block: $0, buffer) }
        }
        #expect(isWhole(place))
        #expect(
            CacheFile(path: place)?.head
                == CacheFile.Head(
                    frames: 350_000, channels: 2, sampleRate: 44100, truncation: "it ends", remark: "über"))
        let whole = try Data(contentsOf: URL(fileURLWithPath: place))
        for round in 0..<60 {
            var harmed = whole
            if round % 4 == 0 {
                harmed.removeLast(Int.random(in: 1..<whole.count, using: &dice))
            } else {
                let byte =
                    round % 4 == 1
                    ? Int.random(in: 0..<CacheFile.headBytes, using: &dice)
                    : Int.random(in: 0..<whole.count, using: &dice)
                harmed[byte] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
            }
            try harmed.write(to: URL(fileURLWithPath: folder("b.sound")))
            #expect(!isWhole(folder("b.sound")), "round \(round)")
        }
    }
}
