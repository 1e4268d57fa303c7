import JSON
import Realtime
import Timeline

/// What can be taken back, and made again: each step with its name and with what it replaced, no more.
package struct History {
    /// A part of the document as it was.
    package enum Snapshot {
        /// These strips at these places; the rest is as it was.
        case strips([StripPlace: Strip])
        case session(Session)
        /// The document as a patch makes it of what it is then: an earlier call's.
        case patch(JSONValue)
        /// Another document altogether: its session, where it is kept, and what it is there.
        case document(Session, SessionStore, saved: Session)
    }

    package struct Step {
        package let name: String
        var before: Snapshot
        /// About how much memory is held by it alone.
        package let bytes: Int
        /// A fader that is swept: what comes under the same key within a moment is the same step.
        var sweep: String?
        var touchedAt: UInt64 = 0
    }

    package private(set) var done: [Step] = []
    /// What was taken back, the last first to be made again.
    package private(set) var undone: [Step] = []
    private var bytes = 0
    /// How many of each an earlier call has left.
    private var taken = (done: 0, undone: 0)

    /// Whether there are other steps than an earlier call has left.
    var hasMoved: Bool {
        let isNew = (done + undone).contains { if case .patch = $0.before { false } else { true } }
        return isNew || (done.count, undone.count) != taken
    }

    /// What the steps may hold in all. Beyond it the oldest go.
    private let maximumBytes: Int

    /// A pause that ends a sweep, in nanoseconds.
    package static let pause: UInt64 = 1_000_000_000

    /// - Parameter maximumBytes: what the steps may hold in all: 64 MiB are thousands of edits of a large
    ///   session.
    package init(maximumBytes: Int = 64 << 20) { self.maximumBytes = maximumBytes }

    /// The steps that an earlier call has left, by their names and patches.
    init(done: [(name: String, patch: JSONValue)], undone: [(name: String, patch: JSONValue)]) {
        self.init()
        func steps(_ patches: [(name: String, patch: JSONValue)]) -> [Step] {
            patches.map {
                Step(name: $0.name, before: .patch($0.patch), bytes: $0.patch.compactText.utf8.count)
            }
        }
        (self.done, self.undone) = (steps(done), steps(undone))
        taken = (done.count, undone.count)
        bytes = self.done.reduce(0) { $0 + $1.bytes }
    }

    /// Notes a change from `before`, which is a part of the document as it was, to `next`.
    package mutating func add(
        _ name: String, before: Snapshot, next: Session, sweep: String?,
        now: UInt64 = monotonicNanoseconds()
    ) {
        undone = []
        if let sweep, let index = running(sweep, before, now) {
            // What was changed last is taken back first.
            done.append(done.remove(at: index))
            done[done.count - 1].touchedAt = now
            return
        }
        done.append(
            Step(
                name: name, before: before, bytes: before.bytes(beside: next), sweep: sweep, touchedAt: now)
        )
        bytes += done[done.count - 1].bytes
        while bytes > maximumBytes, done.count > 1 { bytes -= done.removeFirst().bytes }
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

    /// The sessions that can be had back.
    var sessions: [Session] {
        (done + undone).compactMap { step in
            switch step.before {
            case .strips, .patch: nil
            case .session(let session), .document(let session, _, _): session
            }
        }
    }

    /// The step to take back next, and the step to make again.
    var nextUndo: Step? { done.last }
    var nextRedo: Step? { undone.last }

    /// Takes the last step from those done to those undone: `now` is what it is about to replace. What it
    /// holds counts on: it may come back.
    package mutating func stepBack(now: Snapshot) {
        guard let step = done.popLast() else { return }
        bytes -= step.bytes
        undone.append(Step(name: step.name, before: now, bytes: step.bytes))
    }

    package mutating func stepForward(now: Snapshot) {
        guard let step = undone.popLast() else { return }
        bytes += step.bytes
        done.append(Step(name: step.name, before: now, bytes: step.bytes))
    }
}

extension History.Snapshot {
    /// About what it holds that `session` does not: clips and events of strips that are the same are shared.
    fileprivate func bytes(beside session: Session) -> Int {
        switch self {
        // A dictionary has room for twice what it holds.
        case .strips(let strips):
            return strips.values.reduce(256) { $0 + $1.ownBytes + MemoryLayout<Strip>.stride }
        case .patch(let patch): return patch.compactText.utf8.count
        case .session(let old), .document(let old, _, _): return Self.bytes(of: old, beside: session)
        }
    }

    private static func bytes(of old: Session, beside session: Session) -> Int {
        let tracks = old.tracks.enumerated().filter {
            !session.tracks.indices.contains($0) || session.tracks[$0] != $1
        }.map(\.element)
        let others = old.places.filter {
            $0.kind != .track && !(session.has($0) && session[$0] == old[$0])
        }.map { old[$0] }
        let clips = tracks.reduce(0) { $0 + $1.ownBytes }
        let scenes = old.scenes == session.scenes ? 0 : bytes(of: old.scenes)
        return old.tracks.count * MemoryLayout<Track>.stride
            + others.reduce(1024 + clips + scenes) { $0 + $1.ownBytes }
    }

    private static func bytes(of scenes: [Scene]) -> Int {
        scenes.reduce(0) { $0 + $1.strips.count * MemoryLayout<Scene.Strip>.stride * 2 }
    }

    fileprivate func isApart(from other: Self) -> Bool {
        guard case .strips(let own) = self, case .strips(let theirs) = other else { return false }
        return own.keys.allSatisfy { theirs[$0] == nil }
    }
}

extension Strip {
    /// About what it holds in lists.
    fileprivate var ownBytes: Int {
        MemoryLayout<Strip>.stride + sends.count * MemoryLayout<Send>.stride + eventCount
            * MemoryLayout<Automation.Event>.stride
    }
}

extension Track {
    fileprivate var ownBytes: Int { clips.count * MemoryLayout<Clip>.stride + strip.ownBytes }
}
