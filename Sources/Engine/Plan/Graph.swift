import Realtime

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
