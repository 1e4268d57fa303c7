import ArgumentParser
import Console
import Exchange
import Files
import JSON
import Loop
import Remote
import Timeline

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            """
            Read what another program has written into a session: OpenTimelineIO, DAWproject, labels of \
            Audacity, LOF, M3U.
            """,
        discussion:
            """
            The file's extension says what it is: otio, dawproject, txt, lof, m3u. A session that is not \
            there yet is made; one that is gets the tracks, buses and markers besides its own. What cannot \
            be taken over is named.
            """
    )

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
        let (kind, overlap) = try checkedOptions()
        let there = try isThere ? opened() : nil
        // Once sounds lie in a folder of the session's name, that name would mean the folder.
        let name = there == nil ? try newName() : session
        let folder = Path.absolute(SessionStore(name).folder)
        let read = try self.read(kind, overlap, in: folder, abandoning: there)
        var other = read.session
        other.renameFiles { FilePath(Path.name(of: $0.text, from: folder)) }
        do {
            let ownVideo = there?.session.video?.file
            let edited = try there.map { try add(other, to: $0) } ?? New.begin(name, other)
            try edited.save()
            report(other, edited.path, read.losses, isAdded: there != nil, ownVideo)
        } catch {
            read.discard()
            throw error
        }
    }

    private func read(
        _ kind: Import.Kind, _ overlap: TimeSpec?, in folder: String, abandoning there: EditedSession?
    ) throws(Failure) -> Import {
        do throws(ExchangeError) {
            return try Import(
                input, as: kind, crossfade: overlap, soundFolder: Path.join(folder, Path.stem(of: input)))
        } catch {
            there?.abandon()
            throw Failure("\(input): \(error)")
        }
    }

    /// The program whose file it is, and how much the pieces of a playlist cross over.
    private func checkedOptions() throws(Failure) -> (Import.Kind, TimeSpec?) {
        guard let kind = Import.Kind(rawValue: Path.fileExtension(of: input)) else {
            throw Failure(
                """
                no program is known for \(input): its name ends in one of \
                \(Import.Kind.allCases.map(\.rawValue).joined(separator: ", "))
                """,
                code: 2)
        }
        if crossfade != nil, ![.m3u, .m3u8].contains(kind) {
            throw Failure("--crossfade is for a playlist (m3u)", code: 2)
        }
        do throws(TimeTextError) {
            return (kind, try crossfade.map { text throws(TimeTextError) in try TimeSpec(parsing: text) })
        } catch { throw Failure("\(error)", code: 2) }
    }

    private var isThere: Bool { SessionStore(session).path.map(Path.exists) ?? false }

    /// - Throws: `Failure`: a mixer has it open, or it cannot be read.
    private func opened() throws -> EditedSession {
        guard let edited = try EditedSession(opening: session, unsaved) else {
            throw Failure("a mixer has \(session) open: import into another session, or end the mixer first")
        }
        return edited
    }

    /// The file that the session is to be.
    /// - Throws: `Failure`: none can be made under its name.
    private func newName() throws(Failure) -> String {
        do throws(FileError) { return try SessionStore(new: session).path ?? session } catch {
            throw Failure("\(error)")
        }
    }

    private func add(_ other: Session, to edited: EditedSession) throws -> EditedSession {
        do throws(CommandError) { try edited.add(other, named: "import \(Path.name(of: input))") } catch {
            edited.abandon()
            throw Failure(error.description)
        }
        return edited
    }

    private func report(
        _ other: Session, _ path: String, _ losses: Losses, isAdded: Bool, _ ownVideo: FilePath?
    ) {
        let lost = losses.sentences + ownThatStays(beside: other, isAdded: isAdded, ownVideo)
        let clips = other.tracks.map(\.clips.count).reduce(0, +)
        if json {
            print(
                JSONValue.object([
                    "session": .string(path), "tracks": .number(other.tracks.count), "clips": .number(clips),
                    "buses": .number(other.buses.count), "markers": .number(other.markers.count),
                    "lost": .array(lost.map { .string($0) }),
                ]).prettyText())
        } else {
            print("\(path): \(Self.content(of: other, clips: clips)) from \(input)")
            for sentence in lost { inform("jmix: \(input): \(sentence)") }
        }
    }

    private static func content(of other: Session, clips: Int) -> String {
        [
            (other.tracks.count, "track"), (clips, "clip"), (other.buses.count, "bus"),
            (other.markers.count, "marker"),
        ].filter { $0.0 > 0 }
            .map { "\($0) \($1)\($0 == 1 ? "" : $1 == "bus" ? "es" : "s")" }
            .joined(separator: ", ")
    }

    /// A sentence for each thing that the session keeps in place of the file's.
    private func ownThatStays(beside other: Session, isAdded: Bool, _ ownVideo: FilePath?) -> [String] {
        var lost: [String] = []
        if isAdded, other.hasWholeOfItsOwn {
            lost.append(
                """
                the session keeps its own master, scenes, connections and way of solo: those of the file are \
                left out
                """
            )
        }
        if let ownVideo, let video = other.video?.file, video != ownVideo {
            lost.append("the session keeps its own video, \(ownVideo): \(video) is left out")
        }
        return lost
    }
}
