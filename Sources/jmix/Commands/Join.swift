import ArgumentParser
import AudioFile
import Engine
import Files
import Loop
import Timeline

/// Puts a mix together from its parts. That is a session of one track with the parts as its clips: what is
/// done to a mix can be done here.
struct Join: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Put a mix together from the parts that jmix render --part wrote.",
        discussion:
            """
            In whatever order they are named: each says which it is. All have to be there, and of the same \
            mix. Exit codes are those of jmix render.
            """
    )

    @Argument(help: "The file to write; - is standard output.")
    var output: String

    @Argument(help: "The parts.")
    var parts: [String]

    @OptionGroup var options: OutputOptions

    func run() throws {
        try Rendering.check(output, options)
        let (session, library) = try joined()
        let sources = SourceFiles(
            of: session, in: library, savedAs: nil, movie: nil, cover: options.cover)
        if options.force, sources.hold(output) {
            throw Failure("\(output) is part of what is joined: choose another name")
        }
        try Rendering(render: OfflineRender(session, library: library), output: output, options: options)
            .run()
    }

    private func joined() throws(Failure) -> (Session, MediaLibrary) {
        var found: [Int: Part] = [:]
        for path in parts {
            let one = try Self.part(path)
            try found.values.first?.checkSameMix(as: one)
            let part = one.label.part
            if let other = found[part.number] {
                throw Failure("\(path) and \(other.path) are both part \(part)")
            }
            found[part.number] = one
        }
        let first = try Self.checked(found)
        let inOrder = found.sorted { $0.key < $1.key }.map(\.value)
        return (Self.session(inOrder, sampleRate: first.rate), MediaLibrary(folder: "/"))
    }

    /// The first of the parts, all of which have to be there.
    private static func checked(_ found: [Int: Part]) throws(Failure) -> Part {
        guard let first = found.values.first else {
            throw Failure("say which parts: jmix join OUT PART...", code: 2)
        }
        let missing = (1...first.label.part.count).filter { found[$0] == nil }
        if !missing.isEmpty {
            throw Failure(
                """
                \(missing.count == 1 ? "part" : "parts") \
                \(missing.prefix(20).map(String.init).joined(separator: ", ")) of \(first.label.part.count) \
                \(missing.count == 1 ? "is" : "are") missing
                """
            )
        }
        return first
    }

    /// A file that is a part of a mix.
    private struct Part {
        let label: PartLabel
        let path: String
        let rate: Int32

        func checkSameMix(as other: Part) throws(Failure) {
            let (mine, others) = (label, other.label)
            if (mine.mix, mine.all, mine.part.count, rate) == (
                others.mix, others.all, others.part.count, other.rate
            ) {
                return
            }
            throw Failure(
                """
                \(other.path) is a part of another mix than \(path): the session has changed between them, \
                or other frames were asked for
                """
            )
        }
    }

    private static func part(_ path: String) throws(Failure) -> Part {
        let file: SoundFile
        do throws(AudioFileError) { file = try SoundFile(path: path) } catch { throw Failure("\(error)") }
        guard let label = file.comment.flatMap(PartLabel.init) else {
            throw Failure(
                "\(path) does not say of which mix it is a part: jmix render --part writes parts")
        }
        guard file.frames == Int64(label.frames.count), file.info.truncation == nil else {
            throw Failure(
                "\(path): it has \(file.frames) frames, and part \(label.part) had \(label.frames.count)")
        }
        return Part(label: label, path: path, rate: file.sampleRate)
    }

    /// A session that plays parts where they lie in the mix.
    private static func session(_ parts: [Part], sampleRate: Int32) -> Session {
        var session = Session()
        session.sampleRate = sampleRate
        var track = Track(name: "parts")
        for part in parts {
            var clip = Clip(file: Path.absolute(part.path))
            clip.at = MediaTime(
                frame: part.label.frames.lowerBound - part.label.all.lowerBound, rate: sampleRate)
            clip.duration = MediaTime(frame: Int64(part.label.frames.count), rate: sampleRate)
            track.clips.append(clip)
        }
        session.append(track)
        return session
    }
}
