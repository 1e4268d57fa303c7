import AudioFile
import Console
import Engine
import Files
import Glibc
import Loop
import Timeline

/// A session read from its file, with all that is wrong with it.
struct OpenedSession {
    let store: SessionStore
    /// nil: the file is no session at all.
    let session: Session?
    let library: MediaLibrary
    let problems: [SessionProblem]
    /// Fields that nobody knows.
    let strangers: [SessionProblem]
    fileprivate let text: String?

    /// - Parameters:
    ///   - isLive: what has to be decoded is played while it is; else it is waited for.
    ///   - unsaved: what is done with changes that a mixer has not saved.
    /// - Throws: `Failure` if the file cannot be read.
    init(_ name: String?, isLive: Bool = false, unsaved: Unsaved = .leftOut) throws(Failure) {
        store = SessionStore(name)
        text = store.path.flatMap { try? AtomicFile.read($0) }
        library = MediaLibrary(folder: store.folder)
        do throws(FileError) {
            // Where the file cannot be read the store says why.
            let reading = if let text { SessionFile.read(text) } else { try store.read() }
            let changed = unsaved == .leftOut ? nil : Self.changed(since: reading.session, store)
            if changed != nil, case .said(let way) = unsaved { Self.sayUnsaved(store, way) }
            (session, strangers) = (
                unsaved == .taken ? changed ?? reading.session : reading.session, reading.strangers
            )
            let (library, session) = (library, session)
            if !isLive, let session { Self.decode(session, library) }
            problems =
                (unsaved == .taken && changed != nil ? [] : reading.problems)
                + (session.map { SessionCheck.problems($0, library: library) } ?? [])
        } catch {
            throw Failure("\(error)")
        }
    }

    /// What is done with changes that are kept and not saved.
    enum Unsaved: Equatable {
        case leftOut
        /// It is said that they are left out, and what takes them.
        case said(String)
        /// They are taken in place of what is saved.
        case taken
    }

    /// The newest changes behind the last save; nil: there are none.
    private static func changed(since saved: Session?, _ store: SessionStore) -> Session? {
        store.unsaved(beside: saved ?? Session()).first { store.isNewer($0) && $0.session != saved }?.session
    }

    private static func sayUnsaved(_ store: SessionStore, _ way: String) {
        inform(
            "jmix: \(store.path ?? "session") has changes that are not saved: they are left out; \(way)")
    }

    /// Has all that must be decoded be decoded, the files beside each other: what is looked at then is whole.
    private static func decode(_ session: Session, _ library: MediaLibrary) {
        let bar = ProgressBar("decoding")
        defer { bar.clear() }
        library.makeReady(session) { share in
            bar.show(share)
            return true
        }
    }

    /// The session, if nothing is wrong but what `tolerated` allows; that is said and left silent.
    /// - Throws: `Failure` that names every other problem.
    func usable(_ tolerated: Set<SessionProblem.Kind>, hint: String) throws(Failure) -> Session {
        let session = try check(tolerated, hint: hint)
        for problem in problems {
            inform("jmix: \(store.path ?? "session"): \(problem.withItsEffect)")
        }
        return session
    }

    /// The same, and nothing is said of what is tolerated.
    @discardableResult
    func check(_ tolerated: Set<SessionProblem.Kind>, hint: String = "") throws(Failure) -> Session {
        // A picture that is missing keeps nobody from the sound.
        let fatal = problems.filter { $0.kind != .missingVideo && !tolerated.contains($0.kind) }
        guard let session, fatal.isEmpty else {
            throw Failure(
                fatal.map { "\(store.path ?? "session"): \($0)" }.joined(separator: "\n")
                    + (fatal.allSatisfy { $0.kind == .missingFile } ? hint : ""))
        }
        return session
    }
}

extension OpenedSession {
    /// What nothing that is made of the session may replace.
    /// - Parameters:
    ///   - movie: whose picture goes in, in place of the session's.
    ///   - cover: the picture that goes in.
    func sources(movie: String? = nil, cover: String? = nil) -> SourceFiles {
        SourceFiles(
            of: session ?? Session(), in: library, savedAs: store.path, movie: movie, cover: cover)
    }

    /// Whether its file still says what was read.
    var isCurrent: Bool { store.path.map { (try? AtomicFile.read($0)) == text } ?? true }
}
