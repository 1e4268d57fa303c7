/// A fault, where it is, and what to do: one line of `jmix check`.
public struct SessionProblem: Equatable, Sendable, CustomStringConvertible {
    /// Such as "track 2 (voice), clip 1, from"; empty for the document as a whole.
    public let place: String
    public let message: String
    /// The fault is a file that is not there or not readable: `run` plays the rest.
    public let isMissingFile: Bool

    public init(place: String, message: String, isMissingFile: Bool = false) {
        self.place = place
        self.message = message
        self.isMissingFile = isMissingFile
    }

    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}
