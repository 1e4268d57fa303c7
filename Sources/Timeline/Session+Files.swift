extension Session {
    /// The files that clips play, and the movie, each once, as they are named.
    public var files: [String] {
        var known: Set<[UInt8]> = []
        return (tracks.flatMap(\.clips).map(\.file) + (video.map { [$0.file] } ?? [])).filter {
            known.insert(Array($0.utf8)).inserted
        }
    }

    /// Names them otherwise.
    public mutating func renameFiles(_ name: (String) -> String) {
        for track in tracks.indices {
            for clip in tracks[track].clips.indices {
                tracks[track].clips[clip].file = name(tracks[track].clips[clip].file)
            }
        }
        if let file = video?.file { video?.file = name(file) }
    }
}
