import Files
import OSC
import Timeline

/// The session, its files and its steps, and the whole.
extension CommandEntry {
    static let session: [CommandEntry] = whole + files + steps + scenes + markers

    private static let whole: [CommandEntry] = [
        .of(
            .at("/status", .value(Answer.status), "the mixer at a glance: JSON, as jmixctl --json prints it"),
            .status
        )
        .verb(.session, "status", "the mixer at a glance", example: "status").live(),
        .of(.at("/version", .value(Answer.version), "the program's name and version"), .version),
        .of(
            .at("/session/save", .action(), "saves the session, or saves it as NAME beside it"),
            optional(.name)
        ) {
            .save($0)
        } take: {
            if case .save(let name) = $0 { .some(name) } else { nil }
        }
        .verb(
            .session, "save", "save the session, or save it as NAME beside it", example: "save evening"),
        .of(
            .at("/session/load", .action(), "goes on with another session of the same folder"), .name,
            title: { "load \($1)" }
        ) {
            .load($0)
        } take: {
            if case .load(let name) = $0 { name } else { nil }
        }
        .verb(
            .session, "load", "go on with another session of the same folder", example: "load evening"),
        .of(
            .at(
                "/quit", .action(),
                """
                ends the mixer; unsaved changes are kept for the next run; the word now is required, so a \
                client that sends every address does no harm
                """), .now
        ) { _ in
            .quit
        } take: {
            $0 == .quit ? () : nil
        }
        .verb(
            .session, "quit", "end the mixer; changes that were not saved are kept for the next run",
            example: "quit"
        )
        .live(),
        button(.at("/session/new", .action(), "goes on with an empty session"), title: "new session", .new)
            .verb(
                .session, "new", "go on with an empty session; undo brings the old one back", example: "new"),
    ]

    private static let files: [CommandEntry] = [
        .of(
            .at("/sessions", .value(Answer.sessions), "the names of the sessions in this one's folder: JSON"),
            .sessions
        )
        .verb(.session, "sessions", "list the sessions of this folder", example: "sessions"),
        .of(
            .at(
                "/session/collect", .value(Answer.collection),
                """
                copies the session and all its files there; answers none, running, done or failed; the share \
                that is copied, 0 to 1; and a text: where the copy is, or why it failed
                """), asked(.text("FOLDER", "the folder"))
        ) {
            .collect($0)
        } take: {
            if case .collect(let folder) = $0 { .some(folder) } else { nil }
        }
        .verb(.collect),
        .of(
            .at(
                "/session/missing", .value(Answer.missing),
                "the files that are missing, and where files of their names are: JSON"), .missing
        )
        .verb(
            .session, "missing", "the files that are missing; and where files of their names are",
            example: "missing"),
        .of(
            .at(
                "/session/relink", .action(),
                "every clip of the first file plays the second; refused if that does not fit a clip"),
            fields(.text("FILE", "the file"), .fileOnDisk("the other file")),
            title: { "relink \(Path.name(of: $1.0)) to \($1.1)" }
        ) {
            .relink($0.0, to: $0.1)
        } take: {
            if case .relink(let file, let other) = $0 { (file, other) } else { nil }
        }
        .verb(
            .session, "relink", "every clip of the first file plays the second",
            example: "relink music.flac takes/music.flac"),
        .of(
            .at(
                "/session/video", .value(Answer.video),
                """
                the movie of the session: its picture at time `from` is shown at TIME of the timeline, both \
                0 unless told; off: no movie; answers JSON, null for none
                """), .video,
            title: { _, video in
                if case .set(let file, at: _, from: _) = video {
                    "video \(Path.name(of: file))"
                } else {
                    "no video"
                }
            }
        ) {
            .video($0)
        } take: {
            if case .video(let video) = $0 { video } else { nil }
        }
        .verb(
            .session, "video",
            """
            the movie that the session belongs to: its time T is shown at TIME of the timeline (both 0 \
            unless given); a render as a movie has its picture beside the mix; without a value: print it
            """,
            example: "video film.mp4 2s"),
    ]

    private static let steps: [CommandEntry] = [
        .of(
            .at(
                "/session/history", .value(Answer.history),
                "the steps that can be taken back or made again: JSON"),
            .history
        )
        .verb(
            .session, "history", "the steps that can be taken back or made again", example: "history"),
        .of(
            .at(
                "/session/edition", .value(Answer.edition),
                """
                a number that grows whenever the timeline, markers, scenes or strips change; the names of \
                the next step to undo and of the next to redo, empty if there is none
                """), .edition),
        button(
            .at("/session/undo", .action(Answer.undone), "takes back the last change; answers its name"),
            .undo
        )
        .verb(.session, "undo", "take back the last change; prints its name", example: "undo"),
        button(.at("/session/redo", .action(Answer.redone), "makes it again; answers its name"), .redo)
            .verb(.session, "redo", "make again what undo took back; prints its name", example: "redo"),
    ]

