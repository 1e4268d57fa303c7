import Realtime
import Timeline

/// What the audio thread plays by: the session in frames, flat and immutable. It is handed over whole and
/// comes back to be freed.
package struct PlanData {
    let route: Route
    /// Of the routes that the audio thread is sent, which it is, round and round: plans of one number play
    /// along one route.
    let routeNumber: UInt16
    let entry: Entry
    /// What is mixed.
    let graph: UnsafeMutablePointer<Graph>
    /// The same with all that only the plan before this one has, while that is crossed over from.
    let union: UnsafeMutablePointer<Graph>
    /// Something of it is heard at a standstill too.
    let hasInputs: Bool
    let dcas: UnsafeMutablePointer<DCALine>
    let dcaCount: Int
    /// When its lines are read: some behind the playhead. One at the least.
    let moments: UnsafeMutablePointer<Moment>
    let momentCount: Int
    /// Before it is crossed over to: so many frames it takes until all that is held back from now on is
    /// there.
    let warmUp: Int

    /// How many frames from `index` on follow each other on the timeline, whenever they are read.
    @_noLocks
    func run(from index: Int64) -> Int64 {
        var run = Int64.max
        if route.loops() {
            for i in 0..<momentCount { run = min(run, route.run(from: index - moments[i].lag)) }
        }
        return run
    }

    /// Where playing goes on in this plan.
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

        /// The index to begin at, where the plan before has come to `index`.
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

/// A fader that others hang on.
struct DCALine {
    let strip: UnsafeMutablePointer<LiveStrip>
    let envelopes: UnsafePointer<Envelope>
    let envelopeCount: Int
}
