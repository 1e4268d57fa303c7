/// The transport as other threads read it.
public enum TransportState: Int32, Sendable {
    /// Stands still.
    case stopped
    /// Plays.
    case rolling
    /// Fading out; stopped within 5 ms.
    case stopping

    /// As a number that other threads may read.
    @_noLocks
    static func code(of motion: Motion) -> Int32 {
        switch motion {
        case .standing: 0
        case .rolling: 1
        case .stopping: 2
        }
    }
}
