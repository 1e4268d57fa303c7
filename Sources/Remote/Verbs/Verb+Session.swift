import Timeline

/// The session, its files and its steps.
extension Verb {
    static let session: [Verb] = [
        Verb(.session, "status", "", "the mixer at a glance", example: "status") { _ throws(CommandError) in
            .status
        },
        Verb(
            .session, "save", "[NAME]", "save the session, or save it as NAME beside it",
            example: "save evening"
        ) {
            words throws(CommandError) in
            .save(words.isEmpty ? nil : try words.word("the name"))
        },
        Verb(
            .session, "load", "NAME", "go on with another session of the same folder", example: "load evening"
        ) {
            words throws(CommandError) in
            .load(try words.word("the name"))
        },
        Verb(
            .session, "quit", "", "end the mixer; changes that were not saved are kept for the next run",
            example: "quit"
        ) { _ throws(CommandError) in .quit },
        Verb(.session, "new", "", "go on with an empty session; undo brings the old one back", example: "new")
        {
            _ throws(CommandError) in .new
        },
        Verb(.session, "sessions", "", "list the sessions of this folder", example: "sessions") {
            _ throws(CommandError) in .sessions
        },
        Verb(
            .session, "collect", "FOLDER", "copy the session and all its files to a new folder",
            example: "collect tour"
        ) { words throws(CommandError) in
            .collect(try words.word("the folder"))
        },
        Verb(
            .session, "missing", "", "the files that are missing; and where files of their names are",
            example: "missing"
        ) { _ throws(CommandError) in .missing },
        Verb(
            .session, "relink", "FILE FILE", "every clip of the first file plays the second",
            example: "relink music.flac takes/music.flac"
        ) { words throws(CommandError) in
            .relink(try words.word("the file"), to: try words.word("the other file"))
        },
        Verb(
            .session, "video", "[FILE [TIME] [--from T] | off]",
            """
            the movie that the session belongs to: at TIME of the timeline its time T is seen, 0 unless \
            told; what a render as a movie has beside the mix; nothing: print it
            """,
            example: "video film.mp4 2s",
            valued: ["--from"]
        ) { words throws(CommandError) in
            if words.isEmpty { return .video(.ask) }
            if words.first == "off" {
                _ = try words.word("off")
                return .video(.remove)
            }
            return .video(
                .set(
                    try words.word("the file"), at: words.isEmpty ? nil : try words.time(),
                    from: try words.time("--from")))
        },
        Verb(.session, "history", "", "the steps that can be taken back or made again", example: "history") {
            _ throws(CommandError) in .history
        },
        Verb(.session, "undo", "", "take back the last change; prints its name", example: "undo") {
            _ throws(CommandError) in .undo
        },
        Verb(.session, "redo", "", "make it again; prints its name", example: "redo") {
            _ throws(CommandError) in .redo
        },
    ]
}
