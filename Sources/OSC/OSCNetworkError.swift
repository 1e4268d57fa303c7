import Glibc

/// Why the network refused, and what was tried.
public struct OSCNetworkError: Error, Equatable, CustomStringConvertible {
    public let action: String
    public let reason: String
    /// Another program listens there.
    public let isTaken: Bool

    init(_ action: String, errno code: Int32 = errno) {
        self.action = action
        reason = String(cString: strerror(code))
        isTaken = code == EADDRINUSE
    }

    /// - Parameter isTaken: another program listens there.
    public init(_ action: String, reason: String, isTaken: Bool = false) {
        (self.action, self.reason, self.isTaken) = (action, reason, isTaken)
    }

    public var description: String { "cannot \(action): \(reason)" }
}
