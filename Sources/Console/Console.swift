import AudioFile
import Engine
import Files
import Loop
import Remote
import Timeline

/// Owns the session and applies commands to it: checks, changes the document, and tells the engine. The
/// control thread.
package final class Console {
    /// What is open, changed by `changeDocument` alone.
    package private(set) var document: Document
    package var session: Session { document.session }
    package var store: SessionStore { document.store }
    var history: History { document.history }
    var journal: Journal? { document.journal }
    /// The session as it is heard: with what hands hold that are writing, and with what solo does where
    /// nobody has said.
    package internal(set) var heard: Session
    package internal(set) var library: MediaLibrary
    /// How many were left when some were forgotten last.
    private var rememberedPlaces = 0
    package private(set) var engine: PlaybackEngine
    let media: MediaAccess
    /// What is being carried out, and for whom.
    var request = Request()
    /// What is done behind something else.
    var waiting = WaitingWork()
    package private(set) var loop: Range<Int64>?
    /// The engine's own transport, unless the server's leads.
    package var transport: any Transport { leader ?? engine }
    /// Who leads in place of the engine: the server's transport.
    private let leader: (any Transport)?
    /// The server's transport leads.
    var isLed: Bool { leader != nil }
    package var touches = Touches()
    /// What hands do that becomes automation.
    var writing = Writing()
    /// Who holds talkbacks and ducks by hand down.
    var holders: [WritableKeyPath<Hands, Set<StripID>>: Holders] = [:]
    var meters = MeterBook()
    /// What of strips subscribers have been told of.
    var toldSoFar = ToldParts()
    /// What the log was told of samples that were lost.
    var losses = LoggedLosses()
    /// Checksums of what this mixer has written last, by the journals of the sessions' files.
    var ownChecksums: [String: String] = [:]
    /// The server it plays on, if it does.
    package weak var server: (any MixerServer)? { didSet { followDirectOuts() } }
    /// Others than the session have connected a port of the monitor.
    var isMonitorPatched = false
    /// What the disk has left that takes go to.
    var room = DiskRoom()
    /// Somebody has asked the mixer to end.
    package internal(set) var isQuitting = false
    /// The scene that was recalled or stored last.
    package internal(set) var presentScene: String?
    /// Writes what is not in the session yet into it, before that is saved.
    package var beforeSaving: [() -> Void] = []
    /// What the next MIDI message is bound to.
    package internal(set) var learning: MIDILearning?
    var learnCount = 0
    /// Playing stops where the last clip ends.
    package var stopsAtEnd = false
    /// Where playing was when the end was last looked for, and where that was; nil: it stood, or has been
    /// sent elsewhere since.
    var rolled: (frame: Int64, end: Int64)?

    /// A session manager says which session is open, and where it is saved.
    package var isManaged = false
    /// Copies the session and its files to another folder, beside everything else.
    var collector: Collector?
    private let watch = MediaWatch()
    /// What waits for a disk is done there.
    package let files = FileWork()
    /// Files that commands name are looked at there: one that hangs keeps nobody from saving.
    package let inspections = FileWork()
    /// Names of files that commands have named, as the session keeps them, from when they were looked at
    /// until the command is carried out.
    var names: [FilePath: String] = [:]
    /// Where the mixer listens: told to other programs of this machine.
    package var address: String? { didSet { if let address { journal?.tell(address) } } }

    /// - Parameters:
    ///   - document: what is played.
    ///   - transport: who leads in place of the engine.
    ///   - library: has looked at the session's files.
    package init(
        _ document: Document, library: MediaLibrary, media: MediaAccess, engine: PlaybackEngine,
        transport: (any Transport)? = nil
    ) {
        self.document = document
        heard = document.session
        self.media = media
        self.engine = engine
        leader = transport
        self.library = library
        library.trustsWhatItKnows = true
        hearAnew()
        applyTimeline()
    }

    /// The server may say that all strips are heard by ports of their own.
    private func followDirectOuts() {
        let before = heard.directOuts
        hearAnew()
        if heard.directOuts != before { engine.apply(heard, library: library) }
    }

    /// A session is about to take the place of this one, which gets what belongs to it still.
    func leaveSession() { for save in beforeSaving { save() } }

    /// Another session is open: fingers on its strips, and whoever learns, were the one's before.
    func forgetHands() {
        touches = Touches()
        presentScene = nil
        endLearning("another session is open")
        dropWaitingEdits("another session was opened")
    }

    /// Goes on with another engine, which may run at another rate, from where the one before stood.
    package func move(to next: PlaybackEngine) {
        func converted(_ frame: Int64) -> Int64 {
            MediaTime(frame: frame, rate: engine.sampleRate).frame(atRate: next.sampleRate)
        }
        func converted(_ range: Range<Int64>) -> Range<Int64> {
            converted(range.lowerBound)..<converted(range.upperBound)
        }
        let (position, recorded) = (
            MediaTime(frame: engine.frame, rate: engine.sampleRate), engine.recordedFrames
        )
        // What was recorded is whole, now that its engine has ended.
        addTakes()
        endAllPasses()
        writing = Writing()
        hearAnew()
        (next.takesFolder, next.takesSession) = (engine.takesFolder, engine.takesSession)
        next.hands = engine.hands
        next.together {
            next.apply(heard, library: library)
            next.locate(position.frame(atRate: next.sampleRate))
            if let loop { setLoop(converted(loop), on: next) }
            if engine.holdsSilence { next.fallSilent(over: .zero, holds: true) }
            if engine.isFallingSilent { leader?.forget() } else if engine.isRolling { next.play() }
        }
        next.record(recorded.map { $0.upperBound == .max ? $0 : converted($0) })
        engine = next
        followHands()
        losses.frames = 0
        rolled = nil
    }

    /// Changes the document, and has what depends on it follow: what is heard of the session, what takes are
    /// called, and what was patched into another's tracks.
    func changeDocument(_ body: (inout Document) -> Void) {
        let before = (number: document.number, changes: document.changeCount)
        body(&document)
        if document.changeCount != before.changes { hearAnew() }
        engine.takesSession = store.name
        if document.number != before.number { engine.forgetInputs() }
    }

    func applyTimeline() {
        changeDocument { $0.beginEdition() }
        (engine.takesFolder, engine.takesSession) = (Path.join(store.folder, "takes"), store.name)
        engine.apply(heard, library: library)
        followHands()
        meters.keep(Set(session.strips.map(\.id)))
        watch.watch(library)
    }

    /// Plays what files have become that have changed, or come, since they were looked at.
    /// - Returns: what was found.
    package func followFiles() -> [MediaFinding] {
        let findings = watch.drain()
        if findings.isEmpty { return [] }
        library.adopt(findings)
        applyTimeline()
        return findings
    }

    /// Forgets what neither the session nor anything that can be had back plays, once most of what is known
    /// is such: a day of recording makes thousands of files, a knob on a clip's speed hundreds of sounds.
    func forgetUnplayed() {
        if library.known.count < 2 * rememberedPlaces + 64 { return }
        var places: Set<SoundPlace> = []
        for session in history.sessions + [session] {
            for track in session.tracks { for clip in track.clips { places.insert(library.place(of: clip)) } }
        }
        // What a command that is on its way has looked at.
        for name in names.values + waiting.edits.flatMap(\.names.values) {
            places.insert(SoundPlace(library.path(of: FilePath(name))))
        }
        library.forget(except: places)
        rememberedPlaces = library.known.count
    }

    /// Some edits need not wait any more, but others have their turn first.
    package var hasReadyEdits: Bool { waiting.hasReadyEdits }

    /// The session's file; nil: it has none yet.
    package var sessionPath: String? { store.path }

    /// Where unsaved changes are kept at present.
    package var journalPath: String? { journal?.path }

    /// The session has the clips of these takes, or shall not have them.
    func noteSafe(_ takes: [String]) { changeDocument { $0.noteSafe(takes) } }

    /// Nothing waits for a disk, nor for takes that have ended.
    package var isIdle: Bool {
        files.isIdle && inspections.isIdle && waiting.edits.isEmpty && waiting.behindTakes.isEmpty
    }

    /// Carries on with what the disk has answered.
    package func dispatchFiles() {
        files.dispatch()
        inspections.dispatch()
    }

    /// Loops from the start of the timeline to the end of the last clip.
    package func loopWhole() {
        if engine.timelineEnd > 0 { setLoop(0..<engine.timelineEnd) }
    }

    /// Ends the journal.
    /// - Returns: what became of the changes that were not saved.
    @discardableResult
    package func closeJournal() -> Journal.Rest {
        if let journal { return journal.close() }
        // It was being changed for another.
        return hasUnsavedChanges ? Journal.keep(session, of: store) : .nothing
    }

    /// Ends the journal, and tells the person at the terminal what became of the changes that were not saved.
    /// - Throws: `Failure`: they are lost, for nothing could be written.
    package func closeJournalKeeping() throws(Failure) {
        switch closeJournal() {
        case .nothing: break
        case .left:
            inform(
                """
                jmix: the changes since the last save are kept for the next run: jmix run --recover brings \
                them back, --discard drops them
                """
            )
        case .kept(let path):
            inform(
                """
                jmix: the changes since the last save are kept as \(path): jmix run --recover brings them back
                """
            )
        case .lost(let error): throw Failure("the changes since the last save are lost: \(error)")
        }
    }

    /// Ends the journal, which keeps `session` if that is not what was saved: all changes since are given up.
    func abandon(for session: Session) {
        journal?.record(session)
        journal?.close()
    }

    /// Ends what runs beside the control thread.
    package func close() {
        files.stop()
        inspections.stop()
        collector?.cancel()
        watch.stop()
        engine.close()
        addTakes()
    }

    // MARK: - Time

    /// The frame of the engine that a time means.
    func frame(_ time: TimeSpec) -> Int64 {
        time.time(atRate: session.sampleRate).frame(atRate: engine.sampleRate)
    }

    func setLoop(_ range: Range<Int64>?, on engine: PlaybackEngine? = nil) {
        loop = range
        guard let leader else { return (engine ?? self.engine).setLoop(range) }
        leader.setLoop(range)
        if let range { (engine ?? self.engine).expectLocate(to: range.lowerBound) }
    }
}
