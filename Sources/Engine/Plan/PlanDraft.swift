import Realtime
import Timeline

/// What is to be played: strips with their scores along a route. Control thread.
struct PlanDraft {
    var route: Route
    var entry: PlanData.Entry
    var parts: [Part] = []
    var dcas: [DCA] = []
    /// The streams that the plan before it does not have.
    var fresh: [TrackStream] = []
    /// What it takes of memory that the plan before it does not: streams, envelopes, lines.
    var ownBytes = 0

    /// Something of it is heard at a standstill too.
    var hasInputs: Bool { parts.contains { $0.score.content.input != .never } }

    /// A line in the making.
    struct Part {
        let id: StripID
        let score: Score
        let edges: EdgeScore
        let keys: LineKeys
        let strip: StripHandle
        /// Those of its sends, in the order of its paths.
        let sends: [StripHandle]
        /// What holds back what leaves it.
        var delays = LineDelays()
    }

    /// How far behind the playhead its lines are read, and their sends: each once, the least first.
    var lags: [Int64] {
        var lags: Set<Int64> = [0]
        for part in parts {
            lags.insert(part.score.content.lag)
            for send in part.edges.paths.sends { lags.insert(send.lag) }
        }
        return lags.sorted()
    }

    struct DCA {
        let id: StripID
        let strip: StripHandle
        let builders: [EnvelopeBuilder]
        let envelopes: Envelopes
    }
}

extension PlanDraft {
    /// So many frames it takes until all is there that its lines hold back and those of `previous` do not.
    func warmUp(after previous: PlanDraft) -> Int64 {
        if parts.allSatisfy({ $0.delays.isEmpty }) { return 0 }
        let before = Dictionary(
            previous.parts.map { (ObjectIdentifier($0.strip), $0.delays) },
            uniquingKeysWith: { first, _ in first })
        // What was not there before has nothing to wait for.
        return parts.reduce(0) { longest, part in
            guard let delays = before[ObjectIdentifier(part.strip)] else { return longest }
            return max(longest, part.delays.warmUp(after: delays))
        }
    }
}
