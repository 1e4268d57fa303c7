/// Whose levels a line goes by, and where its own lies for those that go by it.
struct LineLevels {
    /// nil: nobody goes by its own.
    let own: KeyLevels?
    /// nil: its gate goes by its own.
    let gate: KeyLevels?
    let compressor: KeyLevels?
    let ducks: UnsafeMutablePointer<DuckEdge>
    let duckCount: Int
    /// The levels among these that come later than they are noted.
    let waits: UnsafeMutablePointer<LevelWait>
    let waitCount: Int
}
