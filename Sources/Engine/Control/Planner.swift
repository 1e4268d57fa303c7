import Realtime
import Timeline

/// Makes plans of what is to be played, and sends them once their streams are filled. Control thread.
final class Planner {
    /// What is to be played, from the next plan on.
    var arrangement: Arrangement?
    /// The most frames that `render` is asked for at once.
    var period = 8192
    /// What the audio thread has been sent.
    private(set) var plans: SentPlans
    /// The next plan's streams are not filled yet; else what holds it up is an audio thread that takes none.
    private(set) var waitsForDisk = false
    /// What it is to be sent next.
    private var next = NextPlan.none
    /// Orders to play, and to stop later, that wait until the next plan is sent.
    private var held: [(order: MixerOrder, player: Int, at: Int64?)] = []
    /// Whose playhead tracks are played by, other than the first player's.
    private let playerOfTrack: [StripID: Int]
    private let sampleRate: Int32
    private let readAhead: ReadAhead
    private let pool: DiskPool
    private let mixer: Mixer
    private let rack: StripRack
    private let outbox: Outbox

    /// The plan that is to be sent next.
    private enum NextPlan {
        case none
        /// Asked for, and made once all that belongs together has been asked. What it has in common with
        /// `base` plays on.
        case asked([CourseDraft], base: PlanDraft, at: Int64?)
        /// Made, and sent once its streams are filled.
        case filling(PlanDraft, at: Int64?)
    }

    /// - Parameter first: what the mixer plays at first.
    init(
        _ first: RenderPlan, _ playerOfTrack: [StripID: Int], _ readAhead: ReadAhead, _ pool: DiskPool,
        _ rack: StripRack
    ) {
        (plans, self.playerOfTrack) = (SentPlans(first), playerOfTrack)
        (self.readAhead, self.pool) = (readAhead, pool)
        (mixer, self.rack, outbox, sampleRate) = (rack.mixer, rack, rack.outbox, rack.mixer.sampleRate)
    }

    /// Whether a plan waits to be sent, for its streams to be filled or for room.
    var isFilling: Bool { if case .none = next { false } else { true } }

    /// What is played is what was asked last: nothing is on its way, and nothing is crossed over from.
    var hasArrived: Bool { !isFilling && plans.haveArrived }

    /// What each player was asked last to play by, and how that is entered from what has been sent.
    var newestCourses: [CourseDraft] {
        switch next {
        case .none: plans.newest.draft.courses.map { CourseDraft(route: $0.route, entry: .same) }
        case .asked(let courses, _, _): courses
        case .filling(let draft, _): draft.courses
        }
    }

    /// Whose playhead a track is played by; nil for what is none.
    func player(ofTrack id: StripID) -> Int? { rack[id]?.role == .track ? playerOfTrack[id] ?? 0 : nil }

    /// How far along its newest route a player is, or would be if what is on its way to the audio thread were
    /// there already.
    func index(of player: Int) -> Int64 { plans.index(of: player, mixer.progress(of: player)) }

    /// Frees the plans that are not heard any more, and has the streams of those that wait go on.
    func poll() {
        plans.free(retired: mixer.retiredPlans)
        plans.moveAlong(mixer)
    }

    // MARK: - Orders

    /// Notes what the next plan is to be.
    func ask(_ courses: [CourseDraft]) {
        switch next {
        case .none: next = .asked(courses, base: plans.newest.draft, at: outbox.moment)
        case .asked(_, let base, let at): next = .asked(courses, base: base, at: later(at, outbox.moment))
        case .filling(let draft, let at): next = .asked(courses, base: draft, at: later(at, outbox.moment))
        }
    }

    /// Whether an order of a player waits for the next plan.
    func holds(_ player: Int) -> Bool { held.contains { $0.player == player } }

    /// Sends an order to play or stop behind the next plan.
    func hold(_ order: MixerOrder, of player: Int) {
        // However often someone changes his mind meanwhile.
        let own = held.indices.filter { held[$0].player == player }
        if own.count == 16 { for index in own.prefix(2).reversed() { held.remove(at: index) } }
        held.append((order, player, outbox.moment))
    }

    /// The orders of a player that wait are not sent.
    func dropHeld(of player: Int) { held.removeAll { $0.player == player } }

    private func later(_ a: Int64?, _ b: Int64?) -> Int64? {
        guard let a, let b else { return a ?? b }
        return max(a, b)
    }

    // MARK: - Plans

    /// Makes the plan that was asked for, if one was.
    /// - Returns: whether it has streams that are new.
    func build() -> Bool {
        guard case .asked(let courses, let base, let at) = next else { return false }
        var draft = PlanDraft(courses)
        let indices = courses.enumerated().map { $1.entry.index(after: index(of: $0)) }
        let before = Dictionary(uniqueKeysWithValues: base.parts.map { ($0.id, $0) })
        for line in arrangement?.lines ?? [] {
            draft.parts.append(part(line, before[line.id], base, indices, &draft))
        }
        if draft.parts.isEmpty { draft.parts = base.parts.suffix(1) }
        draft.dcas = dcas(base)
        pool.add(draft.fresh.map(\.stream))
        let hasFresh = !draft.fresh.isEmpty
        next = .filling(draft, at: at)
        waitsForDisk = true
        sendIfFilled()
        return hasFresh
    }

