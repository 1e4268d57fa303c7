import ArgumentParser
import AudioFile
import Engine
import Files
import MixerControl
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
        if options.force, library.isSource(output, of: session, besides: [options.cover]) {
            throw Failure("\(output) is part of what is joined: choose another name")
        }
        try Rendering(render: OfflineRender(session, library: library), output: output, options: options)
            .run()
    }

    private func joined() throws(Failure) -> (Session, MediaLibrary) {
        var found: [Int: (label: PartLabel, path: String, rate: Int32)] = [:]
        for path in parts {
            let file: SoundFile
            do throws(AudioFileError) { file = try SoundFile(path: path) } catch { throw Failure("\(error)") }
            guard let label = file.comment.flatMap(PartLabel.init) else {
                throw Failure(
                    "\(path) does not say of which mix it is a part: jmix render --part writes parts")
            }
            let one = (label: label, path: path, rate: file.sampleRate)
            if let first = found.values.first,
                (first.label.mix, first.label.all, first.label.part.count, first.rate) != (
                    label.mix, label.all, label.part.count, one.rate
                )
            {
                throw Failure(
                    """
                    \(path) is a part of another mix than \(first.path): the session has changed between \
                    them, or other frames were asked for
                    """
                )
            }
            if let other = found[label.part.number] {
                throw Failure("\(path) and \(other.path) are both part \(label.part)")
            }
            guard file.frames == Int64(label.frames.count), file.info.truncation == nil else {
                throw Failure(
                    "\(path): it has \(file.frames) frames, and part \(label.part) had \(label.frames.count)")
            }
            found[label.part.number] = one
        }
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
        var session = Session()
        session.sampleRate = first.rate
        var track = Track(name: "parts")
        for (_, part) in found.sorted(by: { $0.key < $1.key }) {
            var clip = Clip(file: Path.absolute(part.path))
            clip.at = MediaTime(
                frame: part.label.frames.lowerBound - part.label.all.lowerBound, rate: first.rate)
            clip.duration = MediaTime(frame: Int64(part.label.frames.count), rate: first.rate)
            track.clips.append(clip)
        }
        session.append(track)
        return (session, MediaLibrary(folder: "/"))
    }
}
