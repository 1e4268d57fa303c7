import Timeline

/// Which strips are armed, what is recorded of them, and the way to the disk. Control thread.
final class Captures {
    private let recorder: Recorder
    private let rack: StripRack
    private let outbox: Outbox
    private var armed: [StripID: Armed] = [:]
    /// Those that were taken away, kept until the audio thread has let go of them.
    private var leaving: [(armed: Armed, mark: Outbox.Mark)] = []
    private(set) var punch: Range<Int64>?
    /// What may have been recorded until then, and after how many turns the recorder has all of it.
    private var stopping: (mark: Outbox.Mark, turns: Int?)?
    private var lostBefore = 0
    private var hasEnded = false

    /// By how many frames what comes in for a track is late, as far as that is known.
    private var latencies: [StripID: Int] = [:]

    /// A track that is armed.
    private struct Armed {
        let capture: Capture
        let strip: StripHandle
        let name: String
        let channels: Int
    }

    init(_ recorder: Recorder, _ rack: StripRack, _ outbox: Outbox) { (self.recorder, self.rack, self.outbox) = (recorder, rack, outbox) }

    /// From now on these tracks are armed, and no others.
    func follow(_ tracks: [Track]) {
        if hasEnded { return }
        var wanted: [StripID: Armed] = [:]
        for track in tracks where wanted.count < Session.maximumArmed {
            guard track.isArmed, let input = track.input, let strip = rack[track.id] else { continue }
            if let known = armed[track.id], known.strip === strip, known.name == track.name, known.channels == input.channels {
                wanted[track.id] = known
                continue
            }
            let capture = Capture(track: track.id, name: track.name, channels: input.channels)
            capture.latency = latencies[track.id] ?? 0
            wanted[track.id] = Armed(capture: capture, strip: strip, name: track.name, channels: input.channels)
        }
        for (id, old) in armed where wanted[id]?.capture !== old.capture {
            lostBefore += old.capture.lost
            // What takes its place says so itself, at the same frame.
            if wanted[id]?.strip !== old.strip { outbox.send(.capture(old.strip.strip, nil)) }
            leaving.append((old, outbox.mark))
        }
        let fresh = wanted.filter { armed[$0.key]?.capture !== $0.value.capture }.map(\.value)
        armed = wanted
        for new in fresh {
            recorder.add(new.capture)
            outbox.send(.capture(new.strip.strip, new.capture.cursor))
        }
        markLeaving()
    }

    /// What is recorded while it rolls: these frames of the timeline; nil: none.
    func record(_ frames: Range<Int64>?) {
        punch = frames
        sendPunch(at: outbox.moment)
        stopping = frames == nil ? (outbox.mark, nil) : nil
    }

    private func sendPunch(at moment: Int64?) {
        outbox.send(.record(punch.map { Punch(start: $0.lowerBound, end: min($0.upperBound, Route.positions.upperBound)) }), at: moment)
    }

    /// Those that were taken away are let go behind all that has been said.
    private func markLeaving() { for index in leaving.indices { leaving[index].mark = outbox.mark } }

    /// By how many frames what comes in for a track is later than what goes out.
    func setLatency(_ frames: Int, of id: StripID) {
        latencies[id] = frames
        armed[id]?.capture.latency = frames
    }

    /// The tracks that are armed.
    var ids: [StripID] { Array(armed.keys) }

    /// Frames that could not be written in time.
    var lost: Int { armed.values.reduce(lostBefore) { $0 + $1.capture.lost } }

    /// Something is being recorded, or is about to become a take.
    var isUnderWay: Bool {
        if punch != nil, !armed.isEmpty { return true }
        return !leaving.isEmpty || stopping != nil && !armed.isEmpty || recorder.isBusy
    }

    /// What has been let go is written to its end.
    func letGo() {
        if outbox.isBehind { return }
        if let waiting = stopping {
            if waiting.turns == nil, outbox.isDone(waiting.mark) {
                // The one that is under way may have looked before.
                stopping = (waiting.mark, recorder.turns + 2)
                recorder.look()
            } else if let turns = waiting.turns {
                if recorder.turns >= turns { stopping = nil } else { recorder.look() }
            }
        }
        let done = leaving.filter { outbox.isDone($0.mark) }
        leaving.removeAll { outbox.isDone($0.mark) }
        for (old, _) in done { recorder.leave(old.capture) }
    }

    /// Says everything again, after an audio thread that could not be told.
    func sayAgain() {
        for (old, _) in leaving where !armed.values.contains(where: { $0.strip === old.strip }) { outbox.send(.capture(old.strip.strip, nil), at: nil) }
        for (_, item) in armed { outbox.send(.capture(item.strip.strip, item.capture.cursor), at: nil) }
        markLeaving()
        sendPunch(at: nil)
    }

    /// The audio thread has ended: what it has given is written.
    func end() {
        for old in leaving.map(\.armed) + armed.values { recorder.leave(old.capture) }
        (armed, leaving, hasEnded) = ([:], [], true)
        recorder.end()
    }
}
