import AudioFile
import Console
import Engine
import Files
import Glibc
import Loop
import Timeline

/// A session that nobody else changes, as its file was behind the lock.
struct LockedSession {
    let opened: OpenedSession
    let saved: Session
    let journal: Journal

    /// - Parameters:
    ///   - first: as it was read before.
    ///   - tolerated: what may be wrong with it.
    /// - Throws: `Failure` as `OpenedSession` does; then nothing is left behind.
    init(_ first: OpenedSession, _ lock: JournalLock, _ tolerated: Set<SessionProblem.Kind>) throws(Failure) {
        do throws(Failure) {
            // Whoever had the lock may have saved meanwhile.
            opened = first.isCurrent ? first : try OpenedSession(first.store.path)
            saved = try opened.usable(tolerated, hint: "")
        } catch {
            lock.release()
            throw error
        }
        journal = Journal(lock, saved)
    }
}
