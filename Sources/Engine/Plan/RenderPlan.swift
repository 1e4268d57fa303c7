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

/// Owns a plan's memory, and through its scores and strips all that the plan points to. Control thread.
final class RenderPlan {
    let data: UnsafeMutablePointer<PlanData>
    let draft: PlanDraft
    var route: Route { draft.route }
    private let graph: GraphMemory
    private let union: GraphMemory
    private let blocks: BlockMemory
    private let gains: UnsafeMutablePointer<Float>
    private let gainBlocks: UnsafeMutablePointer<GainBlock>

    /// The plans that lead from `previous` to `draft`: one; or two, where the edges of both together would
    /// make a loop. Then those that go close first, and what is new opens after that.
    static func plans(_ draft: PlanDraft, after previous: RenderPlan) -> [RenderPlan] {
        if let union = GraphDraft(draft, after: previous.draft) {
            return [RenderPlan(draft, union, previous: previous)]
        }
        let closed = draft.closed(after: previous.draft)
        let first = RenderPlan(closed, GraphDraft(closed, after: previous.draft)!, previous: previous)
        var rest = draft
        (rest.entry, rest.fresh, rest.ownBytes) = (.same, [], 0)
        return [first, RenderPlan(rest, GraphDraft(rest, after: closed)!, previous: first)]
    }

    /// The first of all.
    convenience init(_ draft: PlanDraft) { self.init(draft, nil, previous: nil) }

    /// - Parameters:
    ///   - union: its edges with those of the plan before it.
    ///   - previous: the plan that is played before this one.
    private init(_ draft: PlanDraft, _ union: GraphDraft?, previous: RenderPlan?) {
        self.draft = draft
        let own = GraphDraft(draft)
        let blockCount = max(GraphMemory.blockCount(own), union.map(GraphMemory.blockCount) ?? 0)
        blocks =
            previous.flatMap { (blockCount...2 * blockCount).contains($0.blocks.count) ? $0.blocks : nil }
            ?? BlockMemory(blockCount)
        let comparison = GraphMemory.Comparison(draft, after: previous?.draft ?? draft)
        graph = GraphMemory(own, comparison, blocks)
        self.union = union.map { [blocks] in GraphMemory($0, comparison, blocks) } ?? graph
        let stride = Block.stride()
        let (dcas, count) = (LockedMemory.allocate(DCALine.self, draft.dcas.count), draft.dcas.count)
        for (index, dca) in draft.dcas.enumerated() {
            (dcas + index).initialize(
                to: DCALine(
                    strip: dca.strip.strip, envelopes: dca.envelopes.pointer,
                    envelopeCount: dca.envelopes.count))
        }
        let lags = comparison.moments.keys.sorted()
        gains = LockedMemory.allocate(Float.self, lags.count * count * stride)
        gainBlocks = LockedMemory.allocate(GainBlock.self, lags.count * count)
        for index in 0..<lags.count * count {
            (gainBlocks + index).initialize(to: GainBlock(scratch: gains + index * stride))
        }
        let moments = LockedMemory.allocate(Moment.self, lags.count)
        for (index, lag) in lags.enumerated() {
            (moments + index).initialize(
                to: Moment(lag: lag, dcas: dcas, gains: gainBlocks + index * count, dcaCount: count))
        }
        data = LockedMemory.allocate(PlanData.self)
        data.initialize(
            to: PlanData(
                route: draft.route, routeNumber: Self.number(draft.route, after: previous),
                entry: draft.entry, graph: graph.graph, union: self.union.graph, hasInputs: draft.hasInputs,
                dcas: dcas, dcaCount: draft.dcas.count, moments: moments, momentCount: lags.count,
                warmUp: Int(previous.map { draft.warmUp(after: $0.draft) } ?? 0)))
    }

    private static func number(_ route: Route, after previous: RenderPlan?) -> UInt16 {
        guard let previous else { return 0 }
        return previous.route.number == route.number
            ? previous.data.pointee.routeNumber : previous.data.pointee.routeNumber &+ 1
    }

    /// Looks up what the audio thread would have to look up in the first block, for all tracks at once: the
    /// gains at `frame`, which is played first, and those at `frameBefore`, which is crossed over from. With
    /// 512 tracks that block took 0.5 ms, now 0.2. Before the audio thread has the plan.
    func lookUpRests(at frame: Int64, _ frameBefore: Int64) {
        for graph in [data.pointee.graph.pointee, data.pointee.union.pointee] {
            for i in 0..<graph.count where !graph.lines[i].gate.isPast() {
                let lag = data.pointee.moments[graph.lines[i].sound.moment].lag
                graph.lines[i].sound.rest = Rest(of: graph.lines[i].sound, at: frame - lag)
                if let before = graph.lines[i].before {
                    before.pointee.rest = Rest(of: before.pointee, at: frameBefore)
                }
            }
        }
    }

    deinit {
        LockedMemory.free(data.pointee.dcas, data.pointee.dcaCount)
        LockedMemory.free(gains, data.pointee.momentCount * data.pointee.dcaCount * Block.stride())
        LockedMemory.free(gainBlocks, data.pointee.momentCount * data.pointee.dcaCount)
        LockedMemory.free(data.pointee.moments, data.pointee.momentCount)
        LockedMemory.free(data)
    }
}

