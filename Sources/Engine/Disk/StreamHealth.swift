/// How a track's stream has fared since it was last made anew, as by a locate.
public struct StreamHealth: Equatable, Sendable {
    /// How often it fell silent because its data had not come.
    public var dropouts = 0
    /// The fewest frames that were read ahead when a block was mixed.
    public var lowestFill = 0

    /// Of a track that has no stream: it never fell silent.
    public init(dropouts: Int = 0, lowestFill: Int = 0) {
        (self.dropouts, self.lowestFill) = (dropouts, lowestFill)
    }
}
