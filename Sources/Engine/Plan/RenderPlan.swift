import Realtime
import Timeline

/// Owns a plan's memory, and through its scores and strips all that the plan points to. Control thread.
final class RenderPlan {
    let data: UnsafeMutablePointer<PlanData>
    let draft: PlanDraft
    private let graph: GraphMemory
    private let union: GraphMemory
    private let blocks: BlockMemory
    private let courses: CourseMemory
    private let dcas: UnsafeMutablePointer<DCALine>

    /// The plans that lead from `previous` to `draft`: one; or two, where the edges of both together would
    /// make a loop. Then those that go close first, and what is new opens after that.
    static func plans(_ draft: PlanDraft, after previous: RenderPlan) -> [RenderPlan] {
        if let union = GraphDraft(draft, after: previous.draft) {
            return [RenderPlan(draft, union, previous: previous)]
        }
        let closed = draft.closed(after: previous.draft)
        let first = RenderPlan(closed, GraphDraft(closed, after: previous.draft)!, previous: previous)
        var rest = draft
        (rest.fresh, rest.ownBytes) = ([], 0)
        for player in rest.courses.indices { rest.courses[player].entry = .same }
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
        dcas = Self.lines(draft.dcas)
        courses = CourseMemory(draft, after: previous?.courses, dcas)
        data = LockedMemory.allocate(PlanData.self)
        data.initialize(
            to: PlanData(
                graph: graph.graph, union: self.union.graph, courses: courses.courses,
                courseCount: draft.courses.count, hasInputs: draft.hasInputs, dcas: dcas,
                dcaCount: draft.dcas.count,
                warmUp: Int(previous.map { draft.warmUp(after: $0.draft) } ?? 0),
                lateness: Int(draft.lateness)))
    }

    private static func lines(_ dcas: [PlanDraft.DCA]) -> UnsafeMutablePointer<DCALine> {
        let lines = LockedMemory.allocate(DCALine.self, dcas.count)
        for (index, dca) in dcas.enumerated() {
            (lines + index).initialize(
                to: DCALine(
                    strip: dca.strip.strip, envelopes: dca.envelopes.pointer,
                    envelopeCount: dca.envelopes.count))
        }
        return lines
    }

    /// Looks up what the audio thread would have to look up in the first block, for all tracks at once: the
    /// gains at the frame that each player plays first, and at the one that it crosses over from. With 512
    /// tracks that block took 0.5 ms, now 0.2. Before the audio thread has the plan.
    func lookUpRests(at frames: [Int64], _ framesBefore: [Int64]) {
        for graph in [data.pointee.graph.pointee, data.pointee.union.pointee] {
            for i in 0..<graph.count where !graph.lines[i].gate.isPast() {
                let player = Int(graph.lines[i].sound.player)
                let lag = data.pointee.courses[player].moments[graph.lines[i].sound.moment].lag
                graph.lines[i].sound.rest = Rest(of: graph.lines[i].sound, at: frames[player] - lag)
                if let before = graph.lines[i].before {
                    before.pointee.rest = Rest(of: before.pointee, at: framesBefore[player])
                }
            }
        }
    }

    /// A locate that takes longer than so many frames until it is heard.
    func goesElsewhereLate(_ frames: Int) -> Bool {
        data.pointee.lateness > frames && draft.courses.contains { $0.entry.isStart() }
    }

    deinit {
        LockedMemory.free(dcas, draft.dcas.count)
        LockedMemory.free(data)
    }
}

extension GraphMemory.Comparison {
    init(_ draft: PlanDraft, after previous: PlanDraft) {
        func indices(_ dcas: [PlanDraft.DCA]) -> [StripID: Int] {
            Dictionary(uniqueKeysWithValues: dcas.enumerated().map { ($1.id, $0) })
        }
        (dcas, dcasBefore) = (indices(draft.dcas), indices(previous.dcas))
        (moments, momentsBefore) = (Self.moments(draft), Self.moments(previous))
        goesElsewhere = draft.goesElsewhere(after: previous)
        let before = Dictionary(uniqueKeysWithValues: previous.dcas.map { ($0.id, $0) })
        let oneGoes = goesElsewhere.contains(true)
        changedDCAs = Set(
            draft.dcas.filter { dca in
                guard let old = before[dca.id], old.strip === dca.strip, old.envelopes === dca.envelopes
                else { return true }
                return oneGoes && dca.envelopes.count > 0
            }.map(\.id))
    }

    /// Of each player, by how far behind the playhead they are.
    private static func moments(_ draft: PlanDraft) -> [[Int64: Int]] {
        draft.courses.indices.map { player in
            Dictionary(uniqueKeysWithValues: draft.lags(of: player).enumerated().map { ($1, $0) })
        }
    }
}

/// Keeps a stream read ahead for as long as any score plays it. Control thread.
final class StreamLease {
    let stream: TrackStream

    init(_ stream: TrackStream) { self.stream = stream }

    deinit { stream.isClosed.store(true, ordering: .releasing) }
}
