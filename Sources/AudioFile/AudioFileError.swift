/// Why an audio file cannot be used.
public struct AudioFileError: Error, Equatable, CustomStringConvertible {
    /// The file, as it was asked for.
    public let path: String
    /// Why, for people.
    public let reason: String
    /// Which of those that somebody acts upon it is.
    public let kind: Kind

    /// Errors that somebody acts upon.
    public enum Kind: Sendable {
        /// The file is not there: it may come, or another may take its place.
        case missing
        /// libsndfile does not know what it is: another may.
        case unknownFormat
        /// It holds no audio: it has a header and nothing else.
        case empty
        /// What is to be read is still being decoded: it will come.
        case pending
        /// Any other.
        case other
    }

    /// The file is not there.
    public var isMissing: Bool { kind == .missing }

    /// An error about the file at `path`.
    public init(path: String, reason: String, kind: Kind = .other) {
        (self.path, self.reason, self.kind) = (path, reason, kind)
    }

    public var description: String { "\(path): \(reason)" }
}
