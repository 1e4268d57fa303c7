import Files
import JSON
import Speakers

/// Two channels of a file, counted from 1.
public struct ChannelPair: Hashable, Sendable {
    /// The channel that is heard on the left.
    public var left: Int
    /// The channel that is heard on the right.
    public var right: Int

    /// Both from 1 up.
    public init(left: Int, right: Int) {
        self.left = left
        self.right = right
    }
}
