/// What one player plays by: its route, and when the timeline is read along it.
package struct Course {
    let route: Route
    /// Of the routes that the player is sent, which it is, round and round: courses of one number play along
    /// one route.
    let routeNumber: UInt16
    let entry: Entry
    /// When lines are read: some behind the playhead. One at the least.
    let moments: UnsafeMutablePointer<Moment>
    let momentCount: Int

    /// How many frames from `index` on follow each other on the timeline, whenever they are read.
    @_noLocks
    func framesUntilTurn(from index: Int64) -> Int64 {
        var run = Int64.max
        if route.loops() {
            for i in 0..<momentCount { run = min(run, route.framesUntilTurn(from: index - moments[i].lag)) }
        }
        return run
    }

    /// The moment of a number; the first, where there is none of that number: then the timeline says nothing
    /// of what is read there.
    @_noLocks
    func moment(_ number: Int) -> UnsafeMutablePointer<Moment> {
        moments + (number < momentCount ? number : 0)
    }

    /// Whether some lines are read so far behind the playhead.
    @_noLocks
    func reads(at lag: Int64) -> Bool {
        for i in 0..<momentCount where moments[i].lag == lag { return true }
        return false
    }

    /// Works out what holds at each moment of a block.
    /// - Parameters:
    ///   - index: of the route.
    ///   - rolls: it is played; else it stands there.
    @_noLocks
    func beginBlock(at index: Int64, rolls: Bool, _ clock: Int64, _ count: Int) {
        for i in 0..<momentCount { moments[i].beginBlock(route, at: index, rolls: rolls, clock, count) }
    }

    /// Where a player goes on in this course.
    enum Entry {
        /// At the start of its route: a locate.
        case start
        /// Where it is: the route has not changed.
        case same
        /// Where it would be had this route been taken when the route before it was at this index: a change
        /// of the loop.
        case onward(from: Int64)

        @_noLocks
        func isStart() -> Bool { if case .start = self { true } else { false } }

        /// The index to begin at, where the course before has come to `index`.
        @_noLocks
        func index(after index: Int64) -> Int64 {
            switch self {
            case .start: 0
            case .same: index
            case .onward(let first): index - first
            }
        }
    }
}
