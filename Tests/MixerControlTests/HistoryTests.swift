import Console
import Testing
import Timeline

@Suite struct HistoryTests {
    private func session(_ tracks: Int) -> Session {
        var session = Session()
        for n in 0..<tracks { session.append(Track(name: "t\(n)")) }
        return session
    }

    /// With so many steps that hold as much each.
    private func history(_ steps: Int, maximumBytes: Int = .max) -> History {
        var history = History(maximumBytes: maximumBytes)
        for n in 0..<steps { history.add("\(n)", before: .session(session(1)), next: session(1), sweep: nil) }
        return history
    }

    @Test func theOldestGoBeyondTheLimitAndTheLastStays() {
        let bytes = history(1).done[0].bytes
        #expect(history(3, maximumBytes: 3 * bytes).done.map(\.name) == ["0", "1", "2"])
        #expect(history(3, maximumBytes: 3 * bytes - 1).done.map(\.name) == ["1", "2"])
        #expect(history(3, maximumBytes: 1).done.map(\.name) == ["2"])
    }

    @Test func aDroppedStepHoldsNoMemory() {
        var history = history(3, maximumBytes: 3 * history(1).done[0].bytes)
        for _ in 0..<2 { history.stepBack(now: .session(session(1))) }
        #expect(history.undone.map(\.name) == ["2", "1"])
        for n in 3...4 { history.add("\(n)", before: .session(session(1)), next: session(1), sweep: nil) }
        #expect(history.done.map(\.name) == ["0", "3", "4"] && history.undone.isEmpty)
        history.stepBack(now: .session(session(1)))
        history.stepForward(now: .session(session(1)))
        history.add("5", before: .session(session(1)), next: session(1), sweep: nil)
        #expect(history.done.map(\.name) == ["3", "4", "5"], "what was made again counts again")
    }

    @Test func aStepCountsWhatTheSessionDoesNotHold() {
        func bytes(_ old: Session, _ next: Session) -> Int {
            var history = History()
            history.add("x", before: .session(old), next: next, sweep: nil)
            return history.done[0].bytes
        }
        let (one, ten) = (session(1), session(10))
        #expect(bytes(ten, ten) - bytes(one, one) == 9 * MemoryLayout<Track>.stride)
        var filled = one
        filled.tracks[0].clips = Array(repeating: Clip(file: "a.wav"), count: 100)
        #expect(
            bytes(filled, filled) == bytes(one, one) && bytes(filled, one) >= 100 * MemoryLayout<Clip>.stride)
    }

    @Test func aSweepGoesOnUntilItPausesOrSomethingElseComesBetween() {
        var history = History()
        let session = session(2)
        func sweep(_ key: String, _ before: History.Snapshot, at now: UInt64) {
            history.add(key, before: before, next: session, sweep: key, now: now)
        }
        let (first, second) = (
            History.Snapshot.strips([.track(1): session.tracks[0].strip]),
            History.Snapshot.strips([.track(2): session.tracks[1].strip])
        )
        sweep("a", first, at: 0)
        sweep("a", first, at: History.pause - 1)
        sweep("a", first, at: 2 * History.pause - 2)
        #expect(history.done.map(\.name) == ["a"], "each touch begins the pause anew")
        sweep("a", first, at: 3 * History.pause - 2)
        #expect(history.done.count == 2, "a pause ends it")
        sweep("b", second, at: 3 * History.pause - 1)
        sweep("a", first, at: 3 * History.pause)
        #expect(history.done.map(\.name) == ["a", "b", "a"], "two at once are two steps")
        sweep("master", .session(session), at: 3 * History.pause + 1)
        sweep("a", first, at: 3 * History.pause + 2)
        #expect(history.done.map(\.name) == ["a", "b", "a", "master", "a"], "the whole was changed between")
    }
}
