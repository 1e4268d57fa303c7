import CZip
import Files
import Glibc

/// Reads a ZIP archive, which may be anybody's.
final class ZipReader {
    let path: String
    private let archive: OpaquePointer

    /// - Throws: `FileError`: it is none.
    init(_ path: String) throws(FileError) {
        // Nobody may ever write to the other end of what is no file.
        guard !Path.exists(path) || Path.isFile(path), let archive = zip_open(path, ZIP_RDONLY, nil) else {
            throw FileError(
                path: path, action: "read",
                reason: Path.exists(path) ? "it is no ZIP archive" : "there is no such file")
        }
        (self.path, self.archive) = (path, archive)
    }

    deinit { zip_discard(archive) }

    /// How long a file in it says that it is; nil: it is not there.
    func size(of name: String) -> UInt64? {
        var info = zip_stat_t()
        zip_stat_init(&info)
        guard zip_stat(archive, name, 0, &info) == 0, info.valid & UInt64(ZIP_STAT_SIZE) != 0 else {
            return nil
        }
        return info.size
    }

    /// A file in it.
    /// - Throws: `FileError`: it is not there, longer than `limit`, or damaged.
    func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        try each(name) { chunk throws(FileError) in
            guard bytes.count + chunk.count <= limit else {
                throw FileError(
                    path: path, action: "read", reason: "\(name) in it is longer than \(limit >> 20) MiB")
            }
            bytes += chunk
        }
        return bytes
    }

    /// Writes a file in it to the disk: all of it or nothing.
    /// - Throws: `FileError`: it is not there, longer than `limit` or than the disk has room for, or damaged.
    func extract(_ name: String, to target: String, limit: UInt64) throws(FileError) {
        let size = try checkedSize(of: name, limit)
        if let free = Path.freeBytes(on: Path.folder(of: target)), size > UInt64(max(0, free)) {
            throw FileError(path: target, action: "write", reason: "there is no room for it")
        }
        let temporary = AtomicFile.temporaryPath(for: target)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError("write", target) }
        do throws(FileError) {
            defer { close(descriptor) }
            try copy(name, of: size, to: descriptor, target)
        } catch {
            unlink(temporary)
            throw error
        }
        try AtomicFile.publish(temporary, as: target)
    }

    private func checkedSize(of name: String, _ limit: UInt64) throws(FileError) -> UInt64 {
        guard let size = size(of: name) else {
            throw FileError(path: path, action: "read", reason: "there is no \(name) in it")
        }
        if size <= limit { return size }
        throw FileError(
            path: path, action: "read",
            reason: """
                \(name) in it has \(size >> 20) MiB, and a sound of the length that is said of it has at \
                most \(limit >> 20)
                """)
    }

    /// Writes a file in it, of so many bytes and no more, to an open one.
    private func copy(
        _ name: String, of size: UInt64, to descriptor: Int32, _ target: String
    ) throws(FileError) {
        var done: UInt64 = 0
        try each(name) { chunk throws(FileError) in
            done += UInt64(chunk.count)
            guard done <= size else {
                throw FileError(path: path, action: "read", reason: "\(name) in it is longer than it says")
            }
            guard chunk.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == chunk.count
            else { throw FileError("write", target) }
        }
    }

    private func each(_ name: String, _ take: (ArraySlice<UInt8>) throws(FileError) -> Void) throws(FileError)
    {
        func failure(_ reason: String) -> FileError { FileError(path: path, action: "read", reason: reason) }
        guard let file = zip_fopen(archive, name, 0) else {
            throw failure(size(of: name) == nil ? "there is no \(name) in it" : "\(name) in it is damaged")
        }
        defer { zip_fclose(file) }
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = zip_fread(file, &chunk, zip_uint64_t(chunk.count))
            if count < 0 { throw failure("\(name) in it is damaged") }
            if count == 0 { return }
            try take(chunk[..<Int(count)])
        }
    }
}
