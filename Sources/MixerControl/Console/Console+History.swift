import Engine
import Remote
import Timeline

/// Taking back, and making again.
extension Console {
    /// What an edit of that reach replaces.
    func snapshot(_ reach: Reach) -> History.Snapshot {
        guard case .strips(let places) = reach else { return .session(session) }
        return .strips(Dictionary(places.map { ($0, session[$0]) }, uniquingKeysWith: { first, _ in first }))
    }

    /// The same part of the document as `snapshot`, as it is now.
    private func present(like snapshot: History.Snapshot) -> History.Snapshot {
        switch snapshot {
        case .strips(let strips):
            .strips(Dictionary(uniqueKeysWithValues: strips.keys.map { ($0, session[$0]) }))
        case .session, .patch: .session(session)
        case .document: .document(session, store, saved: savedSession)
        }
    }

    private func session(with snapshot: History.Snapshot) throws(CommandError) -> Session {
        switch snapshot {
        case .strips(let strips):
            var next = session
            for (place, strip) in strips { next[place] = strip }
            return next
        case .patch(let patch):
            guard let document = SessionFile.json(session).patched(by: patch),
                let session = SessionFile.read(document).session
            else { throw CommandError("what an earlier call has left of that step cannot be read") }
            return session
        case .session(let session), .document(let session, _, _): return session
        }
    }

    private func restore(_ snapshot: History.Snapshot, _ next: Session) {
        var next = next
        // What remotes of desks have had remembered is no step: it stays.
        if case .document = snapshot {
        } else {
            next.deskMemory = session.deskMemory
            next.takePlace(of: session)
        }
        session = next
        if case .document(_, let store, let saved) = snapshot {
            // Its journal is changed behind this: what the present one keeps is another document's.
            (self.store, savedSession) = (store, saved)
            forgetHands()
        } else {
            journal?.note(session)
        }
        applyTimeline()
    }

    /// Whether undo or redo leads to another document: then it waits for its turn with what saves and loads.
    func leadsElsewhere(_ command: Command) -> Bool {
        guard case .document? = (command == .undo ? history.nextUndo : history.nextRedo)?.before else {
            return false
        }
        return true
    }

    /// - Returns: the name of what was taken back.
    func undo() throws(CommandError) -> String {
        endAllPasses()
        guard let step = history.nextUndo else { throw CommandError("there is nothing to undo") }
        return try turn(to: step) { history.stepBack(now: $0) }
    }

    /// - Returns: the name of what was made again.
    func redo() throws(CommandError) -> String {
        endAllPasses()
        guard let step = history.nextRedo else { throw CommandError("there is nothing to redo") }
        return try turn(to: step) { history.stepForward(now: $0) }
    }

    /// Makes the document be what it was before `step`; the history notes with `note` what that replaces.
    private func turn(
        to step: History.Step, _ note: (History.Snapshot) -> Void
    ) throws(CommandError) -> String {
        let next = try session(with: step.before)
        // Fingers end with their session.
        if case .document = step.before {
            try checkRecording()
            leaveSession()
        } else {
            try checkTouches(next)
        }
        note(present(like: step.before))
        restore(step.before, next)
        return step.name
    }
}
