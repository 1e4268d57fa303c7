import AudioFile
import Engine
import Files
import Timeline

/// A session as a file of another program.
public struct Export {
    /// The programs, by the extension of their files.
    public enum Kind: String, CaseIterable, Sendable {
        /// OpenTimelineIO, which editors of pictures read.
        case otio
        /// Ardour 7.
        case ardour
        /// DAWproject, which Bitwig, Studio One, Cubase and others read.
        case dawproject
        /// A decision list, CMX 3600.
        case edl
        /// MLT, as melt, Kdenlive and Shotcut play it.
        case mlt
    }

    private let session: Session
    private let library: MediaLibrary
    private let kind: Kind
    /// Frames of picture a second, where a kind counts in those; nil: those of the movie, or the standard.
    private let pictureRate: PictureRate?

    /// What is missing in `session` is left out, and named.
    public init(_ session: Session, library: MediaLibrary, as kind: Kind, pictureRate: PictureRate?) {
        (self.session, self.library, self.kind, self.pictureRate) = (session, library, kind, pictureRate)
    }

    /// Writes the file, and beside it what it needs.
    /// - Parameters:
    ///   - replaces: what has that name is replaced; else that is an error.
    ///   - goesOn: asked now and then; false gives up.
    /// - Returns: what of the session it does not say.
    /// - Throws: `ExchangeError`: something cannot be read or written, or it was given up; then nothing is
    ///   left of it.
    public func write(
        to path: String, replaces: Bool = true, goesOn: @escaping () -> Bool = { true }
    ) throws(ExchangeError) -> Losses {
        let target = Target(
            path: path, replaces: replaces,
            sources: SourceStamps(session, library, movie: session.video), goesOn: goesOn)
        let losses = Losses()
        do {
            try write(to: target, losses)
        } catch {
            throw ExchangeError("\(error)")
        }
        return losses
    }

    private func write(to target: Target, _ losses: Losses) throws {
        let outline = Outline(session, library, losses)
        let movie = Movie(outline, losses)
        let (pictureRate, title) = (pictureRate ?? movie?.rate ?? .standard, Path.stem(of: target.path))
        switch kind {
        case .ardour:
            let sounds = SoundFiles(outline, folder: ArdourSession.soundFolder(of: target.path)) {
                ArdourSession.plays($0, atRate: outline.rate)
            }
            let document = ArdourSession(outline, named: target.path, sounds, losses).document
            try target.publish(document, with: sounds)
        case .otio: try target.publish(OTIOWriter(outline, movie, losses).text)
        case .dawproject:
            try DAWProjectWriter(outline, in: AtomicFile.temporaryPath(for: target.path), losses).write(
                to: target.path, title: title, replaces: target.replaces, target.sources, target.goesOn)
        case .edl: try target.publish(EDLWriter(outline, movie, pictureRate, title: title, losses).text)
        case .mlt:
            let sounds = SoundFiles(
                outline, folder: MLTWriter.soundFolder(of: target.path), isPlayable: MLTWriter.plays)
            let document = MLTWriter(outline, movie, pictureRate, sounds, losses).document(title: title)
            try target.publish(document, with: sounds)
        }
    }

    /// Where it is written, and what it is made of.
    private struct Target {
        let path: String
        let replaces: Bool
        let sources: SourceStamps
        let goesOn: () -> Bool

        func publish(_ document: String) throws {
            try sources.check()
            try AtomicFile.write(document, to: path, replaces: replaces)
        }

        /// The same, with the sounds that it plays beside it.
        func publish(_ document: String, with sounds: SoundFiles) throws {
            try sounds.write(goesOn) {
                if !replaces, Path.exists(path) { throw AtomicFile.taken(path) }
            } then: {
                try publish(document)
            }
        }
    }
}
