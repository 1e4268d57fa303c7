import Engine
import Files
import Remote
import Timeline

/// The session as a document: saved, loaded, begun anew. The files' thread reads and writes; what it finds is carried out here.
extension Console {
    package var hasUnsavedChanges: Bool { session != savedSession }

    /// Saves under its name, or as `name`, which is its name from then on.
    func save(as name: String?, then done: @escaping (CommandError?) -> Void) {
        if let problem = name.flatMap(Self.problem) { return done(problem) }
        if isManaged, name != nil { return done(CommandError("the session manager says where the session is saved: save without a name")) }
        let (session, store, journal, document) = (session, store, journal, document)
        files.perform { () -> Result<SessionStore, CommandError> in
            let text = SessionFile.text(session, like: store.path.flatMap { try? AtomicFile.read($0) })
            if name == nil { journal?.noteSaving(text) }
            var saved = store
            do throws(FileError) { try saved.save(text, as: name) } catch { return .failure(CommandError("\(error)")) }
            return .success(saved)
        } then: { [self] outcome in
            switch outcome {
            case .failure(let error): done(error)
            case .success(let saved):
                // Another may have been opened meanwhile: that one was not saved.
                guard document == self.document else { return done(nil) }
                (self.store, savedSession) = (saved, session)
                self.journal?.noteSaved(session)
                if name == nil { done(nil) } else { changeJournal { done(nil) } }
            }
        }
    }

    /// Goes on in the journal of another file; what the one before has to keep it keeps, and what this one has is kept aside.
    func changeJournal(then done: @escaping () -> Void) {
        guard let old = journal else { return done() }
        let (store, saved, session) = (store, savedSession, session)
        // Until the next is there nothing is noted: what the old one keeps is another session's.
        journal = nil
        files.perform { () -> (Journal, kept: String?) in
            // Whoever loads the session that is open goes back to what was saved; undo has the rest.
            let isReverted = old.path == store.journal
            old.end()
            let next = Journal(store, saved)
            // If even keeping it aside fails there is no room for a journal either, and that is said.
            guard !isReverted, let found = next.found, found != session else { return (next, nil) }
            return (next, try? store.keep(found))
        } then: { [self] next, kept in
            if let kept { note("jmix: this session had unsaved changes: they are kept as \(kept)") }
            journal = next
            next.begin(self.session)
            done()
        }
    }

    func load(_ name: String, then done: @escaping (CommandError?) -> Void) {
        if let problem = Self.problem(name) { return done(problem) }
        if isManaged { return done(CommandError("the session manager says which session is open")) }
        let command = current
        open(store.sibling(name), as: command, then: done)
    }

    /// Goes on with another session.
    /// - Parameters:
    ///   - command: names the step in the history.
    ///   - isUndoable: undo comes back to the present one.
    func open(_ next: SessionStore, as command: Command, isUndoable: Bool = true, then done: @escaping (CommandError?) -> Void) {
        files.perform { () -> Result<(Session, [MediaFinding]), CommandError> in
            let reading: SessionFile.Reading
            do throws(FileError) { reading = try next.read() } catch { return .failure(CommandError("\(error)")) }
            guard let loaded = reading.session, reading.problems.isEmpty else {
                return .failure(CommandError("\(next.path ?? "session"): \(reading.problems.map(\.description).joined(separator: "; "))"))
            }
            let paths = Set(loaded.tracks.flatMap(\.clips).map { Path.join(next.folder, $0.file) })
            return .success((loaded, paths.map(MediaFinding.init(path:))))
        } then: { [self] outcome in
            switch outcome {
            case .failure(let error): done(error)
            case .success(let (loaded, findings)):
                current = command
                goOn(with: loaded, in: next, findings) {
                    if !isUndoable { self.history = History() }
                    done(nil)
                }
            }
        }
    }

    /// An empty session, in the same folder and at the same rate. Under session management it empties the present one, whose file is the manager's to choose.
    func new(then done: @escaping (CommandError?) -> Void) {
        var empty = Session()
        empty.sampleRate = session.sampleRate
        guard isManaged else { return goOn(with: empty, in: SessionStore(folder: store.folder), []) { done(nil) } }
        do throws(CommandError) {
            try edit(.timeline) { session in session = empty }
            done(nil)
        } catch {
            done(error)
        }
    }

    private func goOn(with next: Session, in store: SessionStore, _ findings: [MediaFinding], then done: @escaping () -> Void) {
        history.add(title(of: current), before: .document(session, self.store, saved: savedSession), next: next, sweep: nil)
        (session, savedSession) = (next, next)
        if store.folder != self.store.folder { library = MediaLibrary(folder: store.folder, trustsWhatItKnows: true) }
        library.adopt(findings)
        self.store = store
        document += 1
        applyTimeline()
        changeJournal(then: done)
    }

    private static func problem(_ name: String) -> CommandError? {
        let isPlain = !name.isEmpty && name.utf8.count <= 200 && !name.contains("/") && !name.hasPrefix(".") && !name.utf8.contains(0)
        return isPlain ? nil : CommandError("\"\(name)\" cannot name a session: it is a plain name, without / and without a leading point")
    }
}
