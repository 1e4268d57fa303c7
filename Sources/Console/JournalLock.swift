import Files
import Glibc

/// The lock on a session, which is that of its journal: whoever has it alone may change the session's file.
/// What was read of that before may be old.
package final class JournalLock {
    package let store: SessionStore
    let descriptor: Int32
    /// Another program has the session open.
    package let isHeldByAnother: Bool
    /// Why there is no file to write to; nil where there is one.
    let failure: String?
    /// This one has the lock.
    var isHeld: Bool { descriptor >= 0 && !isHeldByAnother }

    package init(_ store: SessionStore) {
        self.store = store
        (descriptor, isHeldByAnother, failure) = Self.open(store.journal)
        // Of a mixer that was killed.
        if isHeld { unlink(store.presence) }
    }

    /// The same; another program that has it for a moment only, as an edit has, is waited for. A mixer says
    /// where it listens.
    package static func waited(for store: SessionStore) -> JournalLock {
        for _ in 0..<20 {
            let lock = JournalLock(store)
            if !lock.isHeldByAnother || Journal.address(of: store) != nil { return lock }
            lock.release()
            usleep(100_000)
        }
        return JournalLock(store)
    }

    /// Opens and locks the file; a link in its place is not followed, for what lies behind it is someone
    /// else's.
    private static func open(
        _ path: String
    ) -> (descriptor: Int32, isHeldByAnother: Bool, failure: String?) {
        // Whoever had it before may take it away while it is being opened: then what was opened is no one's,
        // and there is another, or none.
        for _ in 0..<10 {
            let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            // One that is there and may not be opened is another user's, who may well have it open.
            if descriptor < 0 {
                let error = errno
                let isHeld = error == EACCES && access(path, F_OK) == 0
                return (descriptor, isHeld, String(cString: strerror(error)))
            }
            // A file system without locks locks nobody out.
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
                return (descriptor, true, nil)
            }
            if isFile(descriptor, at: path) { return (descriptor, false, nil) }
            Glibc.close(descriptor)
        }
        return (-1, false, "other programs take it away over and over")
    }

    /// Whether what is open is what lies there.
    var isFile: Bool { Self.isFile(descriptor, at: store.journal) }

    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var info = stat()
        return !Path.isLink(path) && OpenFiles.isOpen(descriptor, at: path) && fstat(descriptor, &info) == 0
            && info.st_mode & S_IFMT == S_IFREG
    }

    func close() { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Lets go of it before a journal was made of it: nothing is left behind that was not there.
    package func release() {
        var info = stat()
        if isHeld, isFile, fstat(descriptor, &info) == 0, info.st_size == 0 { unlink(store.journal) }
        close()
    }
}
