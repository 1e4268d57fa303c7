import Files
import Glibc
import Web

/// The tokens that let in, stored for this user: a page that was opened once, or lies on a tablet's desktop,
/// is let in again when the mixer has been started anew.
enum WebTokens {
    /// Where the one is that is stored under a name; nil where nothing can be stored.
    static func path(_ name: String) -> String? { Path.stateFolder.map { Path.join($0, name) } }

    /// The one stored under a name among this user's states; a new one where there is none yet. nil where
    /// nothing can be stored.
    static func stored(_ name: String) -> String? {
        guard let path = path(name), Path.makeFolder(Path.folder(of: path)) else { return nil }
        if let text = try? AtomicFile.read(path) {
            let token = String(text.prefix { !$0.isWhitespace })
            if token.utf8.count == 32, token.allSatisfy(\.isHexDigit) { return token }
        }
        let token = WebAccess.newToken()
        // Nobody else may read it, at no moment.
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return write(descriptor, token + "\n", token.utf8.count + 1) == token.utf8.count + 1 ? token : nil
    }
}
