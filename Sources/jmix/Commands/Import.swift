import ArgumentParser
import Exchange
import Files
import JSON
import MixerControl
import Remote
import Timeline

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Read what another program has written into a session: OpenTimelineIO, DAWproject, labels of Audacity, LOF, M3U.",
        discussion: "The file's extension says what it is: otio, dawproject, txt, lof, m3u. A session that is not there yet is made; one that is gets the tracks, buses and markers besides its own. What cannot be taken over is named.")

    @Argument(help: "The session's file, or its folder.")
    var session: String

    @Argument(help: "The file to read.")
    var input: String

    @Option(help: "Of a playlist: how much each file crosses over with the one before it, as 2s.")
    var crossfade: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    @OptionGroup var unsaved: UnsavedOptions

    func run() throws {
        guard let kind = Import.Kind(rawValue: Path.fileExtension(of: input)) else {
            throw Failure("no program is known for \(input): its name ends in one of \(Import.Kind.allCases.map(\.rawValue).joined(separator: ", "))", code: 2)
        }
        if crossfade != nil, ![.m3u, .m3u8].contains(kind) { throw Failure("--crossfade is for a playlist (m3u)", code: 2) }
        let overlap = try Render.time(crossfade, Session()) ?? .zero
        let folder = SessionStore(session).folder
        let read: Import
        do throws(ExchangeError) { read = try Import(input, as: kind, crossfade: overlap, soundFolder: Path.join(folder, Path.stem(of: input))) } catch { throw Failure("\(input): \(error)") }
        var other = read.session
        for track in other.tracks.indices {
            for clip in other.tracks[track].clips.indices { other.tracks[track].clips[clip].file = Path.name(of: other.tracks[track].clips[clip].file, from: folder) }
        }
        if let video = other.video { other.video?.file = Path.name(of: video.file, from: folder) }
        let path = isThere ? try add(other) : try make(other)
        report(other, path, read.losses)
    }

    private var isThere: Bool { SessionStore(session).path.map(Path.exists) ?? false }

    private func make(_ other: Session) throws -> String {
        let edited = try New.begin(session, other)
        try edited.save()
        return edited.path
    }

    private func add(_ other: Session) throws -> String {
        guard let edited = try EditedSession(opening: session, unsaved) else { throw Failure("a mixer has \(session) open: import into another session, or end the mixer first") }
        do throws(CommandError) { try edited.add(other, named: "import \(Path.name(of: input))") } catch {
            edited.abandon()
            throw Failure(error.description)
        }
        try edited.save()
        return edited.path
    }

    private func report(_ other: Session, _ path: String, _ losses: Losses) {
        let clips = other.tracks.map(\.clips.count).reduce(0, +)
        if json {
            print(JSONValue.object([
                "session": .string(path), "tracks": .number(other.tracks.count), "clips": .number(clips), "buses": .number(other.buses.count), "markers": .number(other.markers.count),
                "lost": .array(losses.sentences.map { .string($0) }),
            ]).prettyText())
        } else {
            let counts = [(other.tracks.count, "track"), (clips, "clip"), (other.buses.count, "bus"), (other.markers.count, "marker")].filter { $0.0 > 0 }
            print("\(path): \(counts.map { "\($0) \($1)\($0 == 1 ? "" : $1 == "bus" ? "es" : "s")" }.joined(separator: ", ")) from \(input)")
            for sentence in losses.sentences { note("jmix: \(input): \(sentence)") }
        }
    }
}
