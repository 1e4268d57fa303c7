import Engine
import Timeline

/// Times that are told as they are played.
extension Player {
    /// The time whenever another `interval` of it has passed, and where it plays, stands or goes elsewhere.
    public func periodicTimes(every interval: MediaTime) -> AsyncStream<MediaTime> {
        follow(where: interval.isNumeric && interval > .zero) { number, continuation in
            observers.time[number] = (interval, .min, continuation)
        }
    }

    /// Each of the times whenever the frame nearest to it is played; not where a seek passes it. On JACK it
    /// is told within some milliseconds, and of a loop that is shorter than that not every round. Ends with
    /// the player.
    public func boundaryTimes(_ times: [MediaTime]) -> AsyncStream<MediaTime> {
        let times = times.filter(\.isOnTimeline).sorted()
        return follow { number, continuation in
            observers.boundary[number] = (times, continuation)
        }
    }

    /// The time at which it has played to the end of the composition, whenever it has: then it stands.
    /// Ends with the player.
    public func ends() -> AsyncStream<MediaTime> {
        follow { number, continuation in observers.ending[number] = continuation }
    }

    /// A stream that is noted by its number; one that has ended where it cannot be, or the player has.
    func follow<Element>(
        where canBe: Bool = true,
        _ note: (_ number: Int, _ continuation: AsyncStream<Element>.Continuation) -> Void
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream()
        guard canBe, status == .unknown || status == .readyToPlay else {
            continuation.finish()
            return stream
        }
        let number = newObserver()
        note(number, continuation)
        continuation.onTermination = { [weak self] _ in Task { await self?.forget(number) } }
        return stream
    }

    // MARK: - Telling

    func tellTime(always: Bool) {
        let now = currentTime
        for (number, observer) in observers.time {
            let turn = Int64(clamping: RoundingRule.down.divide(now, by: observer.interval))
            guard always || turn != observer.last else { continue }
            observers.time[number]?.last = turn
            observer.continuation.yield(now)
        }
    }

    func newObserver() -> Int {
        nextObserver += 1
        return nextObserver
    }

    func forget(_ number: Int) {
        observers.status[number] = nil
        observers.time[number] = nil
        observers.boundary[number] = nil
        observers.ending[number] = nil
        observers.takes[number] = nil
    }

    /// Those between where it was and where it is, as it has played from there to here.
    func tellBoundaries(_ engine: PlaybackEngine) {
        guard let before = toldUntil else { return }
        let now = engine.frame
        toldUntil = engine.isRolling || !engine.isStill ? now : nil
        if before == now { return }
        for observer in observers.boundary.values {
            for time in observer.times
            where engine.hasPlayed(over: time.frame(atRate: engine.sampleRate), from: before, to: now) {
                observer.continuation.yield(time)
            }
        }
    }
}

extension RoundingRule {
    /// How often `interval` goes into `time`.
    fileprivate func divide(_ time: MediaTime, by interval: MediaTime) -> Int128 {
        divide(
            Int128(time.value) * Int128(interval.timescale),
            by: Int128(time.timescale) * Int128(interval.value))
    }
}

extension PlaybackEngine {
    /// Whether a frame lies on the way from one to another, round the loop where that leads back.
    fileprivate func hasPlayed(over frame: Int64, from before: Int64, to now: Int64) -> Bool {
        if now > before { return before <= frame && frame < now }
        guard let loop, before < loop.upperBound, loop.contains(now) else { return false }
        return before <= frame && frame < loop.upperBound || loop.lowerBound <= frame && frame < now
    }
}
