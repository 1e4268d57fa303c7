import Engine
import Files
import Remote
import Timeline

/// The session as a document: saved, loaded, begun anew.
extension Console {
    var hasUnsavedChanges: Bool { session != savedSession }

    func save(as name: String?) throws(CommandError) {
        if let name { try Self.checkName(name) }
        if isManaged, name != nil { throw CommandError("the session manager says where the session is saved: save without a name") }
        let text = SessionFile.text(session, like: store.path.flatMap { try? AtomicFile.read($0) })
        if name == nil { journal.noteSaving(text) }
        do throws(FileError) {
            try store.save(text, as: name)
        } catch {
            throw CommandError("\(error)")
        }
        savedSession = session
        journal.noteSaved(session)
        if journal.path != store.journal { openJournal() }
    }

    /// Goes on in the journal of another file; what the one before has to keep it keeps, and what this one has is kept aside.
    func openJournal() {
        // Whoever loads the session that is open goes back to what was saved; undo has the rest.
        let isReverted = journal.path == store.journal
        journal.end()
        journal = Journal(store, savedSession)
        if !isReverted, let found = journal.found, found != session {
            // If even that fails there is no room for a journal either, and that is said.
            if let path = try? store.keep(found) { note("jmix: this session had unsaved changes: they are kept as \(path)") }
        }
        journal.begin(session)
    }

    func load(_ name: String) throws(CommandError) {
        try Self.checkName(name)
        if isManaged { throw CommandError("the session manager says which session is open") }
        try open(store.sibling(name))
    }

    /// Goes on with another session.
    /// - Parameter isUndoable: undo comes back to the present one.
    func open(_ next: SessionStore, isUndoable: Bool = true) throws(CommandError) {
        let reading: SessionFile.Reading
        do throws(FileError) {
            reading = try next.read()
        } catch {
            throw CommandError("\(error)")
        }
        guard let loaded = reading.session, reading.problems.isEmpty else {
            throw CommandError("\(next.path ?? "session"): \(reading.problems.map(\.description).joined(separator: "; "))")
        }
        goOn(with: loaded, in: next)
        if !isUndoable { history = History() }
    }

    /// An empty session, in the same folder and at the same rate. Under session management it empties the present one, whose file is the manager's to choose.
    func new() throws(CommandError) {
        var empty = Session()
        empty.sampleRate = session.sampleRate
        if isManaged {
            let emptied = empty
            return try edit(.timeline) { session in session = emptied }
        }
        goOn(with: empty, in: SessionStore(folder: store.folder))
    }

    private func goOn(with next: Session, in store: SessionStore) {
        history.add(title(of: current), before: .document(session, self.store, saved: savedSession), next: next, sweep: nil)
        (session, savedSession) = (next, next)
        if store.folder != self.store.folder { library = MediaLibrary(folder: store.folder) }
        self.store = store
        openJournal()
        applyTimeline()
    }

    private static func checkName(_ name: String) throws(CommandError) {
        let isPlain = !name.isEmpty && name.utf8.count <= 200 && !name.contains("/") && !name.hasPrefix(".") && !name.utf8.contains(0)
        guard isPlain else { throw CommandError("\"\(name)\" cannot name a session: it is a plain name, without / and without a leading point") }
    }
}
