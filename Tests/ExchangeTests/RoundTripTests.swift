import Engine
import Exchange
import Files
import TestSupport
import Testing
import Timeline

/// A session goes to another program's file and comes back: every clip lies where it lay, to the frame.
@Suite struct RoundTripTests {
    private static let rate: Int32 = 48000
    private static let seconds = 20

    /// Tracks of clips that do not lie over each other, on frames of sound.
    private static func session(_ random: inout Seeded, _ files: [String]) -> Session {
        var session = Session()
        for index in 0..<Int.random(in: 1...4, using: &random) {
            var track = Track(name: "track \(index + 1)")
            var frame = Int64(0)
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                frame += [0, Int64.random(in: 0...200_000, using: &random)].randomElement(using: &random)!
                let length = Int64.random(in: 1000...200_000, using: &random)
                var clip = Clip(file: FilePath(files.randomElement(using: &random)!))
                clip.at = MediaTime(frame: frame, rate: rate)
                clip.from = MediaTime(
                    frame: .random(in: 0...(Int64(seconds) * Int64(rate) - length), using: &random),
                    rate: rate)
                clip.duration = MediaTime(frame: length, rate: rate)
                track.clips.append(clip)
                frame += length
            }
            session.append(track)
        }
        return session
    }

    /// What of a clip has to come back.
    private struct Place: Equatable {
        let file: String
        /// In frames.
        let at: Int64
        let from: Int64
        let duration: Int64?

        init(_ clip: Clip) {
            file = Path.name(of: clip.file.text)
            (at, from) = (clip.at.frame(atRate: rate), clip.from.frame(atRate: rate))
            duration = clip.duration?.frame(atRate: rate)
        }
    }

    @Test(arguments: 0..<25, [(Export.Kind.otio, Import.Kind.otio), (.dawproject, .dawproject)])
    func everyClipComesBackToTheFrame(_ seed: Int, kinds: (there: Export.Kind, back: Import.Kind)) throws {
        var random = Seeded(state: UInt64(seed))
        let folder = TemporaryFolder()
        let files = try ["music.wav", "voice & \"x\".wav"].map { name in
            try folder.file(name, frames: Self.seconds * Int(Self.rate)) { _ in (0.25, -0.25) }
        }
        let session = Self.session(&random, files)
        let library = MediaLibrary(folder: folder.path)
        library.makeReady(session)
        let path = folder("show.\(kinds.there.rawValue)")
        let losses = try Export(session, library: library, as: kinds.there, pictureRate: nil).write(to: path)
        #expect(losses.sentences.isEmpty || kinds.there != .dawproject, "seed \(seed): \(losses.sentences)")
        let back = try Import(path, as: kinds.back, soundFolder: folder("sounds")).session
        let (before, after) = (Self.places(session), Self.places(back))
        #expect(after == before, "seed \(seed)")
    }

    /// Those of each track that has any, by its name.
    private static func places(_ session: Session) -> [String: [Place]] {
        Dictionary(
            uniqueKeysWithValues: session.tracks.filter { !$0.clips.isEmpty }.map {
                ($0.name, $0.clips.map(Place.init))
            })
    }

    @Test(arguments: Import.Kind.allCases) func anUnreadableFileIsRefused(kind: Import.Kind) throws {
        let folder = TemporaryFolder()
        #expect(throws: ExchangeError.self) {
            try Import(folder("none.\(kind)"), as: kind, soundFolder: folder("sounds"))
        }
        for text in ["", "{", "<", "PK\u{3}\u{4}", "[1, 2", "\u{0}\u{0}\u{0}"]
        where [.otio, .dawproject].contains(kind) {
            try AtomicFile.write(text, to: folder("x.\(kind)"))
            #expect(throws: ExchangeError.self, "\(text)") {
                try Import(folder("x.\(kind)"), as: kind, soundFolder: folder("sounds"))
            }
        }
        #expect(Path.content(of: folder("sounds")) == nil, "nothing is left")
    }
}
