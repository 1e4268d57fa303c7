/// A level that is held back on its way to one that goes by it.
struct LevelWait {
    let levels: KeyLevels
    let memory: UnsafeMutablePointer<LevelDelay>
    /// What comes in by ports is heard in it.
    let isLive: Bool
}
