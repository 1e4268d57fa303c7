import ArgumentParser
import AudioFile
import Engine
import Files
import MixerControl
import Remote
import Timeline

struct New: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Make a session, with a track for each file.")

    @Argument(help: "The session's file, or a folder that is to hold it.")
    var session: String

    @Argument(help: "A file for each track, all from 0 on.")
    var files: [String] = []

    @Option(help: "Frames per second, 8000 to 384000; that of the first file unless told, else 48000.")
    var sampleRate: Int32?

    func validate() throws {
        guard Session.sampleRates.contains(sampleRate ?? 48000) else { throw ValidationError("--sample-rate goes from 8000 to 384000") }
    }

    func run() throws {
        var session = Session()
        session.sampleRate = sampleRate ?? firstRate ?? session.sampleRate
        let store = try Self.store(self.session)
        let edited = EditedSession(session, saved: nil, store: store, library: MediaLibrary(folder: store.folder), journal: Journal(store, Session()))
        for file in files {
            do throws(CommandError) { _ = try edited.run(.add(file: Path.absolute(file), at: nil)) } catch {
                edited.abandon()
                throw Failure(error.description)
            }
        }
        try edited.save()
        print("\(edited.path): a session at \(edited.session.sampleRate) Hz with \(files.count) \(files.count == 1 ? "track" : "tracks")")
    }

    private var firstRate: Int32? {
        guard let first = files.first, let rate = (try? MediaFinding(path: first).info.get())?.sampleRate, Session.sampleRates.contains(rate) else { return nil }
        return rate
    }

    private static func store(_ name: String) throws(Failure) -> SessionStore {
        do throws(FileError) { return try SessionStore(new: name) } catch { throw Failure("\(error)") }
    }

    /// Makes an empty session.
    /// - Returns: its file.
    static func make(_ name: String) throws(Failure) -> String {
        let store = try store(name)
        let edited = EditedSession(Session(), saved: nil, store: store, library: MediaLibrary(folder: store.folder), journal: Journal(store, Session()))
        try edited.save()
        return edited.path
    }
}
