import ArgumentParser
import Engine
import Exchange
import Files
import JSON
import Loop
import Timeline

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a session for another program: OpenTimelineIO, Ardour, DAWproject, an EDL, MLT.",
        discussion:
            """
            The file's extension says for which: otio, ardour, dawproject, edl, mlt. What the format cannot \
            hold is listed.
            """
    )

    @Argument(help: "The session's file, or its folder.")
    var session: String

    @Argument(help: "The file to write.")
    var output: String

    @Option(
        help:
            """
            Frames of picture a second, in which EDL and MLT count: 25, 23.976, 30000/1001; those of the \
            session's movie unless told, else 25.
            """
    )
    var fps: String?

    @Flag(help: "Leave out missing files instead of refusing.")
    var allowMissing = false

    @Flag(help: "Write the session as the running mixer has it, with its unsaved changes.")
    var live = false

    @Flag(help: "Replace the file if there is one.")
    var force = false

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run() throws {
        let (kind, rate) = (try kind(), try pictureRate())
        let opened = try OpenedSession(session, unsaved: live ? .taken : .said("--live takes them"))
        let document = try opened.usable(
            allowMissing ? [.missingFile, .file] : [],
            hint: "\nnothing was written: --allow-missing leaves missing files out")
        if !force, Path.exists(output) { throw Failure("\(output) exists already: --force replaces it") }
        if opened.sources().hold(output) {
            throw Failure("\(output) is part of the session: choose another name")
        }
        let losses: Losses
        let signals = Signals(secondEnds: false)
        do throws(ExchangeError) {
            losses = try Export(document, library: opened.library, as: kind, pictureRate: rate).write(
                to: output, replaces: force, goesOn: { !signals.hasCome })
        } catch { throw Failure("\(error)", code: signals.hasCome ? 130 : 1) }
        report(document, losses)
    }

    private func report(_ document: Session, _ losses: Losses) {
        let clips = document.tracks.map(\.clips.count).reduce(0, +)
        if json {
            print(
                JSONValue.object([
                    "file": .string(output), "tracks": .number(document.tracks.count),
                    "clips": .number(clips), "lost": .array(losses.sentences.map { .string($0) }),
                ]).prettyText())
        } else {
            print(
                """
                \(output): \(document.tracks.count) \(document.tracks.count == 1 ? "track" : "tracks"), \
                \(clips) \(clips == 1 ? "clip" : "clips")
                """
            )
            for sentence in losses.sentences { inform("jmix: \(output): \(sentence)") }
        }
    }

    /// What the output's name says.
    private func kind() throws(Failure) -> Export.Kind {
        if let kind = Export.Kind(rawValue: Path.fileExtension(of: output)) { return kind }
        throw Failure(
            """
            no program is known for \(output): end its name in one of \
            \(Export.Kind.allCases.map(\.rawValue).joined(separator: ", "))
            """,
            code: 2)
    }

    private func pictureRate() throws(Failure) -> PictureRate? {
        guard let fps else { return nil }
        if let rate = PictureRate(parsing: fps) { return rate }
        throw Failure("--fps \(fps): a number from 1 to 240, as 25, 23.976 or 30000/1001", code: 2)
    }
}
