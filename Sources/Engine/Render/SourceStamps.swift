import AudioFile
import Files
import Timeline

/// The state of the files that a session plays: who reads them for a while looks at the end whether they are
/// what they were.
package struct SourceStamps {
    private let stamps: [FilePath: FileStamp]

    /// - Parameter movie: the session's, where it is a source too.
    package init(_ session: Session, _ library: MediaLibrary, movie: Video? = nil) {
        let movies = movie.map { [FilePath(library.path(of: $0.file))] } ?? []
        let paths = Set(session.tracks.flatMap(\.clips).map { library.place(of: $0).file } + movies)
        stamps = Dictionary(
            uniqueKeysWithValues: paths.compactMap { path in FileStamp(path.text).map { (path, $0) } })
    }

    /// One that has gone is what it was: who plays it has it open.
    /// - Throws: `AudioFileError` if one of them was written to, or another has taken its place.
    package func check() throws(AudioFileError) {
        let changed = stamps.filter { path, stamp in FileStamp(path.text).map { $0 != stamp } ?? false }
        if let path = changed.keys.min() {
            throw AudioFileError(
                path: path.text,
                reason: "it has changed meanwhile: of which state the result is nobody knows")
        }
    }
}
