import Glibc

/// Files that belong together and lie in one folder are written by one program at a time.
public enum FolderLock {
    /// How often another program's lock is looked at, in microseconds.
    private static let pause: useconds_t = 20_000
    /// So often a folder may be taken away again before it is there.
    private static let attempts = 100

    /// Makes the folder where it is not there, locks it, and works. Another program that has it is waited
    /// for. A file system without locks locks nobody out.
    /// - Parameters:
    ///   - goesOn: asked before each attempt; false gives up.
    ///   - work: is given the folders that were made, the outermost first.
    /// - Returns: what `work` returns; nil: it was given up.
    /// - Throws: `FileError`: the folder cannot be made, or not be opened; what `work` throws.
    public static func hold<Result>(
        _ folder: String, while goesOn: () -> Bool, _ work: (_ made: [String]) throws -> Result
    ) throws -> Result? {
        var (made, left): ([String], Int) = ([], attempts)
        while goesOn() {
            let descriptor = try open(folder, &made, &left)
            defer { if let descriptor { close(descriptor) } }
            if let descriptor {
                let isHeld = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
                if isHeld, OpenFiles.isOpen(descriptor, at: folder) { return try work(made) }
            }
            usleep(pause)
        }
        return nil
    }

    /// - Returns: nil: whoever had it before has taken it away meanwhile.
    private static func open(
        _ folder: String, _ made: inout [String], _ left: inout Int
    ) throws(FileError) -> Int32? {
        if let new = Path.makeOpenFolder(folder) {
            made += new
            let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if descriptor >= 0 { return descriptor }
        }
        let code = errno
        left -= 1
        // A link that leads nowhere is there, and stays.
        if code != ENOENT && code != EEXIST || Path.isLink(folder) || left == 0 {
            throw FileError(errno: code, "make", folder)
        }
        return nil
    }
}
