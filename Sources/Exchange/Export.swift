import AudioFile
import Engine
import Files
import Timeline

/// Why a session cannot be written for another program, or what another has written not be read.
public struct ExchangeError: Error, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }

    /// What the system refused while `path` was read. Whoever asked names that file.
    init(_ error: FileError, of path: String) {
        description = error.path == path ? "cannot \(error.action): \(error.reason)" : "\(error)"
    }

    /// Whoever asked has given it up.
    static let interrupted = ExchangeError("it was interrupted; nothing is left of it")
}

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
        let sources = SourceStamps(session, library, movie: session.video)
        let losses = Losses()
        let outline = Outline(session, library, losses)
        let movie = Movie(outline, losses)
        let pictureRate = pictureRate ?? movie?.rate ?? .standard
        func publish(_ document: String) throws {
            try sources.check()
            try AtomicFile.write(document, to: path, replaces: replaces)
        }
        func refuseTaken() throws {
            if !replaces, Path.exists(path) { throw AtomicFile.taken(path) }
        }
        do {
            switch kind {
            case .ardour:
                let sounds = SoundFiles(outline, folder: ArdourSession.soundFolder(of: path)) {
                    ArdourSession.plays($0, atRate: outline.rate)
                }
                let document = ArdourSession(outline, named: path, sounds, losses).document
                try sounds.write(goesOn, unless: refuseTaken) { try publish(document) }
            case .otio: try publish(OTIOWriter(outline, movie, losses).text)
            case .dawproject:
                try DAWProjectWriter(outline, in: AtomicFile.temporaryPath(for: path), losses).write(
                    to: path, title: Path.stem(of: path), replaces: replaces, sources, goesOn)
            case .edl:
                try publish(EDLWriter(outline, movie, pictureRate, title: Path.stem(of: path), losses).text)
            case .mlt:
                let sounds = SoundFiles(
                    outline, folder: MLTWriter.soundFolder(of: path), isPlayable: MLTWriter.plays)
                let document = MLTWriter(outline, movie, pictureRate, sounds, losses).document(
                    title: Path.stem(of: path))
                try sounds.write(goesOn, unless: refuseTaken) { try publish(document) }
            }
        } catch {
            throw ExchangeError("\(error)")
        }
        return losses
    }
}
