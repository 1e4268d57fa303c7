/// Who asks: a controller, a shell, the mixer's own terminal. Given by the edge that it comes in at, and
/// opaque to all others.
public struct ClientID: Hashable, Sendable {
    /// Which edge it came in at.
    public let edge: String
    /// What that edge knows it by.
    public let key: [UInt8]

    public init(edge: String, key: [UInt8]) { (self.edge, self.key) = (edge, key) }
}
