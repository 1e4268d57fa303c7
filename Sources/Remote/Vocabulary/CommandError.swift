import OSC
import Speakers
import Timeline

/// Why a command is refused: what was asked, why not, what to do.
public struct CommandError: Error, Equatable, CustomStringConvertible {
    public let description: String
    /// How the command was put together is wrong, not what it asks for.
    public let isUsage: Bool

    public init(_ description: String, isUsage: Bool = false) {
        self.description = description
        self.isUsage = isUsage
    }
}
