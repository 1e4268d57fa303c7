import AudioFile
import Engine
import Files
import Timeline

/// Recordings that a crash has ended: the takes lie on the disk, and their clips were yet to come.
extension SessionStore {
    /// The takes of the session that were being recorded, and that none of its clips plays.
    func leftTakes(besides session: Session) -> [TakeMark] {
        let played = Set(session.files.map { PathBytes(Path.absolute(Path.join(folder, $0))) })
        return TakeMark.all(in: Path.join(folder, "takes"), of: name).filter {
            !played.contains(PathBytes(Path.absolute($0.take)))
        }
    }

    /// The session with the clips of such takes, each as long as its file says by now. What lies under one is
    /// cut away, as it would have been.
    func laying(_ marks: [TakeMark], in session: Session) -> Session {
        var session = session
        let library = MediaLibrary(folder: folder)
        for mark in marks {
            var clip = Clip(file: Path.name(of: mark.take, from: folder))
            guard let index = session.tracks.firstIndex(where: { $0.name == mark.track }),
                let info = try? library.info(of: clip).get(), let length = info.duration, length > .zero
            else { continue }
            (clip.at, clip.duration) = (MediaTime(frame: mark.start, rate: info.sampleRate), length)
            try? session.tracks[index].overwrite(
                with: clip, ruler: library.ruler(atRate: session.sampleRate))
        }
        return session
    }
}
