/// What a page or a program asks by HTTP beyond files of the page: answered by whoever owns the mixer.
public struct WebQuestion: Sendable {
    public enum Kind: Sendable, Equatable {
        /// An address of OSCQuery, and the attribute that is asked for, if it is one alone.
        case oscQuery(path: String, attribute: String?)
        /// The session as the page draws it: all strips, and of those whose place among them, from 1, is one
        /// of `rows` what lies on the timeline.
        case session(rows: Range<Int>)
        /// How a file's sound looks: the highest of so many frames each.
        case peaks(file: String, stream: Int)
        /// The volume as it is played, of strips by their places as above, over a range in seconds.
        case played(from: Double, to: Double, columns: Int, rows: Range<Int>)
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

extension WebQuestion {
    /// `FIRST-LAST`, which count from 1; all of them where it is nothing like that.
    static func rows(_ text: String?) -> Range<Int> {
        let parts = text?.split(separator: "-").map { Int($0) } ?? []
        guard parts.count == 2, let first = parts[0], let last = parts[1], first >= 0, last < .max,
            first <= last
        else { return 0..<Int.max }
        return first..<last + 1
    }
}
