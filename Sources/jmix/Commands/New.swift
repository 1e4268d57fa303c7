import ArgumentParser
import AudioFile
import Console
import Engine
import Files
import Loop
import Remote
import Timeline

struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract:
            """
            Make a session, with a track for each file that has a sound; the first movie among them is the \
            session's.
            """
    )

    @Argument(help: "The session's file, or a folder that is to hold it.")
    var session: String

    @Argument(help: "A file for each track, all from 0 on.")
    var files: [String] = []

    @Option(help: "Frames per second, 8000 to 384000; that of the first file unless told, else 48000.")
    var sampleRate: Int32?

    func validate() throws {
        guard Session.sampleRates.contains(sampleRate ?? 48000) else {
            throw ValidationError("--sample-rate goes from 8000 to 384000")
        }
    }

    func run() throws {
        var session = Session()
        session.sampleRate = sampleRate ?? firstRate ?? session.sampleRate
        let edited = try Self.begin(self.session, session)
        var movie: String?
        for file in files {
            let content = MediaContent(ofMovie: Path.absolute(file))
            if content != nil, movie == nil { movie = file }
            // A movie without a sound has no track.
            if content?.sounds.isEmpty == true {
                if movie != file { inform("jmix: \(file) is left out: there is no sound in it") }
                continue
            }
            try Self.run(.add(file: Path.absolute(file), at: nil), on: edited)
        }
        if let movie { try Self.run(.video(.set(Path.absolute(movie), at: nil, from: nil)), on: edited) }
        try edited.save()
        print(
            """
            \(edited.path): a session at \(edited.session.sampleRate) Hz with \(edited.session.tracks.count) \
            \(edited.session.tracks.count == 1 ? "track" : "tracks")
            """
        )
    }

    /// What cannot be done leaves no session.
    private static func run(_ command: Command, on edited: EditedSession) throws(Failure) {
        do throws(CommandError) { _ = try edited.run(command) } catch {
            edited.abandon()
            throw Failure(error.description)
        }
    }

    /// Makes an empty session.
    /// - Returns: its file.
    static func make(_ name: String) throws(Failure) -> String {
        let edited = try begin(name, Session())
        try edited.save()
        return edited.path
    }

    /// A new session that is not saved yet. What an earlier one of the name has left unsaved is kept aside;
    /// one that a mixer has open is nobody else's.
    static func begin(_ name: String, _ session: Session) throws(Failure) -> EditedSession {
        let (store, kept): (SessionStore, String?)
        let journal: Journal
        do throws(FileError) {
            store = try SessionStore(new: name)
            journal = Journal(try lock(store, name), session)
            kept = try journal.found.map { found throws(FileError) in try store.keep(found.session) }
        } catch {
            throw Failure("\(error)")
        }
        if let kept {
            inform("jmix: an earlier session of that name has left unsaved changes: they are kept as \(kept)")
        }
        return EditedSession(
            session, saved: nil, store: store, library: MediaLibrary(folder: store.folder), journal: journal)
    }

    private static func lock(_ store: SessionStore, _ name: String) throws(FileError) -> JournalLock {
        let lock = JournalLock.waited(for: store)
        do throws(FileError) {
            if lock.isHeldByAnother {
                throw FileError(
                    path: store.path ?? name, action: "make a new session",
                    reason: "another jmix has one of that name open")
            }
            // Another may have made it meanwhile.
            _ = try SessionStore(new: name)
        } catch {
            lock.release()
            throw error
        }
        return lock
    }

    private var firstRate: Int32? {
        guard let first = files.first,
            let rate = (try? MediaFinding(SoundPlace(first)).info.get())?.sampleRate,
            Session.sampleRates.contains(rate)
        else { return nil }
        return rate
    }
}
