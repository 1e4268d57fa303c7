/// A fault, where it is, and what to do: one line of `jmix check`.
public struct SessionProblem: Equatable, Sendable, CustomStringConvertible {
    /// Such as "track 2 (voice), clip 1, from"; empty for the document as a whole.
    public let place: String
    /// What is wrong there.
    public let message: String
    /// Whose fault it is.
    public let kind: Kind

    /// What has to be mended.
    public enum Kind: Sendable {
        /// What the session says makes no sense.
        case document
        /// A file is not what the session takes it for.
        case file
        /// A file is not there, or may not be read.
        case missingFile
        /// The movie is not there, of which nothing is heard.
        case missingVideo
    }

    /// A fault at a place, as in "track 2, clip 1, file".
    public init(place: String, message: String, kind: Kind = .document) {
        self.place = place
        self.message = message
        self.kind = kind
    }

    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}