    private static let scenes: [CommandEntry] = [
        .of(.at("/scenes", .value(Answer.scenes), "the scenes' names: JSON"), .scene(.list)),
        .of(
            .at(
                "/scene/store", .action(),
                """
                stores faders, pans, mutes, sends, processors, trims, polarities, outputs, solos and members \
                of DCAs under NAME, in place of a scene of that name
                """),
            .name, title: { "store scene \($1)" }
        ) {
            .scene(.store($0))
        } take: {
            if case .scene(.store(let name)) = $0 { name } else { nil }
        }
        .verb(.scene),
        .of(
            .at(
                "/scene/recall", .action(),
                """
                restores a scene, at once or as a fade; only: some of the parts \
                \(ScenePart.allCases.map(\.rawValue).joined(separator: ", ")), with commas between; strips: \
                these strips only
                """), fields(.name, .recall), title: { "recall scene \($1.0)" }
        ) {
            .scene(.recall($0.0, over: $0.1.over, parts: $0.1.parts, strips: $0.1.strips))
        } take: {
            if case .scene(.recall(let name, let time, let parts, let strips)) = $0 {
                (name, Recall(over: time, parts: parts, strips: strips))
            } else {
                nil
            }
        }
        .live { if case .scene(.recall(_, over: _?, _, _)) = $0 { true } else { false } },
        .of(.at("/scene/remove", .action(), "forgets a scene"), .name, title: { "remove scene \($1)" }) {
            .scene(.remove($0))
        } take: {
            if case .scene(.remove(let name)) = $0 { name } else { nil }
        },
    ]

    private static let markers: [CommandEntry] = [
        .of(
            .at("/markers", .value(Answer.markers), "the markers: JSON, as in the session file"),
            .marker(.list)),
        .of(
            .at(
                "/marker/add", .action(),
                "sets a marker at TIME, or at the playhead; an existing marker of that name moves there"),
            fields(.name, optional(.time)), title: { "marker \($1.0)" }
        ) {
            .marker(.add($0.0, at: $0.1))
        } take: {
            if case .marker(.add(let name, let time)) = $0 { (name, time) } else { nil }
        }
        .verb(.marker).live { if case .marker(.add(_, at: nil)) = $0 { true } else { false } },
        .of(.at("/marker/remove", .action(), "forgets a marker"), .name, title: { "remove marker \($1)" }) {
            .marker(.remove($0))
        } take: {
            if case .marker(.remove(let name)) = $0 { name } else { nil }
        },
    ]
}

extension Field<Void> {
    /// The word that has the mixer end.
    fileprivate static let now = Field("now", "") { (arguments: inout Arguments) throws(CommandError) in
        guard !arguments.isEmpty, try arguments.text("the word now") == "now" else {
            throw CommandError("the mixer ends when it is told to by the word now: /quit now")
        }
    } parse: { (_: inout Words) throws(CommandError) in
    } write: { _ in
        [.string("now")]
    }
}

extension Field<VideoCommand> {
    /// A movie and where it lies, or off; nothing asks.
    fileprivate static let video = Field(
        "FILE [TIME] [from TIME] · off", "[FILE [TIME] [--from T] | off]",
        options: WordOptions(valued: ["--from"])
    ) { (arguments: inout Arguments) throws(CommandError) in
        if arguments.isEmpty { return .ask }
        let file = try arguments.text("the file, or off")
        if file == "off" { return .remove }
        let at = try arguments.timeUnless(["from"])
        return .set(file, at: at, from: try arguments.time(behind: "from"))
    } parse: { (words: inout Words) throws(CommandError) in
        if words.isEmpty { return .ask }
        let file = try words.word("the file")
        if file == "off" { return .remove }
        return .set(file, at: words.isEmpty ? nil : try words.time(), from: try words.time("--from"))
    } write: {
        switch $0 {
        case .ask: []
        case .remove: [.string("off")]
        case .set(let file, let at, let from):
            [.string(file)] + [at.map(argument)].compactMap { $0 }
                + (from.map { [.string("from"), argument($0)] } ?? [])
        }
    }
    .asking { $0 == .ask }
    .ofFiles { video, name in
        guard case .set(let file, let at, let from) = video else { return video }
        return .set(name(file), at: at, from: from)
    }
}

/// How a scene is recalled: over which time, which of its parts, and which strips.
private struct Recall {
    let over: TimeSpec?
    let parts: Set<ScenePart>?
    let strips: [StripReference]?

    /// As they stand behind the scene's name.
    var arguments: [OSCArgument] {
        var arguments = over.map { [argument($0)] } ?? []
        if let parts {
            let words = ScenePart.allCases.filter(parts.contains).map(\.rawValue)
            arguments += [.string("only"), .string(words.joined(separator: ","))]
        }
        if let strips {
            arguments += [.string("strips"), .string(strips.map(\.text).joined(separator: ","))]
        }
        return arguments
    }
}

extension Field<Recall> {
    fileprivate static let recall = Field("[DURATION] [only PARTS] [strips STRIPS]") {
        (arguments: inout Arguments) throws(CommandError) in
        let time = try arguments.timeUnless(["only", "strips"])
        let parts = try arguments.word(behind: "only").map(Words.sceneParts)
        return Recall(
            over: time, parts: parts, strips: try arguments.word(behind: "strips").map(Words.strips))
    } write: {
        $0.arguments
    }
}

extension Answer {
    public static let sessions = AnswerKind("/sessions", .document) { (names: [String]) in names }
    public static let scenes = AnswerKind("/scenes", .document) { (names: [String]) in names }

    public static let markers = AnswerKind("/markers", .document) { (markers: [Marker]) in
        markers.map { "\(Readable.clock($0.at.seconds).padded(11)) \($0.name)" }
    }

    /// nil: there is none.
    public static let video = AnswerKind("/session/video", .document) { (video: Video?) in
        guard let video else { return ["no video"] }
        let at = video.at == .zero ? "" : " at \(video.at)"
        let from = video.from == .zero ? "" : " from \(video.from)"
        return [video.file.text + at + from]
    }
}
