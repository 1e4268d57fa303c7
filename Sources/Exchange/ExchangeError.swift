import Files

/// Why a session cannot be written for another program, or what another has written not be read.
public struct ExchangeError: Error, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }

    /// What the system refused while `path` was read. Whoever asked names that file.
    init(_ error: FileError, of path: String) {
        description = error.path == path ? "cannot \(error.action): \(error.reason)" : "\(error)"
    }

    /// Whoever asked has given it up.
    static let interrupted = ExchangeError("it was interrupted; nothing is left of it")
}
