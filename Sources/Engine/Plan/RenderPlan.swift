import Realtime
import Timeline

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

/// Keeps a stream read ahead for as long as any score plays it. Control thread.
final class StreamLease {
    let stream: TrackStream

    init(_ stream: TrackStream) { self.stream = stream }

    deinit { stream.isClosed.store(true, ordering: .releasing) }
}
