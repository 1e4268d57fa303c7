import AudioFile
import Timeline

/// The control side of the mixer: takes arrangements and transport orders, makes plans of them, and gets them
/// back. One thread, the control thread, calls it.
public final class PlaybackEngine {
    /// Frames per second of all that is played: the server's, or the session's offline.
    public let sampleRate: Int32
    /// The audio thread's side.
    public let mixer: Mixer
    package let pool: DiskPool
    let outbox: Outbox
    let rack: StripRack
    let recorder: Recorder
    let captures: Captures
    private let readAhead: ReadAhead
    /// Inputs are heard, and meters read; else all clips are heard.
    let isLive: Bool

    private(set) var arrangement: Arrangement?
    /// The frames between which it plays round and round; nil: none.
    public private(set) var loop: Range<Int64>?
    /// What the audio thread has been sent.
    private(set) var plans: SentPlans
    /// What it is to be sent next.
    private var next = NextPlan.none
    private var isTogether = false
    /// The next plan's streams are not filled yet; else what holds it up is an audio thread that takes none.
    public private(set) var waitsForDisk = false
    private var lastRoute = 0
    /// Where the last locate goes, and the route that it made: until the audio thread is on it, that is the
    /// position.
    private var lastLocate: (route: Int, frame: Int64)?
    private var measuresAnew = Anew.no
    /// How often what strips measure has begun anew for another session.
    public private(set) var metersBegun = 0

    private enum Anew: Equatable {
        case no, asked, coming
        /// On the mixer's clock.
        case at(Int64)
    }
    /// Whether it was last told to play.
    public private(set) var isRolling = false
    /// Orders to play, and to stop later, that wait until the streams are filled.
    private var held: [(order: MixerOrder, at: Int64?)] = []
    /// Called when a strip has got another live side than it had, before that is heard: what it plays into
    /// has to follow.
    public var onNewSides: (() -> Void)?
    /// Those that take part in an automix.
    private(set) var sharing: Set<StripID> = []
    /// What hands hold at present: heard from when a session is applied next.
    public var hands = Hands()
    /// The server's transport leads: nobody here says when to play.
    public var isLed = false

    /// The plan that is to be sent next.
    private enum NextPlan {
        case none
        /// Asked for, and made once all that belongs together has been asked. What it has in common with
        /// `base` plays on.
        case asked(Route, PlanData.Entry, base: PlanDraft, at: Int64?)
        /// Made, and sent once its streams are filled.
        case filling(PlanDraft, at: Int64?)
    }

    /// The most frames that `render` is asked for at once.
    public var period = 8192

    /// Starts the disk threads. Nothing is played yet.
    /// - Parameter isLive: there are inputs that may be heard, and somebody who reads meters.
    public init(sampleRate: Int32, readAhead: ReadAhead = ReadAhead(), isLive: Bool = true) {
        (self.readAhead, self.isLive) = (readAhead, isLive)
        self.sampleRate = sampleRate
        let master = StripHandle(StripSettings(), .sum, channels: 2, sampleRate: sampleRate)
        pool = DiskPool(
            threadCount: readAhead.threads, sampleRate: sampleRate, expectsLocates: readAhead.expectsLocates,
            isAlone: readAhead.isAlone)
        var draft = PlanDraft(route: Route(number: 0, start: 0, loop: nil), entry: .start)
        draft.parts = [
            PlanDraft.Part(
                id: .master, score: Score(content: LineContent(), lease: nil, sampleRate: sampleRate),
                edges: EdgeScore(LinePaths()), keys: LineKeys(), strip: master, sends: [])
        ]
        let nothing = RenderPlan(draft)
        plans = SentPlans(nothing)
        mixer = Mixer(
            sampleRate: sampleRate, plan: nothing, pool: pool,
            wakeUpFrames: readAhead.releasedFrames ?? readAhead.piece / 2, isLive: isLive)
        outbox = Outbox(mixer)
        rack = StripRack(master: master, mixer: mixer, outbox: outbox)
        recorder = Recorder(sampleRate: sampleRate)
        captures = Captures(recorder, rack, outbox, mixer)
    }

    /// Ends the disk threads; what has been recorded is written to its end. The audio thread must have
    /// stopped calling `render`.
    public func end() {
        captures.end()
        pool.end()
    }

    deinit { end() }

    // MARK: - What is played

