import Realtime
import Timeline

/// What is to be played: strips with their scores along the routes of players. Control thread.
struct PlanDraft {
    /// What each player plays by. Tracks are read by their players, buses and the master by the first.
    var courses: [CourseDraft]
    var parts: [Part] = []
    var dcas: [DCA] = []
    /// The streams that the plan before it does not have, and whose playhead they are played by.
    var fresh: [(stream: TrackStream, player: Int)] = []
    /// What closes sends of lines that the plan before it does not have so.
    let closingMutes = ClosingMutes()
    /// What it takes of memory that the plan before it does not: streams, envelopes, lines.
    var ownBytes = 0

    init(_ courses: [CourseDraft]) { self.courses = courses }

    /// Something of it is heard at a standstill too.
    var hasInputs: Bool { parts.contains { $0.score.content.input != .never } }

    /// A line in the making.
    struct Part {
        let id: StripID
        /// Whose playhead it is played by.
        let player: Int
        let score: Score
        let edges: EdgeScore
        let keys: LineKeys
        let strip: StripHandle
        /// Those of its sends, in the order of its paths.
        let sends: [StripHandle]
        /// How far behind the playhead what leaves it is.
        let outputLag: Int64
        /// What holds back what leaves it.
        var delays = LineDelays()
    }

    /// How far behind the playhead the mix is when it leaves the master.
    var lateness: Int64 { parts.last?.outputLag ?? 0 }

    /// Which players go along another route than in `previous`.
    func goesElsewhere(after previous: PlanDraft) -> [Bool] {
        zip(courses, previous.courses).map { $0.route.number != $1.route.number }
    }

    /// How far behind a player's playhead its lines are read, and their sends: each once, the least first.
    func lags(of player: Int) -> [Int64] {
        var lags: Set<Int64> = [0]
        for part in parts where part.player == player {
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
    /// The streams of a player that nobody plays yet let go of what lies before `index` of its route.
    func move(to index: Int64, of player: Int) {
        for (stream, own) in fresh where own == player { stream.move(to: index) }
    }

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