extension PlanDraft {
    /// So many frames it takes until all is there that its lines hold back and those of `previous` do not.
    fileprivate func warmUp(after previous: PlanDraft) -> Int64 {
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

extension GraphMemory.Comparison {
    init(_ draft: PlanDraft, after previous: PlanDraft) {
        func indices(_ dcas: [PlanDraft.DCA]) -> [StripID: Int] {
            Dictionary(uniqueKeysWithValues: dcas.enumerated().map { ($1.id, $0) })
        }
        (dcas, dcasBefore) = (indices(draft.dcas), indices(previous.dcas))
        func places(_ lags: [Int64]) -> [Int64: Int] {
            Dictionary(uniqueKeysWithValues: lags.enumerated().map { ($1, $0) })
        }
        (moments, momentsBefore) = (places(draft.lags), places(previous.lags))
        isElsewhere = previous.route.number != draft.route.number
        let before = Dictionary(uniqueKeysWithValues: previous.dcas.map { ($0.id, $0) })
        let isElsewhere = isElsewhere
        changedDCAs = Set(
            draft.dcas.filter { dca in
                guard let old = before[dca.id], old.strip === dca.strip, old.envelopes === dca.envelopes
                else { return true }
                return isElsewhere && dca.envelopes.count > 0
            }.map(\.id))
    }
}

/// Envelopes in the memory of the audio thread. Control thread.
final class Envelopes {
    let pointer: UnsafeMutablePointer<Envelope>
    let count: Int
    /// What they take of memory.
    var bytes: Int { (0..<count).reduce(0) { $0 + pointer[$1].count * MemoryLayout<GainSegment>.stride } }

    init(_ builders: [EnvelopeBuilder]) {
        count = builders.count
        pointer = LockedMemory.allocate(Envelope.self, count)
        for (index, builder) in builders.enumerated() {
            let segments = LockedMemory.allocate(GainSegment.self, builder.segments.count)
            segments.initialize(from: builder.segments, count: builder.segments.count)
            let last = LockedMemory.allocate(Int.self)
            last.initialize(to: 0)
            (pointer + index).initialize(
                to: Envelope(segments: segments, count: builder.segments.count, last: last))
        }
    }

    deinit {
        for index in 0..<count {
            LockedMemory.free(UnsafeMutablePointer(mutating: pointer[index].segments), pointer[index].count)
            LockedMemory.free(pointer[index].last)
        }
        LockedMemory.free(pointer, count)
    }
}

/// What one line plays: its envelopes and its stream. Plans share the scores of strips that an edit left
/// alone. Control thread.
final class Score {
    let content: LineContent
    let lease: StreamLease?
    let envelopes: Envelopes
    let trims: Envelopes
    /// nil: the timeline says nothing of its processors.
    let lanes: LaneMemory?

    var stream: TrackStream? { lease?.stream }
    /// What its envelopes take of memory.
    var envelopeBytes: Int { envelopes.bytes + trims.bytes + (lanes?.bytes ?? 0) }

    init(content: LineContent, lease: StreamLease?, sampleRate: Int32) {
        (self.content, self.lease) = (content, lease)
        (envelopes, trims) = (Envelopes(content.envelopes), Envelopes(content.trims))
        lanes = content.lanes.isEmpty ? nil : LaneMemory(content.lanes, sampleRate: sampleRate)
    }
}

/// Where one line's sound goes, and what the timeline says of that. Shared in the same way. Control thread.
final class EdgeScore {
    let paths: LinePaths
    let pan: Envelopes?
    let sends: [Send]
    /// What its envelopes take of memory.
    var bytes: Int { sends.reduce(pan?.bytes ?? 0) { $0 + $1.envelopes.bytes + ($1.pan?.bytes ?? 0) } }

    init(_ paths: LinePaths) {
        self.paths = paths
        pan = paths.pan.map { Envelopes($0) }
        sends = paths.sends.map {
            Send(
                path: $0, envelopes: Envelopes($0.envelopes), pan: $0.pan.map { Envelopes($0) },
                matrix: $0.matrix.map { SendMatrixMemory($0) })
        }
    }

    /// What the timeline says of a send.
    struct Send {
        let path: LinePaths.SendPath
        let envelopes: Envelopes
        let pan: Envelopes?
        let matrix: SendMatrixMemory?

        /// Whether the timeline says something else of it than `other` does.
        /// - Parameter isElsewhere: it is read elsewhere.
        func differs(from other: Send, isElsewhere: Bool) -> Bool {
            if isElsewhere || path.lag != other.path.lag {
                return [self, other].contains { $0.envelopes.count > 0 || $0.pan != nil }
            }
            return envelopes !== other.envelopes
                && (path.envelopes != other.path.envelopes || path.pan != other.path.pan)
        }
    }
}

/// Keeps a stream read ahead for as long as any score plays it. Control thread.
final class StreamLease {
    let stream: TrackStream

    init(_ stream: TrackStream) { self.stream = stream }

    deinit { stream.isClosed.store(true, ordering: .releasing) }
}
