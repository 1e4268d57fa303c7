import CJack
import Engine
import Realtime
import Speakers
import Synchronization
import Timeline

/// A strip that wants ports of its own.
public struct DirectStrip: Equatable {
    public let id: StripID
    public let name: String
    public let use: Use

    public enum Use: Equatable, Sendable {
        /// Ports that play it, `NAME_1` and on, one for each of its channels.
        case out(DirectOuts.Tap, channels: Int)
        /// Left and right of what it plays, whatever channels that has.
        case stereo
        /// Ports that it hears, `NAME_in_1` and on.
        case input(channels: Int)

        var channels: Int {
            switch self {
            case .out(_, let channels), .input(let channels): channels
            case .stereo: 2
            }
        }

        /// Of what it plays; nil for what it hears.
        var tap: DirectOuts.Tap? {
            switch self {
            case .out(let tap, _): tap
            case .stereo: .post
            case .input: nil
            }
        }
    }

    /// Which of a strip's ports.
    public struct Side: Hashable, Sendable {
        public let id: StripID
        public let isInput: Bool

        public init(_ id: StripID, isInput: Bool) { (self.id, self.isInput) = (id, isInput) }
    }

    public init(id: StripID, name: String, _ use: Use) { (self.id, self.name, self.use) = (id, name, use) }

    var isInput: Bool { use.tap == nil }
    var side: Side { Side(id, isInput: isInput) }
    var channels: Int { use.channels }

    /// What its ports are called; a colon would part a client's name from a port's.
    func portName(_ channel: Int) -> String { StripName.port(name, isInput: isInput, side: channel) }
}