    /// Plays `arrangement` from now on, at the same position; what sounds otherwise is crossed over in 5 ms.
    public func play(_ arrangement: Arrangement) {
        self.arrangement = arrangement
        if measuresAnew == .asked { measuresAnew = .coming }
        sharing = Set(arrangement.lines.filter { $0.keys.share != nil }.map(\.id))
        captures.follow(arrangement)
        let areNew = rack.keep(arrangement.wanted)
        let (route, entry) = newestRoute
        ask(route, entry)
        if areNew { onNewSides?() }
        if !isTogether { build() }
    }

    /// What hears an input now is another's from the next arrangement on: it fades out, whatever has its id
    /// there.
    public func forgetInputs() {
        let lines = arrangement?.lines.filter { $0.content.input != .never } ?? []
        rack.forget(Set(lines.map(\.id)))
        measuresAnew = .asked
        hands = Hands()
    }

    /// Sets a strip or send; what differs glides over 5 ms, or over `duration`.
    public func set(
        _ new: StripSettings, for id: StripID, over duration: MediaTime? = nil, curve: Curve = .linear
    ) {
        rack.set(new, for: id, over: duration, curve: curve, isStill: isStandingStill)
    }

    /// Puts a tap on a track, in place of the one it had; nil takes it off. A track that is yet to come gets
    /// it when it comes.
    public func setTap(_ tap: TrackTap?, on id: StripID) { rack.setTap(tap, on: id) }

    /// Sets a fader, in 5 ms, whatever fade it was in.
    public func setFader(_ id: StripID, to volume: Double) {
        rack.setFader(id, to: volume, isStill: isStandingStill)
    }

    /// The fader glides to `volume` over `duration`, from now on.
    public func fade(_ id: StripID, to volume: Double, over duration: MediaTime, curve: Curve) {
        rack.fade(id, to: volume, over: duration, curve: curve)
    }

    /// Nothing is heard, nor will be by what was asked last.
    private var isStandingStill: Bool { !isRolling && mixer.transport == .stopped && !hearsInputs }

    /// Inputs are heard, or were by a plan that may still be crossed over from.
    private var hearsInputs: Bool { arrangement?.hasInputs == true || plans.hasInputs }

    /// The changes that `body` makes take effect at one frame, but for those that have to wait for the disk,
    /// and are made in one go: an arrangement, a loop and a position to play from, one by one, would each
    /// have every stream read anew.
    /// - Parameter clock: that frame, on the mixer's clock, not more than a moment ahead; nil for as soon as
    ///   can be.
    @discardableResult
    public func together<Result>(at clock: Int64? = nil, _ body: () -> Result) -> Result {
        precondition(!isTogether, "what is asked together is not asked together once more")
        return outbox.together(at: clock) {
            isTogether = true
            let result = body()
            isTogether = false
            build()
            return result
        }
    }

    /// Frames mixed since the start, whatever the transport does: what `together(at:)` counts in.
    public var clock: Int64 { mixer.clock }

    // MARK: - Transport

    /// Silences the sum of all over `duration`, from now on, whatever the master is set to. Once
    /// `hasFallenSilent`, whoever leads the transport is to stop it; when it stands still all is as it was
    /// before, unless inputs are heard. `soundAgain` takes it back.
    public func fallSilent(over duration: MediaTime) {
        if !isStandingStill { rack.fallSilent(over: duration) }
    }

    /// It is silent as `fallSilent` had it be, and rolls on.
    public var hasFallenSilent: Bool { rack.hasFallenSilent }

    /// It is silent, or on its way there.
    public var isFallingSilent: Bool { rack.isSilenced }

    /// It has fallen silent and stands still, and inputs that would be heard are silent too.
    public var staysSilent: Bool { rack.staysSilent && !isRolling && mixer.transport == .stopped }

    /// The sum of all is heard again, in 5 ms.
    public func soundAgain() { rack.soundAgain(isStill: isStandingStill) }

    /// Rolls as soon as the streams are filled.
    public func play() {
        isRolling = true
        if isFilling { hold(.play) } else { outbox.send(.play) }
    }

    /// Fades out within 5 ms, whatever else is on its way; the playhead stays where the fade ends.
    public func stop() {
        isRolling = false
        rack.noteStop()
        // A stop that is meant for later comes behind a play that waits.
        if outbox.moment != nil, !held.isEmpty { return hold(.stop) }
        held = []
        outbox.send(.stop)
    }