    private func dcas(_ base: PlanDraft) -> [PlanDraft.DCA] {
        let before = Dictionary(uniqueKeysWithValues: base.dcas.map { ($0.id, $0) })
        return (arrangement?.dcas ?? []).map { id, envelopes in
            let old = before[id]
            return PlanDraft.DCA(
                id: id, strip: rack[id]!, builders: envelopes,
                envelopes: old?.builders == envelopes ? old!.envelopes : Envelopes(envelopes))
        }
    }

    private func part(
        _ line: ArrangedLine, _ before: PlanDraft.Part?, _ base: PlanDraft, _ indices: [Int64],
        _ draft: inout PlanDraft
    ) -> PlanDraft.Part {
        let player = playerOfTrack[line.id] ?? 0
        // What was read along another route is of no use on this one.
        let stays = draft.courses[player].route.number == base.courses[player].route.number
        let old = before.flatMap { stays && $0.strip.channels == line.layout.channels ? $0.score : nil }
        let strip = rack[line.id]!
        return PlanDraft.Part(
            id: line.id, player: player, score: score(line, reusing: old, player, indices[player], &draft),
            edges: before?.edges.paths == line.paths
                ? before!.edges : EdgeScore(line.paths, closedBy: Closings(line.paths, draft.closingMutes)),
            keys: line.keys, strip: strip, sends: line.paths.sends.map { rack[$0.id]! },
            outputLag: line.outputLag,
            delays: LineDelays(
                line, { rack[$0] }, after: before.flatMap { $0.strip === strip ? $0.delays : nil }))
    }

    private func score(
        _ line: ArrangedLine, reusing old: Score?, _ player: Int, _ index: Int64,
        _ draft: inout PlanDraft
    ) -> Score {
        if let old, old.content == line.content { return old }
        if line.content.spans.isEmpty {
            return Score(content: line.content, lease: nil, sampleRate: sampleRate)
        }
        if let lease = old?.lease, lease.stream.spans == line.content.spans,
            lease.stream.lag == line.content.lag
        {
            return Score(content: line.content, lease: lease, sampleRate: sampleRate)
        }
        let stream = TrackStream(
            of: line.content, layout: line.layout,
            from: RoutePlace(route: draft.courses[player].route, index: index), sampleRate: sampleRate,
            readAhead: readAhead.shared(by: arrangement?.lines.count ?? 0), cache: pool.cache)
        stream.begin()
        draft.fresh.append((stream, player))
        return Score(content: line.content, lease: StreamLease(stream), sampleRate: sampleRate)
    }

    /// What a stream must have before it is played: a period, and what it takes to begin without a fade; the
    /// rest follows while that is played, which takes the longer the more streams there are: 4096 tracks of
    /// 24 bits ran dry as they started without the last term.
    private var primedFrames: Int {
        min(
            period + 8 * mixer.fadeFrames + 4 * (arrangement?.lines.count ?? 0),
            readAhead.shared(by: .max).frames - readAhead.piece)
    }

    /// Sends the next plan if there is one, it is filled, and there is room; behind it the orders that wait.
    func sendIfFilled() {
        guard case .filling(var draft, let at) = next else { return }
        draft.fresh = fresh(draft)
        // They were made where playing was then, and it has gone on.
        let indices = draft.courses.enumerated().map { $1.entry.index(after: index(of: $0)) }
        for (stream, player) in draft.fresh { stream.move(to: indices[player]) }
        waitsForDisk = !draft.fresh.allSatisfy { $0.stream.isPrimed(primedFrames) }
        if waitsForDisk { return }
        draft.ownBytes = bytes(of: draft)
        guard plans.hasRoom(for: draft.ownBytes) else { return }
        for (stream, _) in draft.fresh { stream.noteFill() }
        let steps = RenderPlan.plans(draft, after: plans.newest)
        guard outbox.room >= steps.count else { return }
        send(steps, from: indices, at: at)
        next = .none
        // Not before what they wait for.
        for (order, _, moment) in held { outbox.send(order, at: later(moment, at)) }
        held = []
    }

    /// Streams that are being played are filled as they are; new ones must have enough to begin with.
    private func fresh(_ draft: PlanDraft) -> [(stream: TrackStream, player: Int)] {
        let playing = Set(plans.newest.draft.parts.compactMap { $0.score.stream.map(ObjectIdentifier.init) })
        return draft.parts.compactMap { part in part.score.stream.map { ($0, part.player) } }.filter {
            !playing.contains(ObjectIdentifier($0.0))
        }
    }

    private func send(_ steps: [RenderPlan], from indices: [Int64], at moment: Int64?) {
        let framesBefore = plans.newest.draft.courses.enumerated().map { $1.route.frame(at: index(of: $0)) }
        for plan in steps {
            let frames = zip(plan.draft.courses, indices).map { $0.route.frame(at: $1) }
            plan.lookUpRests(at: frames, framesBefore)
            outbox.send(.plan(plan.data), at: moment)
            plans.append(plan)
        }
    }

    private func bytes(of draft: PlanDraft) -> Int {
        let known = Set(
            plans.newest.draft.parts.flatMap { [ObjectIdentifier($0.score), ObjectIdentifier($0.edges)] })
        let envelopes = draft.parts.reduce(0) { sum, part in
            sum + (known.contains(ObjectIdentifier(part.score)) ? 0 : part.score.envelopeBytes)
                + (known.contains(ObjectIdentifier(part.edges)) ? 0 : part.edges.bytes)
        }
        let lines = envelopes + draft.closingMutes.bytes + draft.parts.count * MemoryLayout<Line>.stride
        return draft.fresh.reduce(lines) { $0 + $1.stream.bytes }
    }
}
