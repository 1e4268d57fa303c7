import Engine
import Files
import Glibc
import Loop
import Remote
import Timeline

/// A session that is edited without being played: the same commands, carried out at once, and saved at the
/// end.
package final class EditedSession {
    private let console: Console

    /// - Parameters:
    ///   - session: what is edited: as it was saved, or recovered.
    ///   - saved: as it was saved; nil: it is new.
    ///   - library: has looked at the session's files.
    package init(
        _ session: Session, saved: Session?, store: SessionStore, library: MediaLibrary, journal: Journal
    ) {
        // Whoever edits a file may name every file that he may read.
        console = Console(
            Document(session, saved: saved ?? Session(), in: store, journal), library: library,
            media: MediaAccess(folders: ["/"]),
            engine: PlaybackEngine(sampleRate: session.sampleRate, readAhead: .none))
        isNew = saved == nil
        first = session
        // What was not saved leads elsewhere.
        if let saved, saved == session, let text = store.path.flatMap({ try? AtomicFile.read($0) }),
            let steps = StoredSteps.read(store, text)
        {
            console.takeUp(steps)
        }
    }

    private var isNew: Bool
    /// As it was found: recovered, or as it was saved.
    private let first: Session
    /// It is saved as a whole or not at all: nothing is saved before the end.
    package var isWhole = false
    package var session: Session { console.session }
    /// Where it is saved.
    package var path: String { console.store.path ?? console.store.name }
    package var isChanged: Bool { isNew || console.hasUnsavedChanges }

    /// Carries out `command`, and waits for the disk where it needs one.
    /// - Throws: `CommandError` with the reason; then nothing has changed.
    package func run(_ command: Command) throws(CommandError) -> [Answer] {
        if command.needsMixer {
            throw CommandError("that is for a mixer that plays: jmix run \(path), then jmixctl")
        }
        switch command {
        case .save(nil) where isWhole: return []
        case .save(_?) where isWhole, .load, .new:
            throw CommandError("one session is edited at a time, as a whole: jmix edit NAME for another")
        default: break
        }
        return try carryOut(command)
    }

    /// Adds what another session has, as one step.
    /// - Throws: `CommandError`: there would be too much of something.
    package func add(_ other: Session, named title: String) throws(CommandError) {
        for (count, most, name) in [
            (session.tracks.count + other.tracks.count, Session.maximumTracks, "tracks"),
            (session.buses.count + other.buses.count, Session.maximumBuses, "buses"),
            (session.dcas.count + other.dcas.count, Session.maximumDCAs, "DCAs"),
            (session.markers.count + other.markers.count, Marker.maximum, "markers"),
        ] where count > most {
            throw CommandError("a session has at most \(most) \(name): it would have \(count)")
        }
        try console.edit(.timeline, named: title) { $0.add(other) }
    }

    private func carryOut(_ command: Command) throws(CommandError) -> [Answer] {
        var outcome: Result<[Answer], CommandError>?
        console.run(command, from: nil) { outcome = $0 }
        while true {
            if let outcome {
                if case .save = command, case .success = outcome { isNew = false }
                return try outcome.get()
            }
            usleep(500)
            console.dispatchFiles()
            console.dispatchWaitingEdits()
        }
    }

    /// Ends, and saves what has changed.
    /// - Throws: `Failure` if it cannot be saved; it is kept then, if there is room anywhere.
    package func save() throws(Failure) {
        var refusal: CommandError?
        do throws(CommandError) {
            let (wasChanged, wasNew) = (isChanged, isNew)
            if wasChanged { _ = try carryOut(.save(nil)) }
            // What a new session is made of is no step of it.
            if !wasNew, wasChanged || console.history.hasMoved { storeSteps() }
        } catch {
            refusal = error
        }
        console.close()
        try console.closeJournalKeeping()
        if let refusal { throw Failure(refusal.description) }
    }

    /// What was done can be taken back by the next call.
    private func storeSteps() {
        guard let path = console.store.path, let text = try? AtomicFile.read(path) else { return }
        console.stepsToStore.write(console.store, text)
    }

    /// Ends, and leaves everything as it was: the session's file, and changes that an earlier run had left.
    package func abandon() {
        console.close()
        console.abandon(for: first)
    }
}
