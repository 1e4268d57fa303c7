import AudioFile
import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// A file that is mixed, and written to meanwhile.
@Suite struct ChangedSources {
    let folder = TemporaryFolder()

    private enum Change: CaseIterable { case writtenTo, replaced, removed, copiedElsewhere }

    /// What a render of one file says that is changed while it goes on; and what is left of it.
    private func rendering(_ change: Change) throws -> (failure: String?, isThere: Bool) {
        try folder.file("a.wav", frames: 96000) { n in (Float(n) / 0x1p20, 0) }
        try folder.file("b.wav", frames: 96000) { _ in (0.5, 0.5) }
        var (session, track) = (Session(), Track(name: "a"))
        track.clips = [Clip(file: "a.wav")]
        session.append(track)
        let (source, out) = (folder("a.wav"), folder("out \(change).wav"))
        var hasChanged = false
        func act() throws {
            if hasChanged { return }
            hasChanged = true
            switch change {
            case .writtenTo:
                let handle = try #require(FileHandle(forWritingAtPath: source))
                try handle.seek(toOffset: 4000)
                try handle.write(contentsOf: Data(repeating: 0, count: 400))
                try handle.close()
            case .replaced: _ = rename(folder("b.wav"), source)
            case .removed: unlink(source)
            case .copiedElsewhere: try FileManager.default.copyItem(atPath: source, toPath: folder("c.wav"))
            }
        }
        var failure: String?
        let format = try OutputFormat(path: out, samples: .float, sampleRate: 48000, frames: 96000)
        do throws(OfflineRender.Failure) {
            _ = try OfflineRender(session, library: folder.library, frames: 0..<96000).write(
                to: OfflineRender.File(out, format)
            ) { _ in (try? act()) != nil }
        } catch { failure = "\(error)" }
        #expect(hasChanged)
        return (failure, FileManager.default.fileExists(atPath: out))
    }

    @Test func aRenderOfAFileThatChangesIsNone() throws {
        for change in [Change.writtenTo, .replaced] {
            let (failure, isThere) = try rendering(change)
            #expect(failure?.contains("a.wav: it has changed meanwhile") == true && !isThere)
        }
        // Who plays it has it open.
        for change in [Change.removed, .copiedElsewhere] {
            let (failure, isThere) = try rendering(change)
            #expect(failure == nil && isThere)
        }
    }
}
