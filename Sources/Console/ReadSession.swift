import AudioFile
import Engine
import Files
import Remote
import Timeline

/// A session as it was read from its file, and what is known of the files that it plays. Made by a thread
/// that may wait for a disk.
package struct ReadSession: Sendable {
    let session: Session
    let findings: [MediaFinding]
    /// What of it is not heard as it says, in the words of the start; of many the first.
    let faults: [String]

    private static let mostFaults = 20

    /// - Throws: `CommandError`: it cannot be read, or makes no sense.
    init(_ store: SessionStore) throws(CommandError) {
        let reading: SessionFile.Reading
        do throws(FileError) { reading = try store.read() } catch { throw CommandError("\(error)") }
        let path = store.path ?? "session"
        guard let session = reading.session, reading.problems.isEmpty else {
            throw CommandError(
                "\(path): \(reading.problems.map(\.description).joined(separator: "; "))")
        }
        let places = Set(session.tracks.flatMap(\.clips).map { SoundPlace(of: $0, in: store.folder) })
        (self.session, findings) = (session, places.map(MediaFinding.init))
        faults = Self.faults(of: session, in: store.folder, findings).map { "\(path): \($0)" }
    }

    /// What is said where the server runs at another rate than the session; nil where both are the same.
    package static func conversion(from session: Int32, to server: Int32) -> String? {
        server == session
            ? nil
            : """
            the JACK server runs at \(server) Hz, the session at \(session) Hz: all files are converted to \
            \(server) Hz
            """
    }

    private static func faults(
        of session: Session, in folder: String, _ findings: [MediaFinding]
    ) -> [String] {
        let library = MediaLibrary(folder: folder, trustsWhatItKnows: true)
        library.adopt(findings)
        let problems = SessionCheck.problems(session, library: library)
        let rest = problems.count - mostFaults
        return problems.prefix(mostFaults).map(\.withItsEffect)
            + (rest > 0 ? ["\(rest) faults more: jmix check names them"] : [])
    }
}
