import Files
import Timeline

/// All files that something is made of. None of them may be replaced by what is made.
public struct SourceFiles {
    private let files: Set<FilePath>

    /// The sounds of a session's clips and its movie, and what else goes in.
    /// - Parameters:
    ///   - library: knows where the session's files are.
    ///   - path: the session's own file, whose earlier versions beside it count too; nil: it has none.
    ///   - movie: whose picture goes in, in place of the session's.
    ///   - cover: the picture that goes in.
    public init(
        of session: Session, in library: MediaLibrary, savedAs path: String?, movie: String?, cover: String?
    ) {
        let saved = path.map { [$0] + AtomicFile.previous($0) } ?? []
        let all = session.files.map(library.path) + saved + [movie, cover].compactMap(\.self)
        files = Set(all.compactMap(Path.resolved).map { FilePath($0) })
    }

    /// Whether a name leads to one of them, by whatever links.
    public func hold(_ path: String) -> Bool {
        Path.resolved(path).map { files.contains(FilePath($0)) } ?? false
    }
}
