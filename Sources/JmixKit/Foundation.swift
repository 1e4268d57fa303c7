import AudioFile
import Files
import FoundationEssentials
import Timeline

// What those who use Foundation expect of a library: errors that say what is wrong, and files by their URLs.

extension CompositionError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ExportError: LocalizedError {
    public var errorDescription: String? { description }
}

extension AudioFileError: LocalizedError {
    public var errorDescription: String? { description }
}

extension VolumeError: LocalizedError {
    public var errorDescription: String? { description }
}

extension TimeTextError: LocalizedError {
    public var errorDescription: String? { description }
}

extension URL {
    /// The path of a file; nil for what is elsewhere.
    fileprivate var filePath: String? { isFileURL ? path(percentEncoded: false) : nil }

    fileprivate static let elsewhere = "files of this machine alone can be used, with a file URL"
}

extension Asset {
    /// `load(_:)` of a file by its URL.
    /// - Throws: `AudioFileError`, also for a URL that is no file's.
    public static func load(_ url: URL) async throws(AudioFileError) -> Asset {
        guard let path = url.filePath else { throw AudioFileError(path: "\(url)", reason: URL.elsewhere) }
        return try await load(path)
    }
}

extension Composition {
    /// That of a session's file.
    /// - Throws: `.problems` that name every fault with its place; `.refused` for a URL that is no file's.
    public init(contentsOf url: URL) throws(CompositionError) {
        guard let path = url.filePath else { throw .refused("\(url): \(URL.elsewhere)") }
        try self.init(contentsOf: path)
    }

    /// `write(to:)` of a file by its URL.
    /// - Throws: as that does; `.refused` for a URL that is no file's.
    public func write(to url: URL) throws(CompositionError) {
        guard let path = url.filePath else { throw .refused("\(url): \(URL.elsewhere)") }
        try write(to: path)
    }
}

extension Exporter {
    /// `export(to:range:naming:loudness:limit:)` to a file by its URL.
    /// - Throws: as that does; a URL that is no file's is one that cannot be written.
    @discardableResult
    public func export(
        to url: URL, range: TimeRange? = nil, naming: Naming = .refuse, loudness: Double? = nil,
        limit: Double? = nil
    ) async throws(ExportError) -> OfflineRender.Result {
        guard let path = url.filePath else {
            throw .file(AudioFileError(path: "\(url)", reason: URL.elsewhere))
        }
        return try await export(to: path, range: range, naming: naming, loudness: loudness, limit: limit)
    }
}
