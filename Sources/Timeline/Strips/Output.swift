import JSON
import Speakers

/// Where a strip's sound goes.
public enum Output: Hashable, Sendable {
    /// The sum of all.
    case master
    /// Nowhere; its sends work all the same.
    case none
    /// Ports of its own.
    case ports
    /// A bus.
    case bus(StripID)
}
