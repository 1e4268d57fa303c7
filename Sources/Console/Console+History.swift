import Engine
import Remote
import Timeline

/// Taking back, and making again.
extension Console {
    /// What an edit of that reach replaces.
    func snapshot(_ reach: Reach) -> History.Snapshot {
        guard case .strips(let places, _) = reach else { return .session(session) }
        return document.snapshot(of: places)
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
        return try goBack(before: step, redoes: false)
    }

    /// - Returns: the name of what was made again.
    func redo() throws(CommandError) -> String {
        endAllPasses()
        guard let step = history.nextRedo else { throw CommandError("there is nothing to redo") }
        return try goBack(before: step, redoes: true)
    }

    private func goBack(before step: History.Step, redoes: Bool) throws(CommandError) -> String {
        let next = try document.session(before: step)
        // Fingers end with their session.
        if case .document = step.before {
            try checkRecording()
            leaveSession()
        } else {
            try checkTouches(next)
        }
        changeDocument { $0.goBack(to: next, before: step, redoes: redoes) }
        if case .document = step.before { forgetHands() }
        applyTimeline()
        return step.name
    }
}
