import Files
import Timeline

/// Which strips are armed, what is recorded of them, and the way to the disk. Control thread.
///
/// A strip has one capture, from when it is first armed until all that was played while it was has come in.
/// Whoever arms it again before that gets the same: while nobody calls the audio thread nothing can be taken
/// from it.
final class Captures {
    private let recorder: Recorder
    private let rack: StripRack
    private let outbox: Outbox
    private let mixer: Mixer
    private var captures: [ObjectIdentifier: Held] = [:]
    private(set) var punch: Range<Int64>?
    /// Takes of passes that may still be on their way in by other tracks.
    private var finished: [Finished] = []
    /// What may have been recorded until then.
    private var stopping: Stopping?
    private var lostBefore = 0
    private var hasEnded = false
    private var ended: [Capture] = []
    /// Tracks that are armed and have to wait until others are let go.
    private var waiting: [Track] = []

    /// While nobody calls the audio thread, no more are made than these.
    private static let maximum = 2 * Session.maximumArmed

    /// By how many frames what comes in for a track is late, as far as that is known.
    private var latencies: [StripID: Int?] = [:]
    /// How far behind the playhead the mix is when it leaves the mixer: what comes in then lies so much
    /// earlier.
    private var lag = 0
    /// How far behind the playhead the timeline is that what comes in for a track now is heard with.
    private var shifts: [StripID: Int] = [:]

    /// A strip that is armed, or was.
    private struct Held {
        let capture: Capture
        let strip: StripHandle
        var state: State
        /// Something was recorded, or was on its way, when it was told to end.
        var mayHoldTake = false
    }

    private enum State {
        case armed
        /// It is told to end; all has come in that was played before that when the clock is there.
        case ending(Outbox.Mark, at: Int64?)
        /// The audio thread is told to let go of it.
        case leaving(Outbox.Mark)

        var isArmed: Bool { if case .armed = self { true } else { false } }
    }

    /// A take, and when every pass that it may be of has come in.
    private struct Finished {
        let take: Take
        /// On the mixer's clock.
        let until: Int64
        /// The recorder has looked at all of it after so many turns; nil: it has not come in.
        var turns: Int?
    }

    private enum Stopping {
        /// The audio thread is told.
        case told(Outbox.Mark)
        /// What was played before comes in until then.
        case comingIn(until: Int64)
        /// The recorder has all of it after so many turns.
        case written(turns: Int)
    }

    /// - Parameter playerOfTrack: whose playhead tracks are played by, other than the first player's.
    init(
        _ recorder: Recorder, _ rack: StripRack, _ outbox: Outbox, _ mixer: Mixer,
        _ playerOfTrack: [StripID: Int]
    ) {
        (self.recorder, self.rack, self.outbox, self.mixer) = (recorder, rack, outbox, mixer)
        self.playerOfTrack = playerOfTrack
    }

    private let playerOfTrack: [StripID: Int]

    /// What is played from now on.
    func follow(_ arrangement: Arrangement) {
        lag = Int(arrangement.lag)
        shifts = [:]
        for line in arrangement.lines where line.content.input != .never {
            shifts[line.id] = Int(line.content.lag - line.content.inputWait)
        }
        for held in captures.values { tellLatency(held.capture) }
    }

    /// From now on a session's tracks are armed that are so there, and no others.
    func follow(_ session: Session) {
        if session.tracks.contains(where: \.isArmed) {
            recorder.names = Dictionary(
                session.strips.compactMap { strip in
                    rack[strip.id].map { ($0.strip.pointee.number, strip.name) }
                }, uniquingKeysWith: { first, _ in first })
            // Also of what undo leads back to.
            recorder.add(Set(session.files.map { FilePath(Path.name(of: $0.text)) }))
        }
        follow(session.tracks)
    }