    private func hold(_ order: MixerOrder) {
        // However often someone changes his mind meanwhile.
        if held.count == 16 { held.removeFirst(2) }
        held.append((order, outbox.moment))
    }

    /// Goes to `frame`: at once when stopped; while rolling, crossing over as soon as the streams are filled
    /// there.
    /// - Parameter frame: from 0 up; what lies beyond what can be counted is taken to its end.
    public func locate(_ frame: Int64) {
        let frame = frame.clamped(to: Route.positions)
        let route = newRoute(from: frame)
        lastLocate = (route.number, frame)
        want(route, .start)
    }

    /// Loops between two frames, or not at all, from where it is. A loop of less than 1 ms is none.
    public func setLoop(_ range: Range<Int64>?) {
        // A period is mixed in pieces that end with the loop: many short ones would make it late.
        loop = range?.clamped(to: Range(Route.positions))
        if let range = loop, Int64(range.count) * 1000 < Int64(sampleRate) { loop = nil }
        let (route, entry) = newestRoute
        // A locate that the audio thread has not been told of goes round this loop in place of the one
        // before.
        if case .start = entry { return locate(route.start) }
        let present = plans.index(mixer.progress)
        let index = entry.index(after: present)
        want(newRoute(from: route.frame(at: index), lead: route.lead + index), .onward(from: present))
    }

    /// The route that was asked for last, and how it is entered from what has been sent.
    private var newestRoute: (Route, PlanData.Entry) {
        switch next {
        case .none: (plans.newest.route, .same)
        case .asked(let route, let entry, _, _): (route, entry)
        case .filling(let draft, _): (draft.route, draft.entry)
        }
    }

    private func newRoute(from frame: Int64, lead: Int64 = 0) -> Route {
        lastRoute += 1
        return Route(number: lastRoute, start: frame, loop: loop, lead: lead)
    }

    /// The frame that is played next.
    public var frame: Int64 {
        if let lastLocate, !plans.hasReached(lastLocate.route, mixer.progress) { return lastLocate.frame }
        return mixer.frame
    }

    /// Where playing goes from a stopped transport at full level: nothing is on its way.
    public var isSettled: Bool { hasArrived && mixer.transport == (isRolling ? .rolling : .stopped) }

    /// It stands still, and nothing is on its way to the audio thread.
    public var isStill: Bool { hasArrived && mixer.transport == .stopped }

    /// What is played is what was asked last: nothing is on its way, and nothing is crossed over from.
    package var hasArrived: Bool { !isFilling && plans.haveArrived }

    /// How often a track fell silent because its data had not come.
    public var dropouts: Int { mixer.dropouts }

    /// The files that have failed since the last call: each failure once.
    public func takeFailures() -> [AudioFileError] { pool.takeFailures() }

    /// How the tracks' streams fare; none for a track without clips.
    public var streamHealths: [StripID: StreamHealth] {
        var healths: [StripID: StreamHealth] = [:]
        for part in plans.newest.draft.parts { healths[part.id] = part.score.stream?.health }
        return healths
    }

    /// The frame after the last clip of what is played.
    public var timelineEnd: Int64 { arrangement?.end ?? 0 }

    /// How far behind the playhead the mix is when it leaves the mixer, in frames: as long as processors hold
    /// sound back.
    public var lag: Int { Int(arrangement?.lag ?? 0) }

    /// By how many frames what comes in by ports is late when it leaves each strip, of those where it is at
    /// all.
    public var delays: [StripID: Int] {
        var delays: [StripID: Int] = [:]
        for line in arrangement?.lines ?? [] where line.delay > 0 { delays[line.id] = Int(line.delay) }
        return delays
    }

    /// Another session's strips have the ids of the one before: what these were measured at is not theirs. It
    /// is forgotten once nothing of that is heard any more, and the last of it has passed the meters.
    private func measureAnew() {
        switch measuresAnew {
        case .no, .asked: return
        case .coming:
            if plans.haveArrived, case .none = next {
                measuresAnew = .at(mixer.clock + Int64(sampleRate) / 20)
            }
        case .at(let clock):
            if mixer.clock < clock { return }
            measuresAnew = .no
            rack.measureAnew()
            metersBegun += 1
        }
    }

