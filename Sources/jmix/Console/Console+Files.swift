import Engine
import Files
import JSON
import OSC
import Remote
import Timeline

extension Console {
    // MARK: - Collecting

    func collect(to folder: String) throws(CommandError) {
        if case .running? = collector?.present { throw CommandError("a session is being collected already: /session/collect tells how far it is") }
        let path = try media.folder(folder, from: store.folder)
        do throws(FileError) {
            collector = try Collector(session, library, to: path, as: Path.name(of: store.path ?? "session.json"))
        } catch {
            throw CommandError("\(error)")
        }
        collector?.begin()
    }

    var collectionMessage: OSCMessage {
        let (word, share, text): (String, Double, String) = switch collector?.present {
        case nil: ("none", 0, "nothing has been collected")
        case .running(let share): ("running", share, "")
        case .done(let path, let files): ("done", 1, "\(path): the session and \(files) \(files == 1 ? "file" : "files")")
        case .failed(let reason): ("failed", 0, reason)
        }
        return OSCMessage("/session/collect", .string(word), .float(Float(share)), .string(text))
    }

    // MARK: - Missing files

    var missingJSON: JSONValue {
        .array(missingFiles(session, library).map { file in
            .object(["file": .string(file), "found": .array(media.candidates(for: file, from: store.folder).map { .string($0) })])
        })
    }

    /// Makes every clip of `file` play `other`, if that is fit for all of them.
    func relink(_ file: String, to other: String) throws(CommandError) {
        let name = try media.name(of: other, from: store.folder)
        try edit(.timeline) { session throws(CommandError) in
            guard session.relink(file, to: name) > 0 else { throw CommandError("no clip plays \(file): see missing, and clips TRACK") }
            // What was wrong before is no reason.
            let before = Set(SessionCheck.problems(self.session, library: self.library).map(\.description))
            if let problem = SessionCheck.problems(session, library: self.library).first(where: { !before.contains($0.description) }) { throw CommandError("\(problem)") }
        }
    }
}

/// The files that clips name and that are not there, each once.
func missingFiles(_ session: Session, _ library: MediaLibrary) -> [String] {
    var missing: [String] = []
    for clip in session.tracks.flatMap(\.clips) where !missing.contains(clip.file) {
        if case .failure(let error) = library.info(of: clip.file), error.isMissing { missing.append(clip.file) }
    }
    return missing
}

extension Session {
    /// - Returns: how many clips play another file now.
    mutating func relink(_ file: String, to other: String) -> Int {
        var count = 0
        for track in tracks.indices {
            for clip in tracks[track].clips.indices where tracks[track].clips[clip].file == file {
                tracks[track].clips[clip].file = other
                count += 1
            }
        }
        return count
    }
}
