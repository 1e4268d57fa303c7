import Engine
import Files
import Glibc
import JSON
import Logging
import Loop
import Realtime
import Timeline

/// Keeps what has not been saved on the disk, so that a crash loses at most a tenth of a second: a file
/// beside the session's, written on a thread of its own. While a mixer has the session open it holds the
/// file's lock.
package final class Journal: @unchecked Sendable {
    // Safe to share: what threads share is behind `state`, the file behind `saves`; whoever notes a change
    // waits for neither a disk nor the other lock.
    private struct State {
        /// The session as its file has it, and as it is now.
        var base: Session
        var latest: Session
        /// What makes it of what it was, where that takes a while.
        var making: (@Sendable () -> Session)?
        /// How often it was said as it is, and not to be made.
        var notes = 0
        /// How often it has changed.
        var changes = 0
        /// What the journal says; nil: it has to begin anew. And after how many changes that was.
        var written: Session?
        var writtenChanges = 0
        /// Takes that the session has by now, or shall not have: no mark of theirs is needed once that is
        /// written.
        var safeTakes: [String] = []
        var hasFailed = false
    }

    private let lock: JournalLock
    private var store: SessionStore { lock.store }
    package var path: String { store.journal }
    /// What an earlier run has left, if it differs from what was saved.
    package let found: KeptSession?
    /// Another program has the session open.
    package var isHeldByAnother: Bool { lock.isHeldByAnother }
    private var isHeld: Bool { lock.isHeld }
    private var unkept: String {
        "\(path) cannot be written: unsaved changes would be lost with a crash (\(lock.failure ?? ""))"
    }
    /// What whoever opens the session is to be told.
    package var warnings: [String] {
        (isHeldByAnother
            ? ["another jmix has this session open: what one saves, the other may save over"] : [])
            + (isKept ? [] : [unkept]) + takeWarnings
    }
    /// Whether there is a file to write to.
    package var isKept: Bool { descriptor >= 0 }
    private var descriptor: Int32 { lock.descriptor }
    /// What an earlier run was recording: `found` has it.
    private let leftTakes: [String]
    private let takeWarnings: [String]
    /// How much of the file is whole.
    private let length: Int
    private let state: Guarded<State>
    /// Held while the file is written: how often the session has been saved.
    private let saves = Guarded(0)
    private var worker: Worker?
    /// The journal's thread: what it has written last, as the file has it.
    private var writtenJSON: JSONValue?
    private var hasEnded = false

    private static let intervalMilliseconds = 30

    /// - Parameter session: as it was read from its file.
    /// - Parameter findsTakes: takes that are being recorded are what an earlier run has left.
    package convenience init(_ store: SessionStore, _ session: Session, findsTakes: Bool = true) {
        self.init(JournalLock(store), session, findsTakes: findsTakes)
    }

    /// - Parameter session: as it was read from its file behind the lock.
    package init(_ lock: JournalLock, _ session: Session, findsTakes: Bool = true) {
        self.lock = lock
        state = Guarded(State(base: session, latest: session))
        // Where nothing can be written it can be read all the same.
        let left = lock.isHeldByAnother ? nil : Self.replay(lock.store, lock.descriptor)
        let takes =
            lock.isHeldByAnother || !findsTakes
            ? nil : LeftTakes(of: lock.store, in: left?.kept.session ?? session)
        found = Self.found(left?.kept, takes, session)
        leftTakes = takes.map { ($0.laid + $0.empty).map(\.take) } ?? []
        takeWarnings = takes?.warnings ?? []
        length = left?.length ?? 0
    }

    /// What the journal of a session keeps, and what was being recorded, be it of a mixer that runs; it is
    /// only looked at.
    static func left(of store: SessionStore, beside saved: Session) -> KeptSession? {
        let kept = replay(store, -1)?.kept
        return found(kept, LeftTakes(of: store, in: kept?.session ?? saved), saved)
    }

    /// What an earlier run has left, with its recordings, if it differs from what was saved.
    private static func found(
        _ left: KeptSession?, _ takes: LeftTakes?, _ saved: Session
    ) -> KeptSession? {
        var left = left
        if let takes, let newest = takes.changedAt {
            left = KeptSession(
                path: left?.path ?? takes.laid[0].take, session: takes.session,
                keptAt: max(left?.keptAt ?? 0, newest))
        }
        return left.flatMap { $0.session == saved ? nil : $0 }
    }

    /// What it says, and how many of its bytes are whole; read by its name where it is not open, and then no
    /// link is followed.
    private static func replay(
        _ store: SessionStore, _ descriptor: Int32
    ) -> (kept: KeptSession, length: Int)? {
        let path = store.journal
        let saved = store.path.flatMap { try? AtomicFile.read($0) } ?? ""
        guard descriptor >= 0 || !Path.isLink(path), let time = Path.changedAt(path),
            let text = try? (descriptor >= 0 ? AtomicFile.read(descriptor, path) : AtomicFile.read(path)),
            let left = SessionJournal.replay(text, saved: saved)
        else { return nil }
        return (KeptSession(path: path, session: left.session, keptAt: time), left.length)
    }

    /// Tells other programs of this machine where the mixer that has the session open listens.
    package func tell(_ address: String) {
        // Where that cannot be written, they are told to ask elsewhere.
        if isHeld { try? AtomicFile.write(address + "\n", to: store.presence) }
    }

    /// Where the mixer listens that has a session open, if it says so.
    package static func address(of store: SessionStore) -> String? {
        (try? AtomicFile.read(store.presence))?.split(separator: "\n").first.map(String.init)
    }

    /// The same if it has the session open by now.
    package static func addressOfOwner(of store: SessionStore) -> String? {
        let lock = JournalLock(store)
        defer { lock.release() }
        return lock.isHeldByAnother ? address(of: store) : nil
    }

    /// Begins to keep the changes: goes on with what was found if that is what is played, else gives it up.
    package func begin(_ session: Session) {
        let goesOn = session == found?.session
        let isSaved = state.withLock { state in
            (state.latest, state.written) = (session, goesOn && leftTakes.isEmpty ? session : nil)
            state.safeTakes = leftTakes
            return session == state.base
        }
        guard isHeld else { return }
        // What was found stays until what takes its place is on the disk; half a line goes.
        ftruncate(descriptor, isSaved ? 0 : length)
        worker = Worker("jmix-journal", every: 1000) { [unowned self] in write() }
        worker?.wake()
    }

    /// The session has changed.
    package func record(_ session: Session) {
        state.withLock { state in
            (state.latest, state.making) = (session, nil)
            state.changes += 1
            state.notes += 1
        }
        worker?.wake()
    }

    /// The same of a session that the journal's thread is to make.
    func record(_ making: @escaping @Sendable () -> Session) {
        state.withLock { state in
            state.making = making
            state.changes += 1
        }
        worker?.wake()
    }

    /// Takes whose clips the session has, or shall not have.
    func noteSafe(_ takes: [String]) {
        if takes.isEmpty { return }
        state.withLock { $0.safeTakes += takes }
        worker?.wake()
    }

    private func removeMarks(_ takes: [String]) {
        if takes.isEmpty { return }
        for take in takes { TakeMark.remove(of: take) }
        state.withLock { $0.safeTakes.removeAll { takes.contains($0) } }
    }

    /// The journal's thread.
    private func makeLatest() {
        let (making, notes) = state.withLock { state in
            defer { state.making = nil }
            return (state.making, state.notes)
        }
        guard let made = making?() else { return }
        state.withLock { if $0.notes == notes { $0.latest = made } }
    }

    /// How often the session has changed: to be told with `noteSaving` what was saved.
    package var changes: Int { state.withLock { $0.changes } }

    /// The session is about to be saved as `text`: once its file says that, what the journal says up to here
    /// is saved. Waits for the disk, as saving does.
    /// - Parameter changes: how often the session had changed when that was its text.
    package func noteSaving(_ text: String, after changes: Int) {
        guard isHeld else { return }
        saves.withLock { saves in
            // What the journal's thread is about to write is older than this, and not to come behind it.
            saves += 1
            _ = append(SessionJournal.line(saving: text))
            // What it says already of later changes is not saved with this: it is said again behind it.
            let (written, writtenChanges) = state.withLock { ($0.written, $0.writtenChanges) }
            if let written, writtenChanges > changes { _ = append(SessionJournal.line(beginning: written)) }
            fdatasync(descriptor)
        }
    }

    /// The session has been saved as it was then: nothing is left to keep but what has changed since.
    package func noteSaved(_ session: Session) {
        state.withLock { ($0.base, $0.written) = (session, nil) }
        worker?.wake()
    }

    /// Ends, and keeps nothing: what it has is saved under another name.
    func discard() {
        state.withLock { state in
            (state.latest, state.written, state.making) = (state.base, nil, nil)
            state.notes += 1
        }
        close()
    }

    /// What became of the changes that were not saved.
    package enum Rest: Equatable, Sendable {
        /// There were none.
        case nothing
        /// They stay in the journal for the next run.
        case left
        /// The journal could not be written; they are in a file of their own.
        case kept(path: String)
        /// That neither; why.
        case lost(FileError)
    }

    /// Ends; what has not been saved stays for the next run, here or wherever there is room.
    @discardableResult
    package func close() -> Rest {
        if hasEnded { return .nothing }
        hasEnded = true
        worker?.stop()
        worker = nil
        if isHeld { unlink(store.presence) }
        defer { lock.close() }
        let state = state.withLock { $0 }
        guard state.latest != state.base else {
            forget()
            removeMarks(state.safeTakes)
            return .nothing
        }
        if !isHeldByAnother, state.written == state.latest, lock.isFile {
            removeMarks(state.safeTakes)
            return .left
        }
        let rest = Self.keep(state.latest, of: store)
        if case .kept = rest { removeMarks(state.safeTakes) }
        // What it has is older.
        if case .kept = rest { forget() }
        return rest
    }

    /// Keeps what no journal has.
    static func keep(_ session: Session, of store: SessionStore) -> Rest {
        do throws(FileError) { return .kept(path: try store.keep(session)) } catch { return .lost(error) }
    }

    private func forget() {
        if isHeld, lock.isFile { unlink(path) }
    }

    /// The journal's thread.
    private func write() {
        makeLatest()
        let before = saves.withLock { $0 }
        let now = state.withLock { $0 }
        let begun = monotonicNanoseconds()
        let (lines, latest) = lines(of: now)
        let took = (monotonicNanoseconds() - begun) / 1000
        let outcome = saves.withLock { present in
            // Saved meanwhile: the next turn writes what is then to be kept.
            present == before ? write(lines, now) : .late
        }
        switch outcome {
        case .nothing: return removeMarks(now.safeTakes)
        case .late: worker?.wake()
        case .failed(let reason): return say(reason)
        case .done:
            writtenJSON = latest
            removeMarks(now.safeTakes)
        }
        // A quarter of a core at the most, however large the session is.
        usleep(UInt32(clamping: max(UInt64(Self.intervalMilliseconds) * 1000, 3 * min(took, 1_000_000))))
    }

    /// What is to be written of a state, and the session as it is then; empty and nil: nothing.
    private func lines(of now: State) -> (lines: String, latest: JSONValue?) {
        guard now.latest != now.written ?? now.base else { return ("", nil) }
        let latest = SessionFile.json(now.latest)
        if let written = now.written {
            return (
                SessionJournal.line(from: writtenJSON ?? SessionFile.json(written), to: latest), latest
            )
        }
        return (
            SessionJournal.line(beginning: now.base)
                + SessionJournal.line(from: SessionFile.json(now.base), to: latest), latest
        )
    }

    private func write(_ lines: String, _ now: State) -> Outcome {
        if lines.isEmpty {
            // All is saved. A journal that begins anew does so behind what it has, which counts until then.
            if now.written == nil { ftruncate(descriptor, 0) }
            return .nothing
        }
        // A disk may say only when it is asked that it has no room. What is there twice then does no harm.
        if let reason = append(lines) { return .failed(reason) }
        if fdatasync(descriptor) != 0 { return .failed(errno) }
        // Whoever saves next is to know that it is there.
        state.withLock {
            if $0.base == now.base { ($0.written, $0.writtenChanges) = (now.latest, now.changes) }
        }
        return .done
    }

    private enum Outcome {
        case nothing, late, done
        /// Why, as `errno` says it.
        case failed(Int32)
    }

    /// - Returns: why not, as `errno` says it; nil: it is written.
    private func append(_ text: String) -> Int32? {
        let bytes = Array(text.utf8)
        let end = lseek(descriptor, 0, SEEK_END)
        errno = 0
        if Glibc.write(descriptor, bytes, bytes.count) == bytes.count { return nil }
        // A disk that takes a part of it is full, and says so with the next part alone.
        let reason = errno == 0 ? ENOSPC : errno
        // Half a line would end the journal there.
        ftruncate(descriptor, end)
        return reason
    }

    /// - Parameter reason: as `errno` says it.
    private func say(_ reason: Int32) {
        let isNew = state.withLock { state in
            defer { state.hasFailed = true }
            return !state.hasFailed
        }
        if isNew {
            Logger(label: "jmix").warning(
                """
                \(path) cannot be written (\(String(cString: strerror(reason)))): unsaved changes would be \
                lost with a crash
                """
            )
        }
    }
}
