import AudioFile
import Realtime
import Synchronization
import Timeline

/// The control side of the mixer: takes arrangements and transport orders, makes plans of them, and gets them back.
/// One thread, the control thread, calls it.
public final class PlaybackEngine {
    /// Frames per second of all that is played: the server's, or the session's offline.
    public let sampleRate: Int32
    /// The audio thread's side.
    public let mixer: Mixer
    package let pool: DiskPool
    private let master: StripHandle
    private var strips: [TrackID: StripHandle] = [:]
    private var settings: [TrackID: StripSettings] = [:]
    /// Strips of removed tracks, and taps that others have taken the place of, kept until no order that names them can be on its way.
    private var leaving: [AnyObject] = []
    private var taps: [TrackID: TrackTap] = [:]
    private var masterSettings: StripSettings
    /// When the fades that were asked for will be over, on the mixer's clock; nil is the master's.
    private var fadeEnds: [TrackID?: Int64] = [:]

    private var arrangement: Arrangement?
    private var loop: Range<Int64>?
    /// The plan that was sent last; the audio thread plays it, or will.
    private var sent: RenderPlan
    /// What the next plan is to play by, where several changes go into one: it is made when all have been asked.
    private var wanted: (order: PlayOrder, entry: PlanData.Entry)?
    private var isTogether = false
    /// A plan whose streams are still being filled.
    private var pending: (plan: RenderPlan, entry: PlanData.Entry, at: Int64)?
    /// Plans that the audio thread may still look at, by the address it knows them by.
    private var inFlight: [UnsafeMutableRawPointer: RenderPlan] = [:]
    /// Where the last locate goes, until the audio thread is there.
    private var locateTarget: Int64?
    /// What was asked last; the audio thread follows once the streams are filled.
    private var wantsRolling = false
    /// When what is being asked takes effect, on the mixer's clock; `Int64.min` for at once.
    private var effectiveAt = Int64.min
    /// The queue was full: the audio thread has not been told everything.
    private var isBehind = false

    /// The most frames that `render` is asked for at once.
    public var period = 8192

    /// Enough plans between two callbacks for any script; more waits for the audio thread.
    private static let maximumInFlight = 256

    private let readAhead: ReadAhead

    /// Starts the disk threads. Nothing is played yet.
    public init(sampleRate: Int32, readAhead: ReadAhead = ReadAhead()) {
        self.readAhead = readAhead
        self.sampleRate = sampleRate
        masterSettings = StripSettings()
        master = StripHandle(masterSettings, sampleRate: sampleRate)
        pool = DiskPool(threadCount: readAhead.threads, sampleRate: sampleRate, expectsLocates: readAhead.expectsLocates)
        sent = RenderPlan(order: PlayOrder(start: 0, loop: nil), orderNumber: 0, entry: .start, ids: [], scores: [], strips: [], previous: nil)
        mixer = Mixer(sampleRate: sampleRate, plan: sent, master: master, pool: pool, wakeUpFrames: readAhead.piece / 2)
    }

    /// Ends the disk threads. The audio thread must have stopped calling `render`.
    public func end() { pool.end() }

    deinit { pool.end() }

    // MARK: - What is played

    /// Plays `arrangement` from now on, at the same place; what sounds otherwise is crossed over in 5 ms.
    public func play(_ arrangement: Arrangement) {
        self.arrangement = arrangement
        let ids = Set(arrangement.lines.map(\.id))
        leaving += strips.filter { !ids.contains($0.key) }.map(\.value) as [AnyObject]
        strips = strips.filter { ids.contains($0.key) }
        settings = settings.filter { ids.contains($0.key) }
        for line in arrangement.lines { makeStrip(line.id) }
        rebuild(order: wanted?.order ?? pending?.plan.order ?? sent.order, entry: wanted?.entry ?? pending?.entry ?? .sameIndex)
    }

    /// Sets a strip; what differs glides over 5 ms, or over `duration`.
    public func set(_ new: StripSettings, for id: TrackID, over duration: MediaTime? = nil) {
        guard let strip = strips[id] else { return settings[id] = new }
        glide(strip, id, from: settings[id] ?? new, to: new, over: duration)
        settings[id] = new
    }

    /// The same for the sum of all tracks.
    public func setMaster(_ new: StripSettings, over duration: MediaTime? = nil) {
        glide(master, nil, from: masterSettings, to: new, over: duration)
        masterSettings = new
    }

    /// Puts a tap on a track, in place of the one it had; nil takes it off. A track that is yet to come gets it when it comes.
    public func setTap(_ tap: TrackTap?, on id: TrackID) {
        taps[id] = tap
        if let strip = strips[id] { giveTap(to: strip, tap) }
    }

