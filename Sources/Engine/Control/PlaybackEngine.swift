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
    let readAhead: ReadAhead
    /// Inputs are heard, and meters read; else all clips are heard.
    let isLive: Bool

    let planner: Planner
    /// What each player was asked last.
    var orders: [PlayerOrders]
    var isTogether = false
    var lastRoute = 0
    private var measuresAnew = Anew.no
    /// How often what strips measure has begun anew for another session.
    public private(set) var metersBegun = 0

    private enum Anew: Equatable {
        case no, asked, coming
        /// On the mixer's clock.
        case at(Int64)
    }
    /// Called when a strip has got another live side than it had, before that is heard: what it plays into
    /// has to follow.
    public var onNewSides: (() -> Void)?
    /// Those that take part in an automix.
    private(set) var sharing: Set<StripID> = []
    /// What hands hold at present: heard from when a session is applied next.
    public var hands = Hands()
    /// The server's transport leads: nobody here says when to play.
    public var isLed = false

    /// The most frames that `render` is asked for at once.
    public var period: Int {
        get { planner.period }
        set { planner.period = newValue }
    }

    /// Starts the disk threads. Nothing is played yet.
    /// - Parameter isLive: there are inputs that may be heard, and somebody who reads meters.
    public convenience init(sampleRate: Int32, readAhead: ReadAhead = ReadAhead(), isLive: Bool = true) {
        self.init(sampleRate: sampleRate, readAhead: readAhead, isLive: isLive, players: [:])
    }

    /// - Parameter players: whose playhead tracks are played by, other than the first player's, which is 0.
    package init(sampleRate: Int32, readAhead: ReadAhead, isLive: Bool, players: [StripID: Int]) {
        (self.readAhead, self.isLive) = (readAhead, isLive)
        self.sampleRate = sampleRate
        let master = StripHandle(StripSettings(), .sum, channels: 2, sampleRate: sampleRate)
        pool = DiskPool(
            threadCount: readAhead.threads, sampleRate: sampleRate, expectsLocates: readAhead.expectsLocates,
            isAlone: readAhead.isAlone)
        let playerCount = (players.values.max() ?? 0) + 1
        orders = Array(repeating: PlayerOrders(), count: playerCount)
        let nothing = Self.nothing(master, playerCount, sampleRate)
        mixer = Mixer(
            sampleRate: sampleRate, plan: nothing, pool: pool,
            wakeUpFrames: readAhead.releasedFrames ?? readAhead.piece / 2, isLive: isLive)
        outbox = Outbox(mixer)
        rack = StripRack(master: master, mixer: mixer, outbox: outbox)
        recorder = Recorder(sampleRate: sampleRate, mixer.memoryLog)
        captures = Captures(recorder, rack, outbox, mixer, players)
        planner = Planner(nothing, players, readAhead, pool, rack)
    }

    /// The first plan: a master, and players that play nothing.
    private static func nothing(_ master: StripHandle, _ players: Int, _ sampleRate: Int32) -> RenderPlan {
        let course = CourseDraft(route: Route(number: 0, start: 0, loop: nil), entry: .start)
        var draft = PlanDraft(Array(repeating: course, count: players))
        draft.parts = [
            PlanDraft.Part(
                id: .master, player: 0,
                score: Score(content: LineContent(), lease: nil, sampleRate: sampleRate),
                edges: EdgeScore(LinePaths()), keys: LineKeys(), strip: master, sends: [], outputLag: 0)
        ]
        return RenderPlan(draft)
    }

    /// Ends the disk threads; what has been recorded is written to its end. The audio thread must have
    /// stopped calling `render`.
    public func close() {
        captures.close()
        pool.stop()
    }

    deinit { close() }

    // MARK: - What is played

    var arrangement: Arrangement? { planner.arrangement }

    /// Plays `arrangement` from now on, at the same position; what sounds otherwise is crossed over in 5 ms.
    public func play(_ arrangement: Arrangement) {
        planner.arrangement = arrangement
        if measuresAnew == .asked { measuresAnew = .coming }
        sharing = Set(arrangement.lines.filter { $0.keys.share != nil }.map(\.id))
        captures.follow(arrangement)
        let areNew = rack.keep(arrangement.wanted)
        planner.ask(planner.newestCourses)
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
    /// - Parameter moved: is moved even if it does not differ: a fade that is under way ends.
    public func set(
        _ new: StripSettings, for id: StripID, over duration: MediaTime? = nil, curve: Curve = .linear,
        moving moved: StripSettings.Moved.Part? = nil
    ) {
        rack.set(new, for: id, over: duration, curve: curve, moving: moved, isStill: standsStill(id))
    }

    /// Puts a tap on a track, in place of the one it had; nil takes it off. A track that is yet to come gets
    /// it when it comes.
    public func setTap(_ tap: TrackTap?, on id: StripID) { rack.setTap(tap, on: id) }

    /// Sets a fader, in 5 ms, whatever fade it was in.
    public func setFader(_ id: StripID, to volume: Double) {
        rack.setFader(id, to: volume, isStill: standsStill(id))
    }

    /// The fader glides to `volume` over `duration`, from now on.
    public func fade(_ id: StripID, to volume: Double, over duration: MediaTime, curve: Curve) {
        rack.fade(id, to: volume, over: duration, curve: curve)
    }

    /// Nothing is heard, nor will be by what was asked last.
    private var isStandingStill: Bool { standsByOrder && !hearsInputs }

    /// The same of a strip: a track is heard while its own player rolls.
    private func standsStill(_ id: StripID) -> Bool {
        guard let player = planner.player(ofTrack: id) else { return isStandingStill }
        return stands(player) && !hearsInputs
    }

    /// No player rolls, nor was told to.
    private var standsByOrder: Bool { orders.indices.allSatisfy(stands) }

    private func stands(_ player: Int) -> Bool {
        !orders[player].isRolling && mixer.transport(of: player) == .stopped
    }

    /// Inputs are heard, or were by a plan that may still be crossed over from.
    private var hearsInputs: Bool { arrangement?.hasInputs == true || planner.plans.hasInputs }

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
    /// - Parameter holds: it is silent until `soundAgain`, whatever stands still.
    public func fallSilent(over duration: MediaTime, holds: Bool = false) {
        if holds || !isStandingStill { rack.fallSilent(over: duration, holds: holds) }
    }

    /// It is silent as `fallSilent` had it be, and rolls on.
    public var hasFallenSilent: Bool { rack.hasFallenSilent }

    /// It is silent, or on its way there.
    public var isFallingSilent: Bool { rack.isSilenced }

    /// Whoever leads the transport in its place was told to stop it.
    public func noteStop() { rack.noteStop() }

    /// It stays so until somebody says otherwise.
    public var holdsSilence: Bool { rack.holdsSilence }

    /// It has fallen silent and stands still, and inputs that would be heard are silent too.
    public var staysSilent: Bool { rack.staysSilent && standsByOrder }

    /// The sum of all is heard again, in 5 ms.
    public func soundAgain() { rack.soundAgain(isStill: isStandingStill) }

    /// Where playing goes from a stopped transport at full level: nothing is on its way.
    public var isSettled: Bool {
        hasArrived
            && orders.indices.allSatisfy {
                mixer.transport(of: $0) == (orders[$0].isRolling ? .rolling : .stopped)
            }
    }

    /// It stands still, and nothing is on its way to the audio thread.
    public var isStill: Bool {
        hasArrived && orders.indices.allSatisfy { mixer.transport(of: $0) == .stopped }
    }

    /// What is played is what was asked last: nothing is on its way, and nothing is crossed over from.
    package var hasArrived: Bool { planner.hasArrived }

    /// How often a track fell silent because its data had not come.
    public var dropouts: Int { mixer.dropouts }

    /// The files that have failed since the last call: each failure once.
    public func takeFailures() -> [AudioFileError] { pool.takeFailures() }

    /// How the tracks' streams fare; none for a track without clips.
    public var streamHealths: [StripID: StreamHealth] {
        var healths: [StripID: StreamHealth] = [:]
        for part in planner.plans.newest.draft.parts { healths[part.id] = part.score.stream?.health }
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
            if planner.hasArrived {
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
        planner.poll()
        for player in orders.indices {
            if let locate = orders[player].lastLocate, hasReached(locate.route, player) {
                orders[player].lastLocate = nil
            }
        }
        rack.letGo()
        rack.endSpectra()
        measureAnew()
        captures.letGo()
        // Inputs, which are heard on, stay silent until somebody plays or stops.
        if rack.isSilenced, !rack.holdsSilence, isStill, isStandingStill { soundAgain() }
        planner.sendIfFilled()
        catchUp()
    }

    /// After an audio thread that stood still could not be told everything: says again how all is to be.
    private func catchUp() {
        if outbox.isBehind, outbox.room == Mixer.inboxCapacity {
            outbox.catchUp()
            for player in orders.indices where !(isLed && player == 0) && !planner.holds(player) {
                outbox.send(orders[player].isRolling ? .play(player: player) : .stop(player: player))
            }
            rack.catchUp()
            captures.sayAgain()
        }
        rack.sayAgain(isStill: isStandingStill)
    }

    /// Makes what was asked together, and has read what may be asked next.
    func build() { if planner.build() { rememberPositions() } }

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
    public var isFilling: Bool { planner.isFilling }

    /// The next plan's streams are not filled yet; else what holds it up is an audio thread that takes none.
    public var waitsForDisk: Bool { planner.waitsForDisk }
}