    // MARK: - Plans

    /// To be called every few milliseconds: frees what is not played any more, and sends what has become
    /// ready.
    public func poll() {
        plans.free(retired: mixer.retiredPlans)
        if let locate = lastLocate, plans.hasReached(locate.route, mixer.progress) { lastLocate = nil }
        plans.moveAlong(mixer.progress)
        rack.letGo()
        rack.endSpectra()
        measureAnew()
        captures.letGo()
        // Inputs, which are heard on, stay silent until somebody plays or stops.
        if rack.isSilenced, isStill, !isRolling, !hearsInputs { soundAgain() }
        sendIfFilled()
        catchUp()
    }

    /// After an audio thread that stood still could not be told everything: says again how all is to be.
    private func catchUp() {
        if outbox.isBehind, outbox.room == Mixer.inboxCapacity {
            outbox.catchUp()
            if !isLed, held.isEmpty { outbox.send(isRolling ? .play : .stop) }
            rack.catchUp()
            captures.sayAgain()
        }
        rack.sayAgain(isStill: isStandingStill)
    }

    /// What a stream must have before it is played: a period, and what it takes to begin without a fade; the
    /// rest follows while that is played, which takes the longer the more streams there are: 4096 tracks of
    /// 24 bits ran dry as they started without the last term.
    private var primedFrames: Int {
        min(
            period + 8 * mixer.fadeFrames + 4 * (arrangement?.lines.count ?? 0),
            readAhead.frames(of: .max) - readAhead.piece)
    }

    private func want(_ route: Route, _ entry: PlanData.Entry) {
        ask(route, entry)
        if !isTogether { build() }
    }

    /// Notes what the next plan is to be.
    private func ask(_ route: Route, _ entry: PlanData.Entry) {
        switch next {
        case .none: next = .asked(route, entry, base: plans.newest.draft, at: outbox.moment)
        case .asked(_, _, let base, let at):
            next = .asked(route, entry, base: base, at: later(at, outbox.moment))
        case .filling(let draft, let at):
            next = .asked(route, entry, base: draft, at: later(at, outbox.moment))
        }
    }

    private func later(_ a: Int64?, _ b: Int64?) -> Int64? {
        guard let a, let b else { return a ?? b }
        return max(a, b)
    }

    private func build() {
        guard case .asked(let route, let entry, let base, let at) = next else { return }
        var draft = PlanDraft(route: route, entry: entry)
        let before = Dictionary(uniqueKeysWithValues: base.parts.map { ($0.id, $0) })
        let beforeDCAs = Dictionary(uniqueKeysWithValues: base.dcas.map { ($0.id, $0) })
        let index = entry.index(after: plans.index(mixer.progress))
        var fresh: [TrackStream] = []
        for line in arrangement?.lines ?? [] {
            // What was read along another route is of no use on this one.
            let present = before[line.id].flatMap { $0.strip.channels == line.layout.channels ? $0 : nil }
            let old = route.number == base.route.number ? present?.score : nil
            let edges = before[line.id]?.edges
            let strip = rack[line.id]!
            let delays = before[line.id].flatMap { $0.strip === strip ? $0.delays : nil }
            draft.parts.append(
                PlanDraft.Part(
                    id: line.id, score: score(line, reusing: old, route, index, fresh: &fresh),
                    edges: edges?.paths == line.paths ? edges! : EdgeScore(line.paths),
                    keys: line.keys, strip: strip, sends: line.paths.sends.map { rack[$0.id]! },
                    delays: LineDelays(line, { rack[$0] }, after: delays)))
        }
        if draft.parts.isEmpty { draft.parts = base.parts.suffix(1) }
        for (id, envelopes) in arrangement?.dcas ?? [] {
            let old = beforeDCAs[id]
            draft.dcas.append(
                PlanDraft.DCA(
                    id: id, strip: rack[id]!, builders: envelopes,
                    envelopes: old?.builders == envelopes ? old!.envelopes : Envelopes(envelopes)))
        }
        pool.add(fresh)
        if !fresh.isEmpty { rememberPositions() }
        next = .filling(draft, at: at)
        waitsForDisk = true
        sendIfFilled()
    }

