import JSON
import Speakers

/// Names a strip, or a send, for as long as the session lives, wherever it moves in its list.
public struct StripID: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The sum of all.
    public static let master = StripID(rawValue: 0)
    /// What is on solo, where that is played on ports of its own.
    public static let monitor = StripID(rawValue: -2)
    /// What has the MIDI ports: their pairs stand in the places of its channels.
    public static let midi = StripID(rawValue: -3)
    /// The send from a strip to what is on solo.
    public static func toMonitor(from id: StripID) -> StripID {
        StripID(rawValue: monitor.rawValue - 2 - id.rawValue)
    }
}
