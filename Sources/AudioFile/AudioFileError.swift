/// Why an audio file cannot be used.
public struct AudioFileError: Error, Equatable, CustomStringConvertible {
    public let path: String
    public let reason: String
    /// The file is not there, or may not be read: it may be back later.
    public let isMissing: Bool

    public init(path: String, reason: String, isMissing: Bool = false) {
        self.path = path
        self.reason = reason
        self.isMissing = isMissing
    }

    public var description: String { "\(path): \(reason)" }
}
