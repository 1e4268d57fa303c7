import AudioFile
import Engine
import Files
import JSON
import Logging
import Loop
import Remote
import Timeline

/// The session as a document: saved, loaded, begun anew. The files' thread reads and writes; what it finds is
/// carried out here.
extension Console {
    package var hasUnsavedChanges: Bool { document.hasUnsavedChanges }

    /// Commands on the document as a whole wait for each other, whoever asks: each finds one document, and
    /// leaves one.
    package func inTurn(_ work: @escaping (_ finish: @escaping () -> Void) -> Void) {
        waiting.documents.append(work)
        if waiting.documents.count == 1 { takeTurn() }
    }

    private func takeTurn() {
        waiting.documents.first? { [self] in
            waiting.documents.removeFirst()
            takeTurn()
        }
    }

    /// Saves under its name, or as `name`, which is its name from then on.
    func save(as name: String?, then done: @escaping Done) {
        if let problem = name.flatMap(problemOfSaving) { return done(.failure(problem)) }
        for body in beforeSaving { body() }
        let (session, before, store, journal) = (session, document.saved, store, journal)
        // Under the name that it has it is saved as ever.
        let name = name.flatMap { store.path != nil && store.sibling($0).isSameFile(as: store) ? nil : $0 }
        let (changes, own) = (journal?.changes ?? 0, ownChecksums[store.journal])
        files.perform {
            Self.written(session, over: before, own: own, in: store, as: name) {
                journal?.noteSaving($0, after: changes)
            }
        } then: { [self] outcome in
            switch outcome {
            case .failure(let error): done(.failure(error))
            case .success(let (saved, checksum, notes)):
                ownChecksums[saved.journal] = checksum
                changeDocument { $0.wasSaved(session, in: saved, underOtherName: name != nil) }
                for line in notes { inform("jmix: \(line)") }
                if name == nil { return done(.success(Answer.notes(notes))) }
                // What the old one keeps is saved under this name.
                changeJournal(dropsOld: true) { done(.success($0)) }
            }
        }
    }

    /// Writes a session's file.
    /// - Parameters:
    ///   - before: the session as it was read from the file, or written to it.
    ///   - own: a checksum of what this mixer has written there last.
    ///   - saving: is told the text before it takes the place of the one under the present name.
    /// - Returns: where it is kept, a checksum of what was written, and what is to be known.
    private static func written(
        _ session: Session, over before: Session, own: String?, in store: SessionStore, as name: String?,
        saving: (String) -> Void
    ) -> Result<(SessionStore, checksum: String, notes: [String]), CommandError> {
        let present = store.path.flatMap { try? AtomicFile.read($0) }
        let text = SessionFile.text(session, like: present)
        if name == nil { saving(text) }
        let wasChanged =
            name == nil && present.map { $0 != text && isOthers($0, before: before, own: own) } ?? false
        return saved(text, in: store, as: name).map {
            ($0, SessionJournal.checksum(text), wasChanged ? [noteOnOverwriting(store)] : [])
        }
    }

    /// Whether another program has written what a session's file holds.
    private static func isOthers(_ text: String, before: Session, own: String?) -> Bool {
        if SessionJournal.checksum(text) == own { return false }
        // As the file says it: the numbers of strips are others each time.
        return SessionFile.read(text).session.map { SessionFile.json($0) != SessionFile.json(before) } ?? true
    }

    /// What is said where a save has written over another program's change.
    private static func noteOnOverwriting(_ store: SessionStore) -> String {
        """
        \(store.name) was changed by another program after the mixer had last read or written it; that \
        version is kept as \(store.name)~
        """
    }

    /// Why a session is not saved under a name; nil: it is.
    private func problemOfSaving(as name: String) -> CommandError? {
        if let problem = Self.problem(name) { return problem }
        if KeptSession.isName(name.hasSuffix(".json") ? name : name + ".json") {
            return CommandError(
                "\"\(name)\" is a name for what was kept without being saved: choose another")
        }
        return isManaged
            ? CommandError("the session manager says where the session is saved: save without a name") : nil
    }

