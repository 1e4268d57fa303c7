import Files

extension Session {
    /// The files that clips play, and the movie, each once, as they are named.
    public var files: [FilePath] {
        var known: Set<FilePath> = []
        return (tracks.flatMap(\.clips).map(\.file) + (video.map { [$0.file] } ?? [])).filter {
            known.insert($0).inserted
        }
    }

    /// Names them otherwise.
    public mutating func renameFiles(_ name: (FilePath) -> FilePath) {
        for track in tracks.indices {
            for clip in tracks[track].clips.indices {
                tracks[track].clips[clip].file = name(tracks[track].clips[clip].file)
            }
        }
        if let file = video?.file { video?.file = name(file) }
    }
}
