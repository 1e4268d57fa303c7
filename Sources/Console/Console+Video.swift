import AudioFile
import Files
import Remote
import Timeline

extension Console {
    /// The movie that the session belongs to.
    func runVideo(_ command: VideoCommand) throws(CommandError) -> [Answer] {
        switch command {
        case .ask: return [.video(session.video)]
        case .set(let file, let at, let from):
            var video = Video(file: try name(of: file))
            (video.at, video.from) = (
                at?.time(atRate: session.sampleRate) ?? .zero, from?.time(atRate: session.sampleRate) ?? .zero
            )
            try edit(.document) { $0.video = video }
        case .remove:
            try edit(.document) { $0.video = nil }
        }
        return []
    }

    /// Finds out whether there is a picture in a file, and under which name the session keeps it.
    func inspectVideo(_ file: String, then done: @escaping (Result<String, CommandError>) -> Void) {
        let (media, folder, isManaged) = (media, store.folder, isManaged)
        inspections.perform { () -> Result<String, CommandError> in
            do {
                let name = try media.name(of: file, from: folder, isManaged: isManaged)
                guard try MediaContent(of: Path.join(folder, name)).picture != nil else {
                    throw CommandError("\(file): there is no moving picture in it")
                }
                return .success(name)
            } catch {
                return .failure(error as? CommandError ?? CommandError("\(error)"))
            }
        } then: { [self] outcome in
            // As where sounds are looked at.
            if FilePath(folder) == FilePath(store.folder) {
                done(outcome)
            } else {
                inspectVideo(file, then: done)
            }
        }
    }
}
