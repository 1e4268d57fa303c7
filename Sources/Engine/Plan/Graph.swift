import Realtime
import Timeline

/// Lines in the order in which they are mixed, and the edges between them: what the audio thread walks once
/// for each block.
struct Graph {
    /// Tracks; buses, and tracks that go by another's level, behind all that lead to them; those that are
    /// mixed behind the master; the master.
    let lines: UnsafeMutablePointer<Line>
    let count: Int
    /// How many are tracks before the first that is none.
    let trackCount: Int
    /// How many lines, sends and keys there are to mix.
    let work: Int
    /// Where what goes to a bus is added up, each with the channels of its bus; what goes to the master is
    /// where the mix is wanted.
    let sums: UnsafeMutablePointer<Channels>
    /// The same for what was played before, while that is mixed apart.
    let sumsBefore: UnsafeMutablePointer<Channels>
    let sumCount: Int
    /// How many are mixed behind the master.
    let behindCount: Int

    /// Those are the lines from here on.
    @_noLocks
    func firstBehind() -> Int { count - 1 - behindCount }

    @_noLocks
    func master() -> UnsafeMutablePointer<Line> { lines + (count - 1) }
}

/// What few lines have beside their envelopes.
struct LineControls {
    let trims: UnsafePointer<Envelope>
    let trimCount: Int
    /// Envelopes of the gains of left and right, in place of what the hand says; nil: none.
    let pan: UnsafePointer<Envelope>?
    /// What the timeline says of its processors, and these; nil: nothing.
    let lanes: UnsafePointer<LineLanes>?
    let bank: UnsafeMutablePointer<ProcessorBank>?
    /// A bit for each DCA of the plan that multiplies its fader.
    let dcas: UInt64
}

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

/// A level that is held back on its way to one that goes by it.
struct LevelWait {
    let levels: KeyLevels
    let memory: UnsafeMutablePointer<LevelDelay>
    /// What comes in by ports is heard in it.
    let isLive: Bool
}

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

/// An edge from a line to the sum that it goes to.
struct OutputEdge {
    /// 0 is the master's.
    let sum: Int
    let gate: EdgeGate
    /// For so many frames it is held back.
    let wait: Int
}

/// An edge from a line into a bus beside its output.
struct SendEdge {
    let strip: UnsafeMutablePointer<LiveStrip>
    let sum: Int
    let gate: EdgeGate
    let isPre: Bool
    /// For so many frames it is held back.
    let wait: Int
    let sound: SendSound
    /// What the timeline said of it in the plan before, while that is crossed over from; nil: the same.
    let before: UnsafeMutablePointer<SendSound>?
}
