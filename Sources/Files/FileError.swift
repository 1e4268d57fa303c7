import Glibc

/// What the system refused, for which file.
public struct FileError: Error, Equatable, CustomStringConvertible {
    public let path: String
    public let action: String
    public let reason: String

    public init(path: String, action: String, reason: String) {
        self.path = path
        self.action = action
        self.reason = reason
    }

    /// Takes the reason from `errno`.
    public init(errno code: Int32 = errno, _ action: String, _ path: String) {
        self.init(path: path, action: action, reason: String(cString: strerror(code)))
    }

    public var description: String { "\(path): cannot \(action): \(reason)" }
}
