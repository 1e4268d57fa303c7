/// Who asks: a controller, a shell, the mixer's own terminal. Given by the edge that it comes in at, and
/// opaque to all others.
public struct ClientID: Hashable, Sendable {
    /// Which edge it came in at.
    public let edge: String
    /// What that edge knows it by.
    public let key: [UInt8]
    /// Whether it is a page, whose buttons are let go when its connection ends.
    public let isPage: Bool

    public init(edge: String, key: [UInt8], isPage: Bool = false) {
        (self.edge, self.key, self.isPage) = (edge, key, isPage)
    }
}