    private func follow(_ tracks: [Track]) {
        if hasEnded { return }
        var wanted: Set<ObjectIdentifier> = []
        waiting = []
        for track in tracks where wanted.count < Session.maximumArmed {
            guard track.isArmed, let input = track.input, let strip = rack[track.id] else { continue }
            wanted.insert(ObjectIdentifier(strip))
            if captures.count >= Self.maximum, captures[ObjectIdentifier(strip)] == nil {
                waiting = tracks
                continue
            }
            arm(track, strip, channels: input.channels)
        }
        for (id, held) in captures where held.state.isArmed && !wanted.contains(id) {
            send(held, isArmed: false)
            captures[id]!.state = .ending(outbox.mark, at: nil)
            captures[id]!.mayHoldTake = punch != nil || stopping != nil
        }
        markLeaving()
    }

    private func arm(_ track: Track, _ strip: StripHandle, channels: Int) {
        let id = ObjectIdentifier(strip)
        let isKnown = captures[id] != nil
        let description = Capture.Description(name: track.name, channels: channels)
        let capture =
            captures[id]?.capture
            ?? Capture(
                track: track.id, description, width: strip.channels,
                player: playerOfTrack[track.id] ?? 0, strip: strip.strip.pointee.number)
        if !isKnown {
            tellLatency(capture)
            recorder.add(capture)
        }
        // The next take has another name; one of another width begins at once.
        let isOther = capture.describe(description)
        if captures[id]?.state.isArmed == true, !isOther { return }
        captures[id] = Held(capture: capture, strip: strip, state: .armed)
        send(captures[id]!, isArmed: true)
    }

    private func send(_ held: Held, isArmed: Bool, at moment: Int64?) {
        outbox.send(.capture(held.strip.strip, held.capture.cursor, isArmed: isArmed), at: moment)
    }

    private func send(_ held: Held, isArmed: Bool) { send(held, isArmed: isArmed, at: outbox.moment) }

    /// What is recorded while it rolls: these frames of the timeline; nil: none.
    func record(_ frames: Range<Int64>?) {
        punch = frames
        if frames != nil { recorder.start() }
        sendPunch(at: outbox.moment)
        stopping = frames == nil ? .told(outbox.mark) : nil
    }

    private func sendPunch(at moment: Int64?) {
        let frames = punch.map {
            Punch(start: $0.lowerBound, end: min($0.upperBound, Route.positions.upperBound))
        }
        for player in 0..<mixer.playerCount { outbox.send(.record(frames, player: player), at: moment) }
    }

    /// Those that were taken away are let go behind all that has been said.
    private func markLeaving() {
        for (id, held) in captures {
            switch held.state {
            case .armed: break
            case .ending: captures[id]!.state = .ending(outbox.mark, at: nil)
            case .leaving: captures[id]!.state = .leaving(outbox.mark)
            }
        }
    }

    /// By how many frames what comes in for a track is later than what goes out; nil: nobody knows yet.
    func setLatency(_ frames: Int?, of id: StripID) {
        latencies[id] = .some(frames)
        for held in captures.values where held.capture.track == id { tellLatency(held.capture) }
    }

    private func tellLatency(_ capture: Capture) {
        let latency = latency(of: capture.track)
        capture.aired = max(0, (latency ?? 0) - shifts[capture.track, default: 0])
        if capture.latency != latency { capture.latency = latency }
    }

    private func latency(of id: StripID) -> Int? { (latencies[id] ?? .some(0)).map { $0 + lag } }

    /// The tracks that are armed.
    var ids: [StripID] { captures.values.filter(\.state.isArmed).map(\.capture.track) }

    /// How many there are, armed or on their way out.
    var count: Int { captures.count }

    /// Frames that could not be written in time.
    var lost: Int { captures.values.reduce(lostBefore) { $0 + $1.capture.lost } }

    /// Something is being recorded, or is about to become a take.
    var isUnderWay: Bool { punch != nil && hasArmed || isEnding }

