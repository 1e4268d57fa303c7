import CZip
import Files
import Glibc

/// Writes a ZIP archive under a temporary name and gives it its own when it is whole.
final class ZipWriter {
    private let path: String
    private let temporary: String
    private var archive: OpaquePointer?
    private var isPublished = false

    /// - Throws: `FileError`: it cannot be written there.
    init(_ path: String) throws(FileError) {
        self.path = path
        temporary = AtomicFile.temporaryPath(for: path)
        var code: Int32 = 0
        archive = zip_open(temporary, ZIP_CREATE | ZIP_EXCL, &code)
        guard archive != nil else {
            var error = zip_error_t()
            zip_error_init_with_code(&error, code)
            defer { zip_error_fini(&error) }
            throw FileError(path: path, action: "write", reason: String(cString: zip_error_strerror(&error)))
        }
    }

    deinit {
        if let archive { zip_discard(archive) }
        if !isPublished { unlink(temporary) }
    }

    /// Adds a text, compressed.
    func add(_ text: String, as name: String) throws(FileError) {
        let bytes = Array(text.utf8)
        // The library frees it when the archive has been written.
        let copy = malloc(max(1, bytes.count))!
        bytes.withUnsafeBytes { if let start = $0.baseAddress { memcpy(copy, start, bytes.count) } }
        guard let source = zip_source_buffer(archive, copy, zip_uint64_t(bytes.count), 1) else {
            free(copy)
            throw failure
        }
        _ = try add(source, as: name)
    }

    /// Adds a file as it is: sound hardly gets smaller.
    func add(file: String, as name: String) throws(FileError) {
        guard Path.exists(file), let source = zip_source_file(archive, file, 0, -1) else {
            throw FileError("read", file)
        }
        let index = try add(source, as: name)
        guard zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) == 0 else { throw failure }
    }

    private func add(_ source: OpaquePointer, as name: String) throws(FileError) -> zip_uint64_t {
        let index = zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip_source_free(source)
            throw failure
        }
        return zip_uint64_t(index)
    }

    private var failure: FileError {
        FileError(path: path, action: "write", reason: String(cString: zip_strerror(archive)))
    }

    /// Writes all of it under the temporary name.
    /// - Throws: `FileError`: it cannot be written, or `ExchangeError`: it was given up.
    func write(_ goesOn: () -> Bool) throws {
        try withoutActuallyEscaping(goesOn) { goesOn in
            let asks = Question(goesOn)
            zip_register_cancel_callback_with_state(
                archive,
                { _, state in
                    Unmanaged<Question>.fromOpaque(state!).takeUnretainedValue().goesOn() ? 0 : 1
                }, nil, Unmanaged.passUnretained(asks).toOpaque())
            let status = withExtendedLifetime(asks) { zip_close(archive) }
            guard status == 0 else {
                let isCancelled = zip_error_code_zip(zip_get_error(archive)) == ZIP_ER_CANCELLED
                throw isCancelled ? ExchangeError.interrupted as any Error : failure
            }
        }
        archive = nil
        try AtomicFile.sync(temporary)
    }

    /// Gives it its name: in place of what has that, or where nobody has it.
    func publish(replaces: Bool) throws(FileError) {
        try AtomicFile.publish(temporary, as: path, replaces: replaces)
        isPublished = true
    }

    /// Whether whoever asked wants it still.
    private final class Question {
        let goesOn: () -> Bool
        init(_ goesOn: @escaping () -> Bool) { self.goesOn = goesOn }
    }
}
