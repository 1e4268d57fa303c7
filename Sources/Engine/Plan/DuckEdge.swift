/// A duck by signal of a line.
struct DuckEdge {
    let duck: SignalDuck
    let levels: KeyLevels
    let memory: UnsafeMutablePointer<DuckMemory>
    /// What comes in by ports is heard in its key.
    let isLive: Bool
    /// The new plan has it, and the one before.
    let isPresent: Bool
    let isPast: Bool
}
