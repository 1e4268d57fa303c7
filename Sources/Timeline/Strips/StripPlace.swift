import JSON
import Speakers

/// Which strip of a session, by its number.
public enum StripPlace: Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    case track(Int)
    /// From 1.
    case bus(Int)
    /// From 1.
    case dca(Int)
    /// There is one.
    case master

    /// What it is.
    public var kind: StripKind {
        switch self {
        case .track: .track
        case .bus: .bus
        case .dca: .dca
        case .master: .master
        }
    }

    /// "track 2", as messages say it.
    public var description: String {
        switch self {
        case .track(let number): "track \(number)"
        case .bus(let number): "bus \(number)"
        case .dca(let number): "DCA \(number)"
        case .master: "the master"
        }
    }
}
