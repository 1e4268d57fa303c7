import Files
import Glibc
import Timeline

/// A session as it was when its mixer ended, or went on with another, without saving it: kept in its journal,
/// in a file of its own, NAME.recovered.json, or by a take that was being recorded.
package struct KeptSession: Sendable {
    package let path: String
    package let session: Session
    /// In nanoseconds since 1970.
    package let keptAt: Int64

    private static let mark = ".recovered"

    /// The file of the first that is kept of a session.
    fileprivate static func name(of session: String) -> String { "\(session)\(mark).json" }

    /// Whether a file of that name keeps what was not saved of a session; if one is named, of that.
    static func isName(_ name: String, of session: String? = nil) -> Bool {
        guard Path.fileExtension(of: name) == "json" else { return false }
        let stem = Path.stem(of: name)
        guard let range = stem.ranges(of: mark).last, session == nil || stem[..<range.lowerBound] == session!
        else { return false }
        let number = stem[range.upperBound...]
        return number.isEmpty || (number.hasPrefix("-") && Int(number.dropFirst()) != nil)
    }
}

extension SessionStore {
    /// Keeps a session that is not to be lost nor to take the session's place: as NAME.recovered.json beside
    /// it, or with a number if that is taken. Where nothing can be written (the disk is full, the folder is
    /// not the user's) it goes to the folder in which the user's programs keep their state.
    /// - Returns: the path of what was written.
    /// - Throws: `FileError`: neither could be written.
    package func keep(_ session: Session) throws(FileError) -> String {
        do throws(FileError) {
            return try keep(session, in: folder)
        } catch {
            guard let elsewhere, Path.makeFolder(elsewhere) else { throw error }
            return try keep(session, in: elsewhere)
        }
    }

    /// What is kept of this session, the newest first.
    package var kept: [KeptSession] {
        [folder, elsewhere].compactMap { $0 }.flatMap { folder in
            (Path.content(of: folder) ?? []).filter { KeptSession.isName($0, of: stem) }.compactMap {
                name -> KeptSession? in
                let path = Path.join(folder, name)
                guard let text = try? AtomicFile.read(path), let session = SessionFile.read(text).session,
                    let time = Path.changedAt(path)
                else { return nil }
                return KeptSession(path: path, session: session, keptAt: time)
            }
        }.sorted { $0.keptAt > $1.keptAt }
    }

    /// The same with what the session's journal keeps, be it of a mixer that runs.
    /// - Parameter saved: the session as its file has it.
    package func unsaved(beside saved: Session) -> [KeptSession] {
        ([Journal.left(of: self, beside: saved)].compactMap { $0 } + kept).sorted { $0.keptAt > $1.keptAt }
    }

    /// Whether it was kept after the session was saved.
    package func isNewer(_ kept: KeptSession) -> Bool { kept.keptAt > path.flatMap(Path.changedAt) ?? .min }

    private var stem: String { Path.stem(of: name) }

    /// The folder of the user's state that stands for the session's.
    private var elsewhere: String? {
        // The folder may be gone.
        Path.stateFolder.map { Path.join($0, "unsaved") + (Path.resolved(folder) ?? Path.absolute(folder)) }
    }

    private func keep(_ session: Session, in folder: String) throws(FileError) -> String {
        let wanted = Path.join(folder, KeptSession.name(of: stem))
        let target = try claim(wanted, for: session)
        do throws(FileError) { try AtomicFile.write(SessionFile.text(session), to: target) } catch {
            var info = stat()
            if stat(target, &info) == 0, info.st_size == 0 { unlink(target) }
            throw error
        }
        return target
    }

    /// The name under which a session is kept: the wanted one, or with a number if that is taken.
    private func claim(_ wanted: String, for session: Session) throws(FileError) -> String {
        var (target, number) = (wanted, 1)
        // What is kept already is not kept twice; it is the newest then. A name is taken by making the file,
        // so that no two take the same.
        while true {
            let claim = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if claim >= 0 {
                close(claim)
                break
            }
            guard errno == EEXIST else {
                throw FileError(path: target, action: "write", reason: String(cString: strerror(errno)))
            }
            let present = (try? AtomicFile.read(target)).flatMap { SessionFile.read($0).session }
            if present.map(SessionFile.json) == SessionFile.json(session) { break }
            number += 1
            target = Path.numbered(wanted, number)
        }
        return target
    }
}
