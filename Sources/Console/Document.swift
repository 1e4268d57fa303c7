import JSON
import Loop
import Remote
import Timeline

/// The session that is open, where it is kept, and what can be taken back of it. A change goes through one of
/// the functions here, which also have the journal note it. Control thread.
package struct Document {
    package private(set) var session: Session
    /// As its file has it.
    private(set) var saved: Session
    package private(set) var store: SessionStore
    package private(set) var history = History()
    /// Keeps what is not saved; nil while it is being changed for that of another file.
    private(set) var journal: Journal?
    /// Grows whenever the timeline, the markers, the scenes or the strips change.
    package private(set) var edition = 0
    /// How often the session has been another.
    private(set) var changeCount = 0
    /// Which file's session this is: what was patched into another's tracks is not this one's.
    package private(set) var number = 0
    /// How often a session has been opened, the same one too: its strips are known by other numbers then.
    package private(set) var openings = 0
    /// Takes that a journal is yet to be told of (`noteSafe`).
    private var safeTakes: [String] = []

    /// - Parameters:
    ///   - session: as it was saved, or recovered.
    ///   - saved: as its file has it.
    package init(_ session: Session, saved: Session, in store: SessionStore, _ journal: Journal) {
        (self.session, self.saved, self.store, self.journal) = (session, saved, store, journal)
        journal.begin(session)
    }

    var hasUnsavedChanges: Bool { session != saved }

    private mutating func become(_ next: Session) {
        session = next
        changeCount += 1
    }

    // MARK: - Edits

    /// A step that can be taken back.
    /// - Parameters:
    ///   - before: what it replaces.
    ///   - sweep: consecutive edits of one such name are one step.
    mutating func edit(
        to next: Session, named name: String, before: History.Snapshot, sweep: String?
    ) {
        history.add(name, before: before, next: next, sweep: sweep)
        become(next)
        journal?.record(session)
    }

    /// What remotes of desks have had remembered is no step.
    mutating func remember(_ memory: JSONObject?, of model: String) {
        var next = session
        next.deskMemory[model] = memory
        become(next)
        journal?.record(session)
    }

    /// Whoever looks at the timeline, the markers, the scenes or the strips looks anew.
    mutating func beginEdition() { edition += 1 }

    // MARK: - Taking back, and making again

    /// These strips as they are now.
    func snapshot(of places: some Sequence<StripPlace>) -> History.Snapshot {
        .strips(Dictionary(places.map { ($0, session[$0]) }, uniquingKeysWith: { first, _ in first }))
    }

    /// The same part of the document as a step replaced, as it is now.
    private func present(like snapshot: History.Snapshot) -> History.Snapshot {
        switch snapshot {
        case .strips(let strips): self.snapshot(of: strips.keys)
        case .session, .patch: .session(session)
        case .document: .document(session, store, saved: saved)
        }
    }

    /// The session that a step leads back to.
    /// - Throws: `CommandError`: an earlier call has left it, and it cannot be read.
    func session(before step: History.Step) throws(CommandError) -> Session {
        switch step.before {
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

    /// Makes the session be what it was before a step, which is the next to undo, or to redo.
    /// - Parameters:
    ///   - next: `session(before:)`, with what is not taken back.
    ///   - redoes: it was undone.
    mutating func goBack(to next: Session, before step: History.Step, redoes: Bool) {
        let present = present(like: step.before)
        if redoes { history.stepForward(now: present) } else { history.stepBack(now: present) }
        var next = next
        guard case .document(_, let store, let saved) = step.before else {
            // What remotes of desks have had remembered is no step: it stays.
            next.deskMemory = session.deskMemory
            next.takePlace(of: session)
            become(next)
            journal?.record(session)
            return
        }
        // Its journal is changed behind this: what the present one keeps is another document's.
        become(next)
        self.saved = saved
        move(to: store)
        openings += 1
    }

    /// Takes up the steps that earlier calls have left.
    mutating func takeUp(_ steps: History) { history = steps }

    // MARK: - Saved, and opened

    /// A session is saved, which may have been changed since; under the present name or another.
    mutating func wasSaved(_ session: Session, in store: SessionStore, underOtherName: Bool) {
        (saved, self.store) = (session, store)
        if !underOtherName { journal?.noteSaved(session) }
    }

    /// Another session takes the place of this one. The journal stays this one's until it is changed.
    /// - Parameters:
    ///   - name: of the step that leads to it; nil: no step comes back.
    mutating func open(_ next: Session, in store: SessionStore, named name: String?) {
        if let name {
            history.add(
                name, before: .document(session, self.store, saved: saved), next: next, sweep: nil)
        } else {
            history = History()
        }
        become(next)
        saved = next
        move(to: store)
        openings += 1
    }

    /// The session's strips are known by other numbers from now on, as those of one that has been opened.
    mutating func beginAnew() { openings += 1 }

    private mutating func move(to next: SessionStore) {
        if !next.hasSamePath(as: store) { number += 1 }
        store = next
    }

    // MARK: - The journal

    /// Until the next journal is there nothing is noted.
    mutating func leaveJournal() { journal = nil }

    mutating func begin(_ next: Journal) {
        journal = next
        if !safeTakes.isEmpty { next.noteSafe(safeTakes) }
        safeTakes = []
        next.begin(session)
    }

    /// The session has the clips of these takes, or shall not have them.
    mutating func noteSafe(_ takes: [String]) {
        if let journal { journal.noteSafe(takes) } else { safeTakes += takes }
    }
}
