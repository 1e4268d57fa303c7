import Realtime
import Timeline

/// Which of two plans has a line or an edge, and how much of it is heard while the one gives way to the
/// other.
enum EdgeGate {
    /// Both have it.
    case open
    /// The new one has it: it opens.
    case opens
    /// The same, and it leads to what opens: all of it is heard there.
    case comes
    /// The one before has it: it closes.
    case closes
    /// The same, and it leads to what closes.
    case goes

    /// Whether one of the two plans has it.
    /// - Parameter isPast: the one before.
    @_noLocks
    func isHeard(isPast: Bool) -> Bool {
        switch self {
        case .open: true
        case .opens, .comes: !isPast
        case .closes, .goes: isPast
        }
    }

    /// It is of the plan before alone.
    @_noLocks
    func isPast() -> Bool {
        switch self {
        case .closes, .goes: true
        case .open, .opens, .comes: false
        }
    }
}