    /// Where nothing is recorded at present: what was is about to become takes, or may be (`settle`).
    var isEnding: Bool {
        captures.values.contains { !$0.state.isArmed && $0.mayHoldTake } || stopping != nil && hasArmed
            || recorder.isBusy || !finished.isEmpty
    }

    private var hasArmed: Bool { captures.values.contains(where: \.state.isArmed) }

    /// Looks whether anything was recorded until now, however short.
    func settle() { if stopping == nil, hasArmed { stopping = .told(outbox.mark) } }

    /// The takes that are whole since the last call: of each pass all or none, one pass after another. What
    /// has come in of a pass by one track comes in by another so much later as that is later.
    func takeFinished() -> [Take] {
        let latencies = captures.values.compactMap(\.capture.latency)
        let spread = Int64((latencies.max() ?? 0) - (latencies.min() ?? 0))
        let come = recorder.takeFinished()
        finished += come.map { Finished(take: $0, until: mixer.clock + spread, turns: spread == 0 ? 0 : nil) }
        if hasEnded {
            defer { finished = [] }
            return finished.map(\.take).sorted { $0.pass < $1.pass }
        }
        let open = min(oldestWaiting(recorder.turns), recorder.oldestPass)
        defer { finished.removeAll { $0.take.pass < open } }
        return finished.map(\.take).filter { $0.pass < open }.sorted { $0.pass < $1.pass }
    }

    /// The first pass of which a take may still come, when the recorder has had so many turns.
    private func oldestWaiting(_ turns: Int) -> Int {
        for index in finished.indices
        where finished[index].turns == nil && mixer.clock >= finished[index].until {
            finished[index].turns = turns + 2
        }
        return finished.filter { $0.turns.map { turns < $0 } ?? true }.map(\.take.pass).min() ?? .max
    }

    /// What has been let go is written to its end.
    func letGo() {
        if outbox.isBehind { return }
        if !waiting.isEmpty, captures.count < Self.maximum { follow(waiting) }
        goOnStopping()
        for (id, held) in captures {
            switch held.state {
            case .ending(let mark, nil) where outbox.isDone(mark):
                captures[id]!.state = .ending(mark, at: mixer.clock + Int64(held.capture.latency ?? 0))
            case .ending(_, let clock?) where mixer.clock >= clock:
                outbox.send(.capture(held.strip.strip, nil, isArmed: false), at: nil)
                captures[id]!.state = .leaving(outbox.mark)
            case .leaving(let mark) where outbox.isDone(mark):
                lostBefore += held.capture.lost
                recorder.leave(held.capture)
                captures[id] = nil
            default: break
            }
        }
    }

    private func goOnStopping() {
        switch stopping {
        case .told(let mark) where outbox.isDone(mark):
            stopping = .comingIn(
                until: mixer.clock + Int64(mixer.fadeFrames)
                    + Int64(captures.values.compactMap(\.capture.latency).max() ?? 0))
        case .comingIn(let clock) where mixer.clock >= clock:
            // The turn that is under way may have looked before.
            stopping = .written(turns: recorder.turns + 2)
            recorder.wake()
        case .written(let turns):
            if recorder.turns >= turns { stopping = nil } else { recorder.wake() }
        default: break
        }
    }

    /// Says everything again, after an audio thread that could not be told.
    func sayAgain() {
        for held in captures.values {
            switch held.state {
            case .armed: send(held, isArmed: true, at: nil)
            case .ending: send(held, isArmed: false, at: nil)
            case .leaving: outbox.send(.capture(held.strip.strip, nil, isArmed: false), at: nil)
            }
        }
        markLeaving()
        sendPunch(at: nil)
    }

    /// The audio thread has ended: what it has given is written.
    func close() {
        for held in captures.values { recorder.leave(held.capture) }
        // A callback may still be under way, where the server is gone: what it touches stays.
        ended += captures.values.map(\.capture)
        (captures, hasEnded) = ([:], true)
        recorder.stop()
    }
}
