import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// Renders are what they were, to the bit: whoever changes a sample on purpose changes a number in
/// `renderHashes` and says why.
@Suite struct RenderHashTests {
    @Test(arguments: [("voiceover", 0x2fff_33e4_1419_c559 as UInt64), ("four-tracks", 0x9e2_4fe1_87b2_c10a)])
    func theDemosAreWhatTheyWere(name: String, hash: UInt64) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../Sessions/\(name)"
        ).standardized.path
        let text = try String(contentsOfFile: folder + "/session.json", encoding: .utf8)
        let session = try #require(SessionFile.read(text).session)
        let found = try self.hash(OfflineRender(session, library: MediaLibrary(folder: folder)))
        #expect(found == hash, "\(name) is \(String(found, radix: 16))")
    }

    @Test func twoHundredRandomSessionsAreWhatTheyWere() throws {
        let folder = TemporaryFolder()
        for (index, length) in [3000, 7001, 20000].enumerated() {
            // Whole numbers alone, so that the samples are the same on every machine.
            var random = Seeded(state: UInt64(index))
            try folder.file("\(index).wav", frames: length) { _ in
                (
                    Float(Int16(truncatingIfNeeded: random.next())) / 32768,
                    Float(Int16(truncatingIfNeeded: random.next())) / 32768
                )
            }
        }
        var hashes: [UInt64] = []
        for seed in UInt64(1)...200 {
            var random = Seeded(state: seed &* 7919)
            let session = randomSession(&random)
            hashes.append(
                try hash(
                    OfflineRender(
                        session, library: folder.library, from: .zero,
                        to: MediaTime(frame: 30000, rate: 48000))))
        }
        let changed = zip(hashes, renderHashes).enumerated().filter { $1.0 != $1.1 }.map { $0.offset + 1 }
        #expect(
            hashes.count == renderHashes.count && changed.isEmpty,
            "changed: seeds \(changed); all are now\n\(text(hashes))")
    }

    private func text(_ hashes: [UInt64]) -> String {
        hashes.map { "0x" + String($0, radix: 16) }.joined(separator: ", ")
    }

    /// FNV-1a over the bits of all samples.
    private func hash(_ render: OfflineRender) throws -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        try render.mixSides { left, right, count, _ in
            for i in 0..<count {
                for bits in [left[i].bitPattern, right[i].bitPattern] {
                    hash = (hash ^ UInt64(bits)) &* 0x100_0000_01b3
                }
            }
            return true
        }
        return hash
    }
}
