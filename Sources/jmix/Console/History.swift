import Realtime
import Timeline

/// What can be taken back, and made again: each step with its name and with what it replaced, no more.
struct History {
    /// A part of the document as it was.
    enum Snapshot {
        /// These tracks at these places; the rest is as it was.
        case tracks([Int: Track])
        case session(Session)
        /// Another document altogether: its session, where it is kept, and what it is there.
        case document(Session, SessionStore, saved: Session)
    }

    struct Step {
        let name: String
        var before: Snapshot
        /// A fader that is swept: what comes under the same key within a moment is the same step.
        var sweep: String?
        var touchedAt: UInt64 = 0
    }

    private(set) var done: [Step] = []
    /// What was taken back, the last first to be made again.
    private(set) var undone: [Step] = []
    private var bytes = 0

    /// A pause that ends a sweep.
    private static let pause: UInt64 = 1_000_000_000
    /// What the steps may hold in all: thousands of edits of a large session. Beyond it the oldest go.
    private static let maximumBytes = 64 << 20

    /// Notes a change that is about to be made.
    mutating func add(_ name: @autoclosure () -> String, before: Snapshot, sweep: String?) {
        undone = []
        let now = monotonicNanoseconds()
        if let sweep, let index = running(sweep, before, now) {
            done[index].touchedAt = now
            return
        }
        done.append(Step(name: name(), before: before, sweep: sweep, touchedAt: now))
        bytes += before.bytes
        while bytes > Self.maximumBytes, done.count > 1 { bytes -= done.removeFirst().before.bytes }
    }

    /// The step that a sweep goes on with: the last of its key, if only sweeps of other tracks came after it.
    private func running(_ sweep: String, _ before: Snapshot, _ now: UInt64) -> Int? {
        for index in done.indices.reversed() {
            let step = done[index]
            guard step.sweep != nil, now - step.touchedAt < Self.pause else { return nil }
            if step.sweep == sweep { return index }
            guard step.before.isApart(from: before) else { return nil }
        }
        return nil
    }

    /// The step to take back next, and the step to make again.
    var nextUndo: Step? { done.last }
    var nextRedo: Step? { undone.last }

    /// Takes the last step from those done to those undone: `now` is what it is about to replace.
    mutating func stepBack(now: Snapshot) {
        guard let step = done.popLast() else { return }
        bytes -= step.before.bytes
        undone.append(Step(name: step.name, before: now))
    }

    mutating func stepForward(now: Snapshot) {
        guard let step = undone.popLast() else { return }
        done.append(Step(name: step.name, before: now))
        bytes += now.bytes
    }
}

extension History.Snapshot {
    /// About what it holds; what it shares with the present is counted too.
    fileprivate var bytes: Int {
        switch self {
        case .tracks(let tracks): tracks.count * MemoryLayout<Track>.stride
        case .session(let session), .document(let session, _, _): session.tracks.count * MemoryLayout<Track>.stride + 1024
        }
    }

    fileprivate func isApart(from other: Self) -> Bool {
        guard case .tracks(let own) = self, case .tracks(let theirs) = other else { return false }
        return own.keys.allSatisfy { theirs[$0] == nil }
    }
}