    private func score(
        _ line: Arrangement.Line, reusing old: Score?, _ route: Route, _ index: Int64,
        fresh: inout [TrackStream]
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
            spans: line.content.spans, layout: line.layout, route: route, base: index, lag: line.content.lag,
            sampleRate: sampleRate,
            readAhead: readAhead, tracks: arrangement?.lines.count ?? 0, cache: pool.cache)
        stream.begin()
        fresh.append(stream)
        return Score(content: line.content, lease: StreamLease(stream), sampleRate: sampleRate)
    }

    private func sendIfFilled() {
        guard case .filling(var draft, let at) = next else { return }
        // Streams that are being played are filled as they are; new ones must have enough to begin with.
        let playing = Set(plans.newest.draft.parts.compactMap { $0.score.stream.map(ObjectIdentifier.init) })
        draft.fresh = draft.parts.compactMap(\.score.stream).filter {
            !playing.contains(ObjectIdentifier($0))
        }
        // They were made where playing was then, and it has gone on.
        let index = draft.entry.index(after: plans.index(mixer.progress))
        for stream in draft.fresh { stream.move(to: index) }
        waitsForDisk = !draft.fresh.allSatisfy { $0.isPrimed(primedFrames) }
        if waitsForDisk { return }
        draft.ownBytes = bytes(of: draft)
        guard plans.hasRoom(for: draft.ownBytes) else { return }
        for stream in draft.fresh { stream.noteFill() }
        let steps = RenderPlan.plans(draft, after: plans.newest)
        guard outbox.room >= steps.count else { return }
        let frameBefore = plans.newest.route.frame(at: plans.index(mixer.progress))
        for plan in steps {
            plan.lookUpRests(at: draft.route.frame(at: index), frameBefore)
            outbox.send(.plan(plan.data), at: at)
            plans.append(plan)
        }
        next = .none
        // Not before what they wait for.
        for (order, moment) in held { outbox.send(order, at: later(moment, at)) }
        held = []
    }

    private func bytes(of draft: PlanDraft) -> Int {
        let known = Set(
            plans.newest.draft.parts.flatMap { [ObjectIdentifier($0.score), ObjectIdentifier($0.edges)] })
        let envelopes = draft.parts.reduce(0) { sum, part in
            sum + (known.contains(ObjectIdentifier(part.score)) ? 0 : part.score.envelopeBytes)
                + (known.contains(ObjectIdentifier(part.edges)) ? 0 : part.edges.bytes)
        }
        return draft.fresh.reduce(envelopes + draft.parts.count * MemoryLayout<Line>.stride) { $0 + $1.bytes }
    }

    /// Waits until what has been asked is filled and sent, for who renders by himself: between two calls of
    /// `render`, on its thread. While it rolls, what is heard may have to go on before all of it can be.
    public func waitUntilFilled() {
        poll()
        while isFilling {
            if waitsForDisk { pool.help() } else { mixer.audioSide.takeOrders() }
            let waited = waitsForDisk
            poll()
            if !waited, isFilling, !waitsForDisk { return }
        }
    }

    /// Whether a plan waits to be sent, for its streams to be filled or for room: `poll` soon.
    public var isFilling: Bool { if case .none = next { false } else { true } }

    // MARK: - Positions that are likely to be gone to

    /// Has the beginnings read of what is likely to be gone to: the loop, and where clips begin, on every
    /// track.
    private func rememberPositions() {
        guard readAhead.expectsLocates, let lines = arrangement?.lines, !lines.isEmpty else { return }
        let limit = PositionCache.maximumBlocks / 2
        var positions = loop.map { [$0.lowerBound] } ?? []
        positions += Set(lines.flatMap { $0.content.spans.prefix(limit).map(\.start) }).sorted().prefix(
            limit / lines.count)
        pool.cache.want(Array(positions.flatMap(keys).prefix(limit)))
        pool.wakeUp.signal()
    }

    /// What every track plays at a frame of the timeline.
    private func keys(at frame: Int64) -> [PositionCache.Key] {
        (arrangement?.lines ?? []).flatMap { line in
            line.content.span(at: frame).map { [$0] + $0.layers } ?? []
        }.compactMap { $0.cacheKey(at: frame) }
    }

    /// Has read what is to be played from `frame` on: a locate there is about to come, and what it needs
    /// shall be there by then.
    public func expectLocate(to frame: Int64) {
        pool.cache.wantSoon(keys(at: frame))
        pool.wakeUp.signal()
    }
}
