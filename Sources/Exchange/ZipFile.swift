import CMinizip
import Files
import Glibc

/// Writes a ZIP archive under a temporary name and gives it its own when it is whole.
final class ZipWriter {
    private let path: String
    private let temporary: String
    private var handle: zipFile?

    /// - Throws: `FileError`: it cannot be written there.
    init(_ path: String) throws(FileError) {
        self.path = path
        temporary = AtomicFile.temporaryPath(for: path)
        handle = zipOpen64(temporary, APPEND_STATUS_CREATE)
        guard handle != nil else { throw FileError(path: path, action: "write", reason: "it cannot be made") }
    }

    deinit {
        guard let handle else { return }
        zipClose(handle, nil)
        unlink(temporary)
    }

    /// Adds a text, compressed.
    func add(_ text: String, as name: String) throws(FileError) {
        try begin(name, level: 6, isLarge: false)
        let bytes = Array(text.utf8)
        try write(bytes, bytes.count)
        try end()
    }

    /// Adds a file as it is: sound hardly gets smaller.
    func add(file: String, as name: String, _ goesOn: () -> Bool) throws {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("read", file) }
        defer { close(descriptor) }
        try begin(name, level: 0, isLarge: true)
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0 { throw FileError("read", file) }
            if count == 0 { break }
            if !goesOn() { throw ExchangeError.interrupted }
            try write(chunk, count)
        }
        try end()
    }

    private func begin(_ name: String, level: Int32, isLarge: Bool) throws(FileError) {
        // Names are UTF-8 (APPNOTE.TXT, general purpose bit 11).
        let status = zipOpenNewFileInZip4_64(
            handle, name, nil, nil, 0, nil, 0, nil, level == 0 ? 0 : Z_DEFLATED, level, 0, -MAX_WBITS,
            DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nil, 0, 0, 1 << 11, isLarge ? 1 : 0)
        guard status == ZIP_OK else { throw failure }
    }

    private func write(_ bytes: [UInt8], _ count: Int) throws(FileError) {
        guard zipWriteInFileInZip(handle, bytes, UInt32(count)) == ZIP_OK else { throw failure }
    }
    private func end() throws(FileError) { guard zipCloseFileInZip(handle) == ZIP_OK else { throw failure } }
    private var failure: FileError {
        FileError(
            path: path, action: "write",
            reason: errno == 0 ? "the archive cannot grow" : String(cString: strerror(errno)))
    }

    /// Closes it, in place of whatever had its name.
    func finish() throws(FileError) {
        let status = zipClose(handle, nil)
        handle = nil
        guard status == ZIP_OK else {
            unlink(temporary)
            throw failure
        }
        try AtomicFile.publish(temporary, as: path)
    }
}

/// Reads a ZIP archive, which may be anybody's.
final class ZipReader {
    private let path: String
    private let handle: unzFile

    /// - Throws: `FileError`: it is none.
    init(_ path: String) throws(FileError) {
        // Nobody may ever write to the other end of what is no file.
        guard !Path.exists(path) || Path.isFile(path), let handle = unzOpen64(path) else {
            throw FileError(
                path: path, action: "read",
                reason: Path.exists(path) ? "it is no ZIP archive" : "there is no such file")
        }
        (self.path, self.handle) = (path, handle)
    }

    deinit { unzClose(handle) }

    /// How long a file in it says that it is; nil: it is not there.
    func size(of name: String) -> UInt64? {
        var info = unz_file_info64()
        guard unzLocateFile(handle, name, 1) == UNZ_OK,
            unzGetCurrentFileInfo64(handle, &info, nil, 0, nil, 0, nil, 0) == UNZ_OK
        else { return nil }
        return info.uncompressed_size
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
        guard let size = size(of: name) else {
            throw FileError(path: path, action: "read", reason: "there is no \(name) in it")
        }
        if size > limit {
            throw FileError(
                path: path, action: "read",
                reason: """
                    \(name) in it has \(size >> 20) MiB, and a sound of the length that is said of it has at \
                    most \(limit >> 20)
                    """)
        }
        if let free = Path.freeBytes(on: Path.folder(of: target)), size > UInt64(max(0, free)) {
            throw FileError(path: target, action: "write", reason: "there is no room for it")
        }
        let temporary = AtomicFile.temporaryPath(for: target)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError("write", target) }
        do throws(FileError) {
            defer { close(descriptor) }
            var done: UInt64 = 0
            try each(name) { chunk throws(FileError) in
                done += UInt64(chunk.count)
                guard done <= size else {
                    throw FileError(
                        path: path, action: "read", reason: "\(name) in it is longer than it says")
                }
                guard chunk.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == chunk.count
                else { throw FileError("write", target) }
            }
        } catch {
            unlink(temporary)
            throw error
        }
        try AtomicFile.publish(temporary, as: target)
    }

    private func each(_ name: String, _ take: (ArraySlice<UInt8>) throws(FileError) -> Void) throws(FileError)
    {
        func failure(_ reason: String) -> FileError { FileError(path: path, action: "read", reason: reason) }
        guard unzLocateFile(handle, name, 1) == UNZ_OK, unzOpenCurrentFile(handle) == UNZ_OK else {
            throw failure("there is no \(name) in it")
        }
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = unzReadCurrentFile(handle, &chunk, UInt32(chunk.count))
            if count < 0 {
                unzCloseCurrentFile(handle)
                throw failure("\(name) in it is damaged")
            }
            if count == 0 { break }
            do throws(FileError) { try take(chunk[..<Int(count)]) } catch {
                unzCloseCurrentFile(handle)
                throw error
            }
        }
        guard unzCloseCurrentFile(handle) == UNZ_OK else { throw failure("\(name) in it is damaged") }
    }
}