    /// Under another name it is not saved over what another mixer plays.
    private static func saved(
        _ text: String, in store: SessionStore, as name: String?
    ) -> Result<SessionStore, CommandError> {
        var saved = store
        let other = name.map(store.sibling).flatMap { $0.isSameFile(as: store) ? nil : JournalLock($0) }
        defer { other?.release() }
        if other?.isHeldByAnother == true {
            return .failure(
                CommandError("another jmix has \(other!.store.name) open: save under another name"))
        }
        do throws(FileError) { try saved.save(text, as: name) } catch {
            return .failure(CommandError("\(error)"))
        }
        return .success(saved)
    }

    /// Goes on in the journal of another file; what the one before has to keep it keeps, and what this one
    /// has is kept aside.
    /// - Parameters:
    ///   - isUndoable: undo has what is left behind.
    ///   - done: is told what became of changes that were not saved.
    func changeJournal(
        dropsOld: Bool = false, isUndoable: Bool = true, then done: @escaping ([Answer]) -> Void
    ) {
        let (old, store, saved, session, address) = (journal, store, document.saved, session, address)
        // Until the next is there nothing is noted: what the old one keeps is another session's.
        changeDocument { $0.leaveJournal() }
        files.perform { () -> (Journal, rest: Journal.Rest, kept: String?) in
            // Whoever loads the session that is open goes back to what was saved; undo has the rest.
            let isReverted = isUndoable && old.map { FilePath($0.path) == FilePath(store.journal) } ?? false
            if dropsOld { old?.discard() }
            let rest = dropsOld ? .nothing : (old?.close() ?? .nothing)
            // What is being recorded goes on in this one.
            let next = Journal(store, saved, findsTakes: !dropsOld)
            if let address { next.tell(address) }
            // If even keeping it aside fails there is no room for a journal either, and that is said.
            guard !isReverted, let found = next.found?.session, found != session else {
                return (next, rest, nil)
            }
            return (next, rest, try? store.keep(found))
        } then: { [self] next, rest, kept in
            let isSame = old.map { FilePath($0.path) == FilePath(next.path) } ?? false
            var notes = Self.notes(on: rest, isSame: isSame, isUndoable: isUndoable)
            if let kept { notes.append("this session had unsaved changes: they are kept as \(kept)") }
            for line in notes + next.warnings { inform("jmix: \(line)") }
            changeDocument { $0.begin(next) }
            done(Answer.notes(notes))
        }
    }

    /// What became of the changes that the session before had.
    private static func notes(on rest: Journal.Rest, isSame: Bool, isUndoable: Bool) -> [String] {
        switch rest {
        case .nothing: []
        case .left where isSame:
            isUndoable ? ["what had not been saved is taken back: undo leads to it"] : []
        case .left: ["the session before had unsaved changes: they are kept beside it"]
        case .kept(let path): ["the session before had unsaved changes: they are kept as \(path)"]
        case .lost(let error): ["the session before had unsaved changes, which cannot be kept: \(error)"]
        }
    }

    func load(
        _ name: String, for client: ClientID?, then done: @escaping Done
    ) {
        if let problem = Self.problem(name) { return done(.failure(problem)) }
        if isManaged { return done(.failure(CommandError("the session manager says which session is open"))) }
        open(store.sibling(name), as: .load(name), for: client, then: done)
    }