    private func giveTap(to strip: StripHandle, _ tap: TrackTap?) {
        if let old = strip.tap { leaving.append(old) }
        strip.tap = tap
        send(RealtimeMessage(.tap, object: UnsafeMutableRawPointer(strip.strip), count: tap.map { Int64(Int(bitPattern: $0.cell)) } ?? 0))
    }

    /// Sets a fader, in 5 ms, whatever fade it was in; nil is the master's.
    public func setFader(_ id: TrackID?, to volume: Double) {
        fade(id, to: volume, frames: glideFrames, curve: .linear)
        fadeEnds[id] = nil
    }

    /// The fader glides to `volume` over `duration`, from now on; nil is the master's.
    public func fade(_ id: TrackID?, to volume: Double, over duration: MediaTime, curve: Curve) {
        let frames = max(0, duration.frame(atRate: sampleRate))
        fade(id, to: volume, frames: frames, curve: curve)
        fadeEnds[id] = max(mixer.clock, effectiveAt) + frames
    }

    private func fade(_ id: TrackID?, to volume: Double, frames: Int64, curve: Curve) {
        let strip = id.map { strips[$0] } ?? master
        guard let strip else { return }
        if let id { settings[id]?.fader = volume } else { masterSettings.fader = volume }
        send(.fader, strip, volume, frames: frames, curve: curve)
    }

    /// 5 ms; nothing while it stands still, so that what was set before play is heard from the first frame.
    private var glideFrames: Int64 { !wantsRolling && mixer.transport == .stopped ? 0 : Int64(mixer.fadeFrames) }

    private func glide(_ strip: StripHandle, _ id: TrackID?, from old: StripSettings, to new: StripSettings, over duration: MediaTime?) {
        let frames = duration.map { max(0, $0.frame(atRate: sampleRate)) } ?? glideFrames
        if duration != nil, old.fader != new.fader { fadeEnds[id] = max(mixer.clock, effectiveAt) + frames }
        if old.fader != new.fader { send(.fader, strip, new.fader, frames: frames) }
        if old.isHeard != new.isHeard { send(.gate, strip, new.isHeard ? 1 : 0, frames: frames) }
        if old.left != new.left { send(.left, strip, new.left, frames: frames) }
        if old.right != new.right { send(.right, strip, new.right, frames: frames) }
    }

    private func send(_ order: MixerOrder, _ strip: StripHandle, _ value: Double, frames: Int64, curve: Curve = .linear) {
        send(RealtimeMessage(
            order, object: UnsafeMutableRawPointer(strip.strip), count: frames, value: value, option: GainCurve(curve).rawValue, at: effectiveAt))
    }

    private func send(_ message: RealtimeMessage) {
        if !mixer.send(message) { isBehind = true }
    }

    /// Says again how everything is to be, after an audio thread that stood still could not be told all of it.
    private func catchUp() {
        guard isBehind, mixer.hasTakenAll else { return }
        isBehind = false
        for (id, strip) in strips { resend(settings[id] ?? StripSettings(), to: strip) }
        resend(masterSettings, to: master)
        if !isFilling { send(RealtimeMessage(wantsRolling ? .play : .stop)) }
    }

    private func resend(_ settings: StripSettings, to strip: StripHandle) {
        if strip.tap != nil { giveTap(to: strip, strip.tap) }
        let frames = glideFrames
        send(.fader, strip, settings.fader, frames: frames)
        send(.gate, strip, settings.isHeard ? 1 : 0, frames: frames)
        send(.left, strip, settings.left, frames: frames)
        send(.right, strip, settings.right, frames: frames)
    }

    /// The changes that `body` makes take effect at one frame, but for those that have to wait for the disk, and are made in one go: an arrangement,
    /// a loop and a place to play from, one by one, would each have every stream read anew.
    /// - Parameter clock: that frame, on the mixer's clock, not more than a moment ahead; nil for as soon as can be.
    @discardableResult
    public func together<Result>(at clock: Int64? = nil, _ body: () -> Result) -> Result {
        effectiveAt = clock ?? .min
        isTogether = true
        defer { effectiveAt = .min }
        return mixer.sendTogether {
            let result = body()
            isTogether = false
            build()
            return result
        }
    }

    /// Frames mixed since the start, whatever the transport does: what `together(at:)` counts in.
    public var clock: Int64 { mixer.clock }

    // MARK: - Transport

    /// Rolls as soon as the streams are filled.
    public func play() {
        wantsRolling = true
        if !isFilling { send(RealtimeMessage(.play, at: effectiveAt)) }
    }

    /// Fades out within 5 ms; the playhead stays where the fade ends.
    public func stop() {
        wantsRolling = false
        send(RealtimeMessage(.stop, at: effectiveAt))
    }

