/// How a collection of the session's files fares.
public enum CollectionState: Equatable, Sendable {
    case none
    /// The share that is copied, 0 to 1.
    case running(Double)
    /// What lies where, in words.
    case done(String)
    case failed(String)

    /// What is said where there is none.
    public static let nothing = "nothing has been collected"
}
