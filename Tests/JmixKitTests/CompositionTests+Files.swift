import Foundation
import JmixKit
import TestSupport
import Testing

/// Files: assets, sessions that are read and written, and what is missing.
extension Compositions {
    /// AVAsset: duration, tracks with a media type.
    @Test func anAssetTellsItsHeader() async throws {
        try folder.file("m.wav", frames: 44100, rate: 44100) { _ in (0, 0) }
        let asset = try await Asset.load(folder("m.wav"))
        #expect(
            asset.duration == MediaTime(seconds: 1) && asset.frames == 44100 && asset.sampleRate == 44100
                && asset.channels == 2)
        #expect(asset.tracks(withMediaType: .audio).map(\.timeRange) == [asset.timeRange])
        await #expect(
            throws: AudioFileError(path: folder("gone.wav"), reason: "there is no such file", kind: .missing)
        ) { try await Asset.load(self.folder("gone.wav")) }
    }

    @Test func aSessionFileIsReadAndWritten() throws {
        let asset = try file("s.wav", 5000)
        var composition = try Composition(folder: folder.path)
        let id = try composition.addTrack(named: "music")
        try composition.insert(range(0, 4000), of: asset, at: .zero, on: id)
        try composition.automate(id) { try $0.setVolumeRamp(from: 0.5, to: 0.25, over: range(100, 200)) }
        try composition.write(to: folder("s.json"))
        let read = try Composition(contentsOf: folder("s.json"))
        #expect(read.tracks.map(\.automation) == composition.tracks.map(\.automation))
        #expect(read.duration == frames(4000))
        #expect(throws: CompositionError.self) { try Composition(contentsOf: self.folder("none.json")) }
    }

    /// What is missing is said before anything is mixed; names lead to the files wherever the composition is
    /// written.
    @Test func missingFilesAreReportedAndNamesLeadToTheirFiles() async throws {
        let (asset, other) = (try file("m.wav", 5000), TemporaryFolder())
        var composition = try Composition(folder: other.path)
        let id = try composition.addTrack(named: "music")
        try composition.insert(range(0, 4000), of: asset, at: .zero, on: id)
        #expect(composition.problems() == [])
        try composition.write(to: folder("there.json"))
        #expect(try Composition(contentsOf: folder("there.json")).tracks[0].clips.map(\.file) == ["m.wav"])
        try composition.write(to: other("here.json"))
        #expect(try Composition(contentsOf: other("here.json")).duration == frames(4000))

        var relative = try Composition(contentsOf: folder("there.json"))
        try relative.insert(range(0, 10), of: asset, at: frames(4500), on: relative.tracks[0].id)
        #expect(relative.tracks[0].clips.map(\.file) == ["m.wav", "m.wav"], "one name for one file")
        await #expect(throws: ExportError.isSource(path: asset.path)) {
            try await Exporter(relative, preset: .wavFloat).export(to: asset.path, naming: .replace)
        }

        let unique = try await Exporter(relative, preset: .wavFloat).export(to: asset.path, naming: .unique)
            .path
        #expect(unique == folder("m-1.wav"))
        try FileManager.default.removeItem(atPath: asset.path)
        #expect(relative.problems().map(\.place) == ["track 1, clip 1, file", "track 1, clip 2, file"])
        #expect(throws: CompositionError.self) { try MixReader(relative) }
        let error = await #expect(throws: ExportError.self) {
            try await Exporter(relative, preset: .wavFloat).export(to: other("out.wav"))
        }
        #expect("\(error!)".contains("m.wav: there is no such file"))
        #expect(!FileManager.default.fileExists(atPath: other("out.wav")))
    }

    /// What leads to its file stays as it was written: through a link, and beside the folder; a letter that
    /// is written in another way is another folder.
    @Test func namesThatLeadToTheirFilesStay() throws {
        let files = FileManager.default
        for name in ["show", "disk", "e\u{301}", "\u{e9}"] {
            try files.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
        }
        _ = try file("disk/a.wav", 1000)
        try files.createSymbolicLink(atPath: folder("show/media"), withDestinationPath: "../disk")
        try #"""
        { "jmix": 1, "tracks": [{ "name": "t", "clips": [{ "file": "media/a.wav" },
        { "file": "../disk/a.wav", "at": "1s" }] }] }
        """#
        .write(toFile: folder("show/s.json"), atomically: true, encoding: .utf8)
        var composition = try Composition(contentsOf: folder("show/s.json"))
        try composition.insert(
            range(0, 10), of: Asset(folder("show/media/a.wav")), at: MediaTime(seconds: 2),
            on: composition.tracks[0].id)
        try composition.write(to: folder("show/s.json"))
        #expect(
            try Composition(contentsOf: folder("show/s.json")).tracks[0].clips.map(\.file) == [
                "media/a.wav", "../disk/a.wav", "media/a.wav",
            ])
        try composition.write(to: folder("disk/s.json"))
        #expect(
            try Composition(contentsOf: folder("disk/s.json")).tracks[0].clips.map(\.file) == [
                "a.wav", "../disk/a.wav", "a.wav",
            ])

        _ = try file("e\u{301}/b.wav", 1000)
        var other = try Composition(folder: folder("\u{e9}"))
        try other.insert(of: Asset(folder("e\u{301}/b.wav")), at: .zero, on: other.addTrack())
        #expect(other.tracks[0].clips[0].file.text == folder("e\u{301}/b.wav") && other.problems() == [])
    }
}