    /// Goes to `frame`: at once when stopped; while rolling, crossing over as soon as the streams are filled there.
    public func locate(_ frame: Int64) {
        locateTarget = frame
        rebuild(order: PlayOrder(start: frame, loop: loop), entry: .start)
    }

    /// Loops between two frames, or not at all, from where it is.
    public func setLoop(_ range: Range<Int64>?) {
        loop = range
        if let target = locateTarget {
            rebuild(order: PlayOrder(start: target, loop: range), entry: .start)
        } else {
            rebuild(order: PlayOrder(start: mixer.frame, loop: range), entry: .sameFrame)
        }
    }

    /// Whether it was last told to play.
    public var isRolling: Bool { wantsRolling }

    /// The frame that is played next.
    public var frame: Int64 { locateTarget ?? mixer.frame }

    /// Where playing goes from a stopped transport at full level: nothing is on its way.
    public var isSettled: Bool { !isFilling && inFlight.isEmpty && (wantsRolling ? mixer.transport == .rolling : mixer.transport == .stopped) }

    /// It stands still, and nothing is on its way to the audio thread.
    public var isStill: Bool { !isFilling && inFlight.isEmpty && mixer.transport == .stopped }

    /// How often a track fell silent because its data had not come.
    public var dropouts: Int { mixer.dropouts }

    /// The files that have failed since the last call: each failure once.
    public func takeFailures() -> [AudioFileError] { pool.takeFailures() }

    /// How the tracks' streams fare; none for a track without clips.
    public var streamHealths: [TrackID: StreamHealth] {
        var healths: [TrackID: StreamHealth] = [:]
        for (id, score) in zip(sent.ids, sent.scores) { healths[id] = score.stream?.health }
        return healths
    }

    /// The frame after the last clip of what is played.
    public var timelineEnd: Int64 { arrangement?.end ?? 0 }

    /// The strip of a track, for a direct output; nil without such a track.
    public func stripHandle(_ id: TrackID) -> StripHandle? { strips[id] }

    /// Peaks of a track since they were last read, and its RMS; zeros without such a track.
    public func readMeter(_ id: TrackID) -> MeterReading { strips[id]?.readMeter() ?? MeterReading() }
    /// The same of the master.
    public func readMasterMeter() -> MeterReading { master.readMeter() }

    /// The RMS of a strip's louder side; nil is the master's. Leaves the peaks for others to read.
    public func rms(_ id: TrackID?) -> Float { (id == nil ? master : strips[id!])?.rms ?? 0 }

    /// Whether a fader is on its way; nil is the master's.
    public func isFading(_ id: TrackID?) -> Bool { fadeEnds[id].map { mixer.clock < $0 } ?? false }

    /// Where a fader stands: what it was set to, or how far a fade has come; nil is the master's.
    public func presentFader(_ id: TrackID?) -> Double {
        if let end = fadeEnds[id], mixer.clock < end, let strip = id == nil ? master : strips[id!] { return strip.presentFader }
        return id.map { settings[$0]?.fader ?? 1 } ?? masterSettings.fader
    }

    /// What a track is heard at where the playhead stands: automation, fades, ducks and fader multiplied, without mute and solo.
    public func presentVolume(_ id: TrackID) -> Double {
        guard let place = sent.ids.firstIndex(of: id) else { return presentFader(id) }
        let score = sent.scores[place]
        return (0..<score.envelopeCount).reduce(presentFader(id)) { $0 * score.envelopes[$1].value(at: frame) }
    }

    // MARK: - Plans

    /// To be called every few milliseconds: frees what came back, and sends what has become ready.
    public func poll() {
        while let address = mixer.nextRetired() { inFlight[address] = nil }
        if mixer.hasTakenAll { leaving = [] }
        if inFlight.isEmpty, !isFilling { locateTarget = nil }
        sendPendingIfReady()
        catchUp()
    }

    /// What a stream must have before it is played: a period, and what it takes to begin without a fade; the rest follows while that is played, which takes
    /// the longer the more streams there are: 4096 tracks of 24 bits ran dry as they started without the last term.
    private var primedFrames: Int { min(period + 8 * mixer.fadeFrames + 4 * (arrangement?.lines.count ?? 0), readAhead.frames(of: .max) - readAhead.piece) }

    /// The index of the order that was sent last; 0 until the audio thread plays by it.
    private var presentIndex: Int64 { mixer.orderNumber == sent.orderNumber ? mixer.index : 0 }

    private func rebuild(order: PlayOrder, entry: PlanData.Entry) {
        wanted = (order, entry)
        if !isTogether { build() }
    }

