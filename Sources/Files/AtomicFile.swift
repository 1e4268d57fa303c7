import CFiles
import Glibc

/// Writes a file so that whoever looks sees the old content or the new, whole: a temporary file in the same
/// folder, then a rename.
public enum AtomicFile {
    /// The whole content of a text file.
    /// - Throws: `FileError`: not there, a folder, not readable, not UTF-8.
    public static func read(_ path: String) throws(FileError) -> String {
        try text(try readBytes(path), path)
    }

    /// The same as it is, whatever it is.
    public static func readBytes(_ path: String) throws(FileError) -> [UInt8] {
        if Path.isFolder(path) {
            throw FileError(path: path, action: "read", reason: "it is a folder, not a file")
        }
        // Nobody may ever write to the other end of what is no file.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("read", path) }
        defer { close(descriptor) }
        return try readBytes(descriptor, path)
    }

    /// Texts are no larger.
    private static let maximumBytes = 1 << 30

    /// The same of a file that is open, from its start.
    public static func read(_ descriptor: Int32, _ path: String) throws(FileError) -> String {
        try text(try readBytes(descriptor, path), path)
    }

    private static func text(_ bytes: [UInt8], _ path: String) throws(FileError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileError(path: path, action: "read", reason: "it is not a text in UTF-8")
        }
        return text
    }

    private static func readBytes(_ descriptor: Int32, _ path: String) throws(FileError) -> [UInt8] {
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw FileError(path: path, action: "read", reason: "it is no file")
        }
        guard info.st_size <= maximumBytes else {
            throw FileError(path: path, action: "read", reason: "it is larger than \(maximumBytes >> 20) MiB")
        }
        lseek(descriptor, 0, SEEK_SET)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 { throw FileError("read", path) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Replaces the content of `path`. The data is on the disk when this returns; after a failure the old
    /// file stands as it was.
    /// - Throws: `FileError`: no such folder, no permission, disk full.
    /// - Parameters:
    ///   - keepsPrevious: what was there before is kept beside it, with a ~ behind its name, and the four
    ///     before that, `~2` to `~5`. Where nothing changes nothing is kept.
    ///   - replaces: what is there by the end is replaced; else it is a `FileError`.
    public static func write(
        _ text: String, to path: String, keepsPrevious: Bool = false, replaces: Bool = true
    ) throws(FileError) {
        try write(Array(text.utf8), to: path, keepsPrevious: keepsPrevious, replaces: replaces)
    }

    /// The same for bytes.
    public static func write(
        _ bytes: [UInt8], to path: String, keepsPrevious: Bool = false, replaces: Bool = true
    ) throws(FileError) {
        let target = Path.resolved(path) ?? path
        let temporary = temporaryPath(for: target)
        let descriptor = create(temporary, like: target)
        guard descriptor >= 0 else { throw FileError("write", path) }
        do throws(FileError) {
            defer { close(descriptor) }
            try writeAll(bytes, descriptor, path)
            guard fsync(descriptor) == 0 else { throw FileError("write", path) }
        } catch {
            unlink(temporary)
            throw error
        }
        if keepsPrevious, (try? readBytes(target)) != bytes { keep(target) }
        try publish(temporary, as: target, replaces: replaces)
    }

    /// Whoever could read and write the file it will replace can go on, and at no moment anyone else: what
    /// the process would take away of a new file's mode is not taken from an old one's.
    /// - Returns: its descriptor, or less than 0, and `errno` says why.
    private static func create(_ temporary: String, like target: String) -> Int32 {
        var info = stat()
        let isThere = stat(target, &info) == 0
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isThere ? 0o600 : 0o666)
        if isThere, descriptor >= 0 { giveAway(descriptor, as: info) }
        return descriptor
    }

    /// Gives a new file the owner, the group and the mode of the one whose place it takes; where the group
    /// cannot be given, that of the writer gets no more than anybody.
    private static func giveAway(_ descriptor: Int32, as old: stat) {
        var mode = old.st_mode & 0o7777
        if fchown(descriptor, old.st_uid, old.st_gid) != 0, fchown(descriptor, uid_t.max, old.st_gid) != 0 {
            var new = stat()
            if fstat(descriptor, &new) == 0, new.st_gid != old.st_gid {
                mode = mode & ~0o070 | (mode & 0o007) << 3
            }
        }
        fchmod(descriptor, mode)
    }

    /// Copies a file, so that whoever looks sees nothing or all of it. Calls `progress` with the bytes
    /// copied; it returns false to cancel.
    /// - Parameter head: what comes before.
    /// - Throws: `FileError`: it cannot be read, or not be written there, or was cancelled.
    public static func copy(
        _ source: String, to path: String, behind head: [UInt8] = [],
        progress: (Int64) -> Bool = { _ in true }
    ) throws(FileError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw FileError("read", source) }
        defer { close(input) }
        let temporary = temporaryPath(for: path)
        let output = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard output >= 0 else { throw FileError("write", path) }
        do throws(FileError) {
            defer { close(output) }
            try writeAll(head, output, path)
            try pass(input, source, output, path, progress)
            guard fsync(output) == 0 else { throw FileError("write", path) }
        } catch {
            unlink(temporary)
            throw error
        }
        try publish(temporary, as: path)
    }

    /// Writes all of a file to what is open, as a pipe, whose reader may take its time. Calls `goesOn` while
    /// it waits; false gives up.
    /// - Throws: `FileError`: nobody reads any more, or it was given up.
    public static func send(
        _ source: String, to output: Int32, named name: String, goesOn: () -> Bool
    ) throws(FileError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw FileError("read", source) }
        defer { close(input) }
        // A pipe that can be written to takes as much without waiting (POSIX: PIPE_BUF).
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(input, &bytes, bytes.count)
            guard count >= 0 else { throw FileError("read", source) }
            if count == 0 { return }
            guard awaitRoom(in: output, goesOn) else {
                throw FileError(path: name, action: "write", reason: "it was interrupted")
            }
            try writeAll(count == bytes.count ? bytes : Array(bytes[..<count]), output, name)
        }
    }

    /// - Returns: false if it was given up.
    private static func awaitRoom(in output: Int32, _ goesOn: () -> Bool) -> Bool {
        var state = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        while poll(&state, 1, 100) <= 0 { if !goesOn() { return false } }
        return true
    }

    private static func pass(
        _ input: Int32, _ source: String, _ output: Int32, _ path: String, _ progress: (Int64) -> Bool
    ) throws(FileError) {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var done: Int64 = 0
        while true {
            let count = Glibc.read(input, &bytes, bytes.count)
            guard count >= 0 else { throw FileError("read", source) }
            if count == 0 { return }
            try writeAll(count == bytes.count ? bytes : Array(bytes[..<count]), output, path)
            done += Int64(count)
            guard progress(done) else {
                throw FileError(path: path, action: "copy", reason: "it was cancelled")
            }
        }
    }

    /// How many files that were replaced are kept.
    private static let generations = 5

    /// The names of a file as it was before its last writes, whether they are there or not.
    public static func previous(_ path: String) -> [String] {
        (1...generations).map { previous(path, $0) }
    }

    /// The name of the file as it was before so many writes.
    private static func previous(_ path: String, _ generation: Int) -> String {
        generation == 1 ? path + "~" : path + "~\(generation)"
    }

    /// Each file that was replaced moves on by one name, the last in place of the one before; the file itself
    /// gets a second name, so that at no moment is there none. A file system without such names keeps none.
    private static func keep(_ path: String) {
        let temporary = temporaryPath(for: path)
        guard link(path, temporary) == 0 else { return }
        for generation in (1..<generations).reversed() where Path.isFile(previous(path, generation)) {
            rename(previous(path, generation), previous(path, generation + 1))
        }
        if rename(temporary, previous(path, 1)) != 0 { unlink(temporary) }
    }

    /// A name in the same folder as `path`, taken by no one, that keeps its extension.
    public static func temporaryPath(for path: String) -> String {
        let suffix = String(UInt32.random(in: .min ... .max), radix: 36)
        let kind = Path.fileExtension(of: path)
        // A name has 255 bytes at the most; what is as long as that is no kind of file.
        let end = ".\(getpid())-\(suffix)" + (kind.utf8.count < 64 ? ".\(kind)" : "")
        var stem = Path.stem(of: path)
        while !stem.isEmpty, 1 + stem.utf8.count + end.utf8.count > 255 { stem.removeLast() }
        return Path.join(Path.folder(of: path), ".\(stem)\(end)")
    }

    /// Has the disk hold all that was written to `path` by now, whoever wrote it.
    public static func sync(_ path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("write", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileError("write", path) }
    }

    /// Sends to the disk what was written by now, and does not wait until it is there: `sync` has less to
    /// wait for then. It waits where the disk has more to do than it can queue.
    public static func send(_ descriptor: Int32) { files_send_to_disk(descriptor) }

    /// Renames the finished `temporary` to `path` and makes the folder remember it.
    /// - Parameter replaces: what has that name is replaced; else it is a `FileError`, also if another takes
    ///   it at the same moment.
    public static func publish(_ temporary: String, as path: String, replaces: Bool = true) throws(FileError)
    {
        if !replaces { return try publishNew(temporary, as: path) }
        guard rename(temporary, path) == 0 else {
            let error = FileError("write", path)
            unlink(temporary)
            throw error
        }
        remember(Path.folder(of: path))
    }

    /// Gives the finished `temporary` the name of a file, which gets that of `temporary`: it can be put back.
    /// - Returns: false where there is no file of that name, or a folder, or it cannot be done.
    static func exchange(_ temporary: String, with path: String) -> Bool {
        if Path.isFolder(path), !Path.isLink(path) { return false }
        if files_exchange_names(temporary, path) != 0 {
            if errno == ENOENT || errno == EACCES || errno == EPERM { return false }
            // A file system that cannot do that in one step: for a moment nobody has the name.
            let aside = temporaryPath(for: path)
            guard rename(path, aside) == 0 else { return false }
            guard rename(temporary, path) == 0, rename(aside, temporary) == 0 else {
                rename(aside, path)
                return false
            }
        }
        remember(Path.folder(of: path))
        return true
    }

    /// What is to have a name that a file has by now.
    public static func taken(_ path: String) -> FileError {
        FileError(path: path, action: "write", reason: "there is such a file by now")
    }

    private static func publishNew(_ temporary: String, as path: String) throws(FileError) {
        guard claim(path, for: temporary) else {
            let error =
                errno == EEXIST
                ? taken(path)
                : FileError("write", path)
            unlink(temporary)
            throw error
        }
        remember(Path.folder(of: path))
    }

    /// The same under the first name of `path`, `name-1`, `name-2` and so on that nobody has, also if others
    /// look for one at the same moment.
    /// - Returns: the name.
    public static func publishUnique(_ temporary: String, as path: String) throws(FileError) -> String {
        var name = path
        var number = 0
        while !claim(name, for: temporary) {
            guard errno == EEXIST else {
                let error = FileError("write", path)
                unlink(temporary)
                throw error
            }
            number += 1
            name = Path.numbered(path, number)
        }
        remember(Path.folder(of: path))
        return name
    }

    /// Gives the file a name that nobody has; false with `errno`, `EEXIST` where somebody has it.
    private static func claim(_ name: String, for temporary: String) -> Bool {
        if files_rename_to_free_name(temporary, name) == 0 { return true }
        guard errno != EEXIST else { return false }
        // A file system that cannot do that in one step: an empty file takes the name, which is ours to
        // replace then.
        guard mknod(name, S_IFREG | 0o600, 0) == 0 else { return false }
        if rename(temporary, name) == 0 { return true }
        let reason = errno
        unlink(name)
        errno = reason
        return false
    }

    /// Makes the folder's new entries outlast a loss of power.
    private static func remember(_ path: String) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    private static func writeAll(_ bytes: [UInt8], _ descriptor: Int32, _ path: String) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + done, bytes.count - done)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileError("write", path) }
            done += count
        }
    }
}
