/// What a `WebQuestion` is answered.
public enum WebAnswer: Sendable {
    case json(String)
    /// Numbers, as they lie in memory.
    case bytes([UInt8])
    /// Nothing is to be said of what is there.
    case nothing
    /// Where an upload goes.
    case place(path: String)
    case refused(status: Int, reason: String)
}
