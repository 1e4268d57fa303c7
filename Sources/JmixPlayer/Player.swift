import AudioFile
import Engine
import JackDriver
import JmixKit
import Timeline

/// What a player holds of the world, let go of in order.
private final class Place {
    var engine: PlaybackEngine?
    var client: JackClient?

    /// The server first: it calls the engine.
    func leave() {
        client?.close()
        client = nil
        engine?.close()
        engine = nil
    }

    deinit { leave() }
}

/// Plays a composition: on JACK, or into blocks that are pulled.
public actor Player {
    /// Where it plays.
    public enum Output: Sendable {
        /// As a client of a running JACK server, with ports `master_1` and `master_2`, those that inputs hear
        /// and those that strips go to. With `connects` the master is connected to the playback ports, unless
        /// the composition's file says to what, and all ports to what they name (`Input.connect` and the
        /// file's connections); without it others connect them.
        case jack(name: String = "jmix-player", server: String? = nil, connects: Bool = true)
        /// Nowhere: `render` gives the samples, as fast as they are asked for.
        case offline
    }

    /// Whether it can play.
    public enum Status: Equatable, Sendable {
        /// Not prepared yet, and ready.
        case unknown, readyToPlay
        /// Not to be used any more, for this reason.
        case failed(String)
        /// Ended by `stop`.
        case ended
    }

    /// Whether it can play; `statusUpdates` tells when that changes.
    public private(set) var status = Status.unknown {
        didSet { for observer in observers.status.values { observer.yield(status) } }
    }
    /// What it plays.
    public internal(set) var composition: Composition
    /// Files that could not be read while it played on JACK, each failure once: their tracks are silent until
    /// they can.
    public private(set) var fileFailures: [AudioFileError] = []
    private let output: Output
    private let place = Place()
    var engine: PlaybackEngine? { place.engine }
    var client: JackClient? { place.client }
    private var connects: Bool { if case .jack(_, _, true) = output { true } else { false } }
    /// The ports of its tracks' inputs, and of strips that go to ports.
    var strips = StripPorts()
    /// When connections are looked at next.
    private var lookAt = ContinuousClock.now
    private var beat: Task<Void, Never>?
    let observers = Observers()
    var nextObserver = 0
    private var seeking: CheckedContinuation<Bool, Never>?
    private var end: Int64 = .max
    /// Whose takes are recorded.
    var recordedOrigin = 0
    /// Up to where boundaries have been told, from `play` until it stands still.
    var toldUntil: Int64?

    /// A player that is yet to be prepared.
    public init(_ composition: Composition, output: Output = .jack()) {
        self.composition = composition
        self.output = output
    }

    /// Takes its place on the server and reads ahead. `status` is then ready or failed. Once: a player that
    /// failed or has ended stays so.
    public func prepare() {
        guard engine == nil, status == .unknown else { return }
        do throws(JackError) {
            var rate = composition.sampleRate
            if case .jack(let name, let server, _) = output {
                let client = try JackClient(name: name, server: server)
                place.client = client
                rate = client.sampleRate
            }
            let engine = PlaybackEngine(sampleRate: rate)
            place.engine = engine
            if let client { engine.period = client.period }
            applyComposition()
            try client?.activate(engine.mixer)
            // A session that connects the master is not connected to the playback ports besides.
            if connects, !composition.session.connections.contains(where: { $0.strip == .master }) {
                client?.connectToPlayback()
            }
        } catch {
            stopEverything()
            status = .failed("\(error)")
            return
        }
        startBeat()
    }

    /// Looks after what plays, until there is nothing left to do.
    private func startBeat() {
        beat = Task { [weak self] in
            while !Task.isCancelled, await self?.tick() ?? false {
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// Its status now, and whenever it changes; ends with the player.
    public func statusUpdates() -> AsyncStream<Status> {
        let (stream, continuation) = AsyncStream<Status>.makeStream()
        continuation.yield(status)
        guard status != .ended else {
            continuation.finish()
            return stream
        }
        let number = newObserver()
        observers.status[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.forget(number) } }
        return stream
    }

    /// Leaves the server. A player that has ended stays so.
    public func stop() {
        stopEverything()
        status = .ended
        observers.close()
    }

    // MARK: - Transport

    /// 1 while it plays or is about to, 0 while it stands.
    public var rate: Double { engine?.isRolling == true ? 1 : 0 }

    /// Plays from where it stands, as soon as enough is read ahead.
    public func play() {
        engine?.play()
        toldUntil = toldUntil ?? engine?.frame
        tellTime(always: true)
    }

    /// Stands still after a fade of 5 ms.
    public func pause() {
        engine?.stop()
        tellTime(always: true)
    }

    /// The frame that is played next, as a time.
    public var currentTime: MediaTime {
        engine.map { MediaTime(frame: $0.frame, rate: $0.sampleRate) } ?? .zero
    }

    /// Goes to `time`, rounded to the nearest frame; while playing, crossing over in 5 ms.
    /// - Returns: once it is there, whether it is: false if another seek came between, the time is none, or
    ///   the player is not ready.
    public func seek(to time: MediaTime) async -> Bool {
        guard let engine, status == .readyToPlay, time.isNumeric, time >= .zero else { return false }
        seeking?.resume(returning: false)
        seeking = nil
        tellBoundaries(engine)
        engine.locate(time.frame(atRate: engine.sampleRate))
        if toldUntil != nil { toldUntil = engine.frame }
        let isThere = await withCheckedContinuation { seeking = $0 }
        tellTime(always: true)
        return isThere
    }

    /// Plays a range round and round from where it stands, crossing over in 5 ms where it goes back; nil
    /// plays on. A range of less than a millisecond is none.
    /// - Returns: whether it loops now: false for nil, for a range that is none of a timeline, and before
    ///   the player is prepared.
    @discardableResult
    public func loop(_ range: TimeRange?) -> Bool {
        guard let engine else { return false }
        guard let range, range.start.isOnTimeline, range.end.isOnTimeline, range.duration > .zero else {
            engine.setLoop(nil)
            return false
        }
        let frames = range.start.frame(atRate: engine.sampleRate)..<range.end.frame(atRate: engine.sampleRate)
        engine.setLoop(frames)
        return engine.loop != nil
    }

    // MARK: - Mix

    /// Goes on with another composition at the same place; what sounds otherwise is crossed over in 5 ms,
    /// without a gap. One that is no copy of the present one ends recording. A copy that was made before a
    /// take has come does not have it: `edit` changes what is played as it is by now.
    public func replace(with composition: Composition) {
        if composition.origin != self.composition.origin { engine?.record(nil) }
        self.composition = composition
        applyComposition()
    }

    /// Changes the composition as it is by now, with all takes that have come; as `replace`, without a gap.
    /// - Throws: whatever `change` throws; then nothing has changed.
    public func edit<Result>(
        _ change: @Sendable (inout Composition) throws -> Result
    ) throws -> Result where Result: Sendable {
        var next = composition
        let result = try change(&next)
        replace(with: next)
        return result
    }

    /// The next frames of an offline player, silence while it stands; nil for a player on JACK, or one that
    /// is not ready.
    /// - Throws: `AudioFileError` if a file cannot be read.
    public func render(_ count: Int) throws(AudioFileError) -> MixBlock? {
        guard case .offline = output, let engine, status == .readyToPlay else { return nil }
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        let frame = engine.frame
        engine.waitUntilFilled()
        // No more than half a loop, so that it is seen how often it goes round.
        let most = max(1, min(engine.period, engine.loop.map { $0.count / 2 } ?? .max))
        mix(&left, &right, count, pieces: most, engine)
        _ = tick()
        if let failure = engine.takeFailures().first { throw failure }
        return MixBlock(frame: frame, left: left, right: right)
    }

    private func mix(
        _ left: inout [Float], _ right: inout [Float], _ count: Int, pieces most: Int,
        _ engine: PlaybackEngine
    ) {
        left.withUnsafeMutableBufferPointer { left in
            right.withUnsafeMutableBufferPointer { right in
                var done = 0
                while done < count {
                    let run = min(most, count - done)
                    engine.mixer.audioSide.render(
                        left.baseAddress! + done, right.baseAddress! + done, run, waits: true)
                    engine.poll()
                    tellBoundaries(engine)
                    done += run
                }
            }
        }
    }

    // MARK: - The engine's turn

    func applyComposition() {
        guard let engine else { return }
        for track in composition.tracks { engine.setTap(composition.taps[track.id], on: track.id) }
        let library = composition.library()
        engine.apply(composition.session, library: library)
        end = composition.duration.frame(atRate: engine.sampleRate)
        if let client, !client.isServerGone { followPorts(client, engine) }
    }

    /// Ports follow the tracks: at once, for nobody hears of what is new before.
    private func followPorts(_ client: JackClient, _ engine: PlaybackEngine) {
        if strips.follow(composition.session, of: composition.origin, client, engine) { lookAt = .now }
    }

    /// Those that nobody hears any more go, and what is there to be heard is connected.
    private func inspectPorts(_ client: JackClient, _ engine: PlaybackEngine) {
        if ContinuousClock.now < lookAt { return }
        engine.period = client.period
        followPorts(client, engine)
        strips.connect(composition.session, client, engine, connects: connects)
        // What is crossed over from stays connected until that is over.
        lookAt = .now + .milliseconds(client.hasDepartingInputs ? 5 : 100)
    }

    /// - Returns: whether there is anything left to do.
    private func tick() -> Bool {
        guard let engine else { return false }
        engine.poll()
        if let client, client.isServerGone {
            stopEverything()
            status = .failed("the JACK server '\(client.serverName)' is gone")
            return false
        }
        if let client {
            fileFailures += engine.takeFailures()
            inspectPorts(client, engine)
            layTakes(of: engine)
        }
        if status == .unknown, !engine.waitsForDisk { status = .readyToPlay }
        if case .offline = output {
            if !engine.waitsForDisk { arrive(true) }
        } else if engine.isSettled || engine.isStill {
            arrive(true)
        }
        tellBoundaries(engine)
        stopAtEnd(engine)
        tellTime(always: false)
        return true
    }

    private func stopAtEnd(_ engine: PlaybackEngine) {
        // A loop that reaches beyond the end goes round all the same, and what is to be recorded there is.
        let last = max(end + Int64(engine.lag), engine.loop?.upperBound ?? 0, recordingEnd(engine))
        guard engine.isRolling, engine.frame >= last else { return }
        engine.stop()
        for observer in observers.ending.values {
            observer.yield(MediaTime(frame: end, rate: engine.sampleRate))
        }
    }

    private func arrive(_ isThere: Bool) {
        seeking?.resume(returning: isThere)
        seeking = nil
    }

    private func stopEverything() {
        beat?.cancel()
        arrive(false)
        let ended = engine
        place.leave()
        if let ended { layTakes(of: ended) }
        observers.endTimes()
    }
}