    /// Goes on with another session.
    /// - Parameters:
    ///   - command: names the step in the history.
    ///   - isUndoable: undo comes back to the present one.
    package func open(
        _ next: SessionStore, as command: Command, for client: ClientID?, isUndoable: Bool = true,
        then done: @escaping Done
    ) {
        files.perform { () -> Result<ReadSession, CommandError> in
            do throws(CommandError) { return .success(try ReadSession(next)) } catch {
                return .failure(error)
            }
        } then: { [self] outcome in
            switch outcome {
            case .failure(let error): done(.failure(error))
            case .success(let read):
                beginRequest(command, for: client, then: done) { () throws(CommandError) in
                    try goOn(with: read.session, in: next, read.findings, isUndoable: isUndoable) {
                        done(.success($0 + Answer.notes(self.logged(read))))
                    }
                }
            }
        }
    }

    /// What is said of a session that has been loaded: at which rate its files are converted to, and what of
    /// it is not heard. The log has it too.
    private func logged(_ read: ReadSession) -> [String] {
        let rate = ReadSession.conversion(from: read.session.sampleRate, to: engine.sampleRate)
        if let rate { Logger(label: "jmix").notice("\(rate)") }
        for fault in read.faults { Logger(label: "jmix").warning("\(fault)") }
        return (rate.map { [$0] } ?? []) + read.faults
    }

    /// An empty session, in the same folder and at the same rate. Under session management it empties the
    /// present one, whose file is the manager's to choose.
    func new(for client: ClientID?, then done: @escaping Done) {
        if isManaged { return done(carryOut(.new, for: client, by: empty)) }
        beginRequest(.new, for: client, then: done) { () throws(CommandError) in
            try goOn(with: emptySession, in: SessionStore(folder: store.folder), []) { done(.success($0)) }
        }
    }

    /// Begins what a client asks for, which calls `done` itself; where it is refused, that is told at once.
    private func beginRequest(
        _ command: Command, for client: ClientID?, then done: Done, _ body: () throws(CommandError) -> Void
    ) {
        do throws(CommandError) { try asking(command, client, body) } catch { done(.failure(error)) }
    }

    /// At the rate of the present one.
    private var emptySession: Session {
        var empty = Session()
        empty.sampleRate = session.sampleRate
        return empty
    }

    /// Empties the present session.
    private func empty() throws(CommandError) -> [Answer] {
        try checkRecording()
        endAllPasses()
        leaveSession()
        var empty = emptySession
        // No step brings it back.
        empty.deskMemory = session.deskMemory
        empty.takePlace(of: session)
        try edit(.timeline) { session in session = empty }
        changeDocument { $0.beginAnew() }
        forgetHands()
        return []
    }

    private func goOn(
        with next: Session, in store: SessionStore, _ findings: [MediaFinding], isUndoable: Bool = true,
        then done: @escaping ([Answer]) -> Void
    ) throws(CommandError) {
        try checkRecording()
        endAllPasses()
        leaveSession()
        if store.folder != self.store.folder {
            library = MediaLibrary(folder: store.folder, trustsWhatItKnows: true)
        }
        library.adopt(findings)
        let title = isUndoable ? request.command.title(self) : nil
        changeDocument { $0.open(next, in: store, named: title) }
        forgetHands()
        applyTimeline()
        changeJournal(isUndoable: isUndoable, then: done)
    }

    /// What a desk's remotes have had remembered is kept with the session: no step to undo, for the mixer has
    /// nothing of it.
    package func remember(_ memory: JSONObject, of model: String) {
        if session.deskMemory[model] == memory || memory.fields.isEmpty && session.deskMemory[model] == nil {
            return
        }
        changeDocument { $0.remember(memory.fields.isEmpty ? nil : memory, of: model) }
    }

    /// Whether a file beside the session may be called so: it leads nowhere and hides nothing.
    package static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 200 && !name.contains("/") && !name.hasPrefix(".")
            && !StripName.hasControlCharacters(name)
    }

    private static func problem(_ name: String) -> CommandError? {
        isPlainName(name)
            ? nil
            : CommandError(
                """
                "\(name)" cannot name a session: it is a plain name, without /, control characters and a \
                leading point
                """
            )
    }
}
