/// What a page or a program asks by HTTP beyond files of the page: answered by whoever owns the mixer.
public struct WebQuestion: Sendable {
    public enum Kind: Sendable, Equatable {
        /// An address of OSCQuery, and the attribute that is asked for, if it is one alone.
        case oscQuery(path: String, attribute: String?)
        /// The session as its file has it, and what the page needs to draw it.
        case session
        /// How a file's sound looks: the highest of so many frames each.
        case peaks(file: String, stream: Int)
        /// The volume as it is played, of all strips, over a range in seconds.
        case played(from: Double, to: Double, columns: Int)
        /// Somebody wants to upload a file of that name: answered by where to.
        case upload(name: String)
        /// It is there.
        case uploaded(path: String, name: String)
    }

    public let kind: Kind
    public let role: WebAccess.Role
    /// Any thread; once.
    public let answer: @Sendable (WebAnswer) -> Void
}

/// What comes of it.
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