    private func build() {
        guard let (order, entry) = wanted else { return }
        wanted = nil
        // What the present plan, sent or pending, has in common with the new one is played on.
        let base = pending?.plan ?? sent
        var reusable: [TrackID: TrackScore] = [:]
        if order == base.order {
            for (id, score) in zip(base.ids, base.scores) { reusable[id] = score }
        }
        let index = entry == .sameIndex ? presentIndex : 0
        var scores: [TrackScore] = []
        var handles: [StripHandle] = []
        var fresh: [TrackStream] = []
        for line in arrangement?.lines ?? [] {
            scores.append(score(line, reusing: reusable[line.id], order: order, index: index, fresh: &fresh))
            handles.append(strips[line.id]!)
        }
        pool.add(fresh)
        if !fresh.isEmpty { rememberPlaces() }
        let ids = arrangement?.lines.map(\.id) ?? []
        let number = entry == .sameIndex ? sent.orderNumber : sent.orderNumber + 1
        pending = (RenderPlan(
            order: order, orderNumber: number, entry: entry, ids: ids, scores: scores, strips: handles, previous: sent), entry, max(effectiveAt, pending?.at ?? .min))
        sendPendingIfReady()
    }

    /// Has the beginnings read of what is likely to be gone to: the loop, and where clips begin, on every track.
    private func rememberPlaces() {
        guard readAhead.expectsLocates, let lines = arrangement?.lines, !lines.isEmpty else { return }
        let limit = PlaceCache.maximumBlocks / 2
        var places = loop.map { [$0.lowerBound] } ?? []
        places += Set(lines.flatMap { $0.content.spans.prefix(limit).map(\.start) }).sorted().prefix(limit / lines.count)
        pool.cache.want(Array(places.flatMap(keys).prefix(limit)))
        pool.wakeUp.signal()
    }

    /// What every track plays at a frame of the timeline.
    private func keys(at frame: Int64) -> [PlaceCache.Key] {
        (arrangement?.lines ?? []).compactMap { line in line.content.span(at: frame)?.place(at: frame) }
    }

    /// Has read what is to be played from `frame` on: a locate there is about to come, and what it needs shall be there by then.
    public func expectLocate(to frame: Int64) {
        pool.cache.wantSoon(keys(at: frame))
        pool.wakeUp.signal()
    }

    private func score(
        _ line: Arrangement.Line, reusing old: TrackScore?, order: PlayOrder, index: Int64, fresh: inout [TrackStream]
    ) -> TrackScore {
        if let old, old.content == line.content { return old }
        if line.content.spans.isEmpty { return TrackScore(content: line.content, lease: nil) }
        if let lease = old?.lease, lease.stream.spans == line.content.spans {
            return TrackScore(content: line.content, lease: lease)
        }
        let stream = TrackStream(spans: line.content.spans, order: order, base: index, sampleRate: sampleRate, 
            frames: readAhead.frames(of: arrangement?.lines.count ?? 0), piece: readAhead.piece, cache: pool.cache)
        stream.begin()
        fresh.append(stream)
        return TrackScore(content: line.content, lease: StreamLease(stream))
    }

    private func makeStrip(_ id: TrackID) {
        if strips[id] != nil { return }
        let strip = StripHandle(settings[id] ?? StripSettings(), sampleRate: sampleRate)
        strips[id] = strip
        if let tap = taps[id] { giveTap(to: strip, tap) }
    }

    private func sendPendingIfReady() {
        guard let (plan, entry, at) = pending, inFlight.count < Self.maximumInFlight else { return }
        // Streams that are being played are filled as they are; new ones must have enough to begin with.
        let playing = Set(sent.scores.compactMap { $0.stream.map(ObjectIdentifier.init) })
        let fresh = plan.scores.compactMap(\.stream).filter { !playing.contains(ObjectIdentifier($0)) }
        if entry == .sameIndex { for stream in fresh { stream.move(to: presentIndex) } }
        guard fresh.allSatisfy({ $0.isPrimed(primedFrames) }) else { return }
        for stream in fresh { stream.settle() }
        plan.settle(at: entry == .start ? plan.order.start : mixer.frame)
        guard mixer.send(RealtimeMessage(.plan, object: UnsafeMutableRawPointer(plan.data), at: at)) else { return }
        inFlight[UnsafeMutableRawPointer(sent.data)] = sent
        sent = plan
        pending = nil
        if wantsRolling { send(RealtimeMessage(.play, at: at)) }
    }

    /// Sleeps until the disk threads have read something, at most `milliseconds`.
    public func waitForDisk(milliseconds: Int) { pool.progress.wait(milliseconds: milliseconds) }

    /// Whether a plan waits for its streams to be filled: `poll` soon.
    public var isFilling: Bool { pending != nil || wanted != nil }
}
