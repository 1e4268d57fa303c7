/// Why an audio file cannot be used.
public struct AudioFileError: Error, Equatable, CustomStringConvertible {
    /// The file, as it was asked for.
    public let path: String
    /// Why, for people.
    public let reason: String
    /// The file is not there: it may come, or another may take its place.
    public let isMissing: Bool

    /// An error about the file at `path`.
    public init(path: String, reason: String, isMissing: Bool = false) {
        self.path = path
        self.reason = reason
        self.isMissing = isMissing
    }

    public var description: String { "\(path): \(reason)" }
}
