import Files
import Glibc
import Logging
import Realtime
import Timeline

/// Keeps what has not been saved on the disk, so that a crash loses at most a tenth of a second: a file beside the session's, written on a thread of its own.
/// While a mixer has the session open it holds the file's lock.
final class Journal: @unchecked Sendable {
    // Safe to share: all that changes is behind `state`.
    private struct State {
        /// The session as its file has it, and as it is now.
        var base: Session
        var latest: Session
        /// What the journal says; nil: it has to begin anew.
        var written: Session?
        /// Grows when the session is saved.
        var saves = 0
        var hasFailed = false
    }

    let path: String
    /// What an earlier run has left, if it differs from what was saved.
    let found: Session?
    /// Another mixer has the session open.
    let isHeldByAnother: Bool
    /// Whether there is a file to write to.
    var isKept: Bool { descriptor >= 0 }
    private let descriptor: Int32
    /// How much of the file is whole.
    private let length: Int
    private let state: Guarded<State>
    private var worker: Worker?

    private static let intervalMilliseconds = 100

    /// - Parameter session: as it was read from its file.
    init(_ store: SessionStore, _ session: Session) {
        path = store.journal
        state = Guarded(State(base: session, latest: session))
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        isHeldByAnother = descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0
        let saved = store.path.flatMap { try? AtomicFile.read($0) } ?? ""
        let left = isHeldByAnother ? nil : (try? AtomicFile.read(path)).flatMap { SessionJournal.replay($0, saved: saved) }
        found = left.flatMap { $0.session == session ? nil : $0.session }
        length = left?.length ?? 0
    }

    /// Begins to keep the changes: goes on with what was found if that is what is played, else gives it up.
    func begin(_ session: Session) {
        guard descriptor >= 0, !isHeldByAnother else { return }
        let goesOn = session == found
        ftruncate(descriptor, goesOn ? length : 0)
        state.withLock { ($0.latest, $0.written) = (session, goesOn ? session : nil) }
        worker = Worker("jmix-journal", every: 1000) { [unowned self] in write() }
    }

    /// The session has changed.
    func note(_ session: Session) {
        state.withLock { $0.latest = session }
        worker?.wake()
    }

    /// The session is about to be saved as `text`: once its file says that, what the journal says up to here is saved. Waits for the disk, as saving does.
    func noteSaving(_ text: String) {
        guard worker != nil else { return }
        state.withLock { state in
            // What the journal's thread is about to write is older than this, and not to come behind it.
            state.saves += 1
            _ = append(SessionJournal.line(saving: text))
        }
        fdatasync(descriptor)
    }

    /// The session has been saved: nothing is left to keep.
    func noteSaved(_ session: Session) {
        state.withLock { state in
            (state.base, state.latest, state.written) = (session, session, nil)
            state.saves += 1
        }
        worker?.wake()
    }

    /// Ends; what has not been saved stays for the next run.
    /// - Returns: whether there is anything.
    @discardableResult
    func end() -> Bool {
        guard descriptor >= 0 else { return false }
        worker?.end()
        worker = nil
        let isLeft = !isHeldByAnother && state.withLock { $0.written != nil && $0.latest != $0.base }
        if !isLeft, !isHeldByAnother { unlink(path) }
        close(descriptor)
        return isLeft
    }

    /// The journal's thread.
    private func write() {
        let now = state.withLock { $0 }
        var lines = ""
        if let written = now.written {
            if now.latest != written { lines = SessionJournal.line(from: written, to: now.latest) }
        } else {
            ftruncate(descriptor, 0)
            if now.latest != now.base { lines = SessionJournal.line(beginning: now.base) + SessionJournal.line(from: now.base, to: now.latest) }
        }
        guard !lines.isEmpty else { return }
        let isDone = state.withLock { state in
            // About to be saved meanwhile: the next turn writes what is then to be kept.
            guard state.saves == now.saves else { return true }
            guard append(lines) else { return false }
            state.written = now.latest
            return true
        }
        guard isDone else { return say() }
        fdatasync(descriptor)
        usleep(UInt32(Self.intervalMilliseconds) * 1000)
    }

    private func append(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let end = lseek(descriptor, 0, SEEK_END)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            // Half a line would end the journal there.
            ftruncate(descriptor, end)
            return false
        }
        return true
    }

    private func say() {
        let isNew = state.withLock { state in
            defer { state.hasFailed = true }
            return !state.hasFailed
        }
        if isNew { Logger(label: "jmix").warning("\(path) cannot be written (\(String(cString: strerror(errno)))): unsaved changes would be lost with a crash") }
    }
}
