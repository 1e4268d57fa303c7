import AudioFile
import Engine
import Files
import Glibc
import JSON
import Loop
import Loudness
import Timeline

/// Writes a mix to a file, or to standard output, and reports what came of it.
struct Rendering {
    let render: OfflineRender
    /// nil: nothing but stems; `-` is standard output.
    let output: String?
    let options: OutputOptions
    var stems: Stems?
    var picture: ((OutputFormat) throws -> MoviePicture?)?
    var hasChapters = true
    /// What the file says of itself beside the tags that were asked for.
    var comment: String?

    /// The exit code of a mix that is written, and not as loud as it was to be.
    private static let missed: Int32 = 4

    /// Refuses what cannot be written to before anything is read: a name that is taken, or a terminal.
    /// - Throws: `Failure`.
    static func check(_ output: String?, _ options: OutputOptions) throws(Failure) {
        let toPipe = output == "-"
        (_, _, _, _) = (
            try options.samples(), try options.mastering(), try options.bits(), try options.tags()
        )
        if options.force, options.unique {
            throw Failure("--force replaces the file, --unique keeps it: one of them", code: 2)
        }
        if toPipe, options.force || options.unique {
            throw Failure("- is standard output: it needs neither --force nor --unique", code: 2)
        }
        if toPipe, isatty(1) == 1 {
            throw Failure(
                "- is standard output, which is a terminal here: lead it to a file or a program", code: 2)
        }
        if let output, !options.force, !options.unique, !toPipe, Path.exists(output) {
            throw Failure("\(output) exists already: --force replaces it, --unique takes another name")
        }
    }

    private func file(_ path: String, as output: String) throws -> OfflineRender.File {
        let format = try options.outputFormat(
            path, render.layout, sampleRate: render.session.sampleRate, frames: render.frames.count)
        var file = OfflineRender.File(path, format)
        file.labels = try labels(format, output)
        (file.picture, file.taken) = (try picture?(format), options.taken)
        return file
    }

    /// - Throws: `Failure`, or `ExitStatus` where it is not as loud as it was to be.
    func run() throws {
        do {
            let signals = Signals(secondEnds: false)
            guard let output else {
                return report(try write(nil, Mastering(), signals))
            }
            let toPipe = output == "-"
            let path = toPipe ? pathBeforePipe : output
            let result = try write(try file(path, as: output), try options.mastering(), signals)
            defer { if toPipe { unlink(path) } }
            if toPipe { try send(path, signals) }
            report(result)
            if let loudness = result.loudness, !loudness.isReached { throw ExitStatus(Self.missed) }
        } catch let error as AudioFileError {
            throw Failure("\(error)")
        }
    }

    /// Where the file lies that goes to a pipe.
    private var pathBeforePipe: String {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        return AtomicFile.temporaryPath(for: Path.join(folder, "jmix.\(options.kind ?? "wav")"))
    }

    private func labels(_ format: OutputFormat, _ output: String) throws -> FileLabels {
        var labels = FileLabels()
        (labels.tags, labels.chapters, labels.cover) = (
            try options.tags(), chapters(format, output), options.cover
        )
        if let comment { labels.tags[.comment] = comment }
        if options.cover != nil, !format.holdsCover {
            throw Failure("\(output) holds no cover: write mp3, m4a, mp4, flac, ogg or opus for it")
        }
        return labels
    }

    /// The markers in what is rendered.
    private func chapters(_ format: OutputFormat, _ output: String) -> [FileLabels.Chapter] {
        if !hasChapters { return [] }
        let chapters = render.session.markers.map {
            FileLabels.Chapter(
                name: $0.name,
                frame: $0.at.frame(atRate: render.session.sampleRate) - render.frames.lowerBound)
        }
        .filter { (0..<Int64(render.frames.count)).contains($0.frame) }
        if chapters.count > format.maximumChapters, format.maximumChapters > 0 {
            inform("jmix: \(output) holds \(format.maximumChapters) chapters: those behind are left out")
            return Array(chapters.prefix(format.maximumChapters))
        }
        if chapters.isEmpty || format.maximumChapters > 0 { return chapters }
        inform(
            """
            jmix: the \(chapters.count) markers are not in \(output): chapters are written to mp3, wav, m4a, \
            flac, ogg, opus, mp4, mov, mkv
            """
        )
        return []
    }

    private func write(
        _ file: OfflineRender.File?, _ mastering: Mastering, _ signals: Signals
    ) throws -> OfflineRender.Result {
        let bar = ProgressBar(output ?? stems?.folder ?? "")
        defer { bar.clear() }
        do throws(OfflineRender.Failure) {
            return try render.write(to: file, mastering: mastering, stems: stems) { share in
                bar.show(share)
                return !signals.hasCome
            }
        } catch {
            bar.clear()
            if case .cancelled = error { throw Failure("\(error)", code: 130) }
            throw Failure("\(error)")
        }
    }

    private func send(_ path: String, _ signals: Signals) throws(Failure) {
        do throws(FileError) {
            try AtomicFile.send(path, to: 1, named: "standard output") { !signals.hasCome }
        } catch {
            throw Failure("\(error)", code: signals.hasCome ? 130 : 1)
        }
    }

    private func report(_ result: OfflineRender.Result) {
        let length = MediaTime(frame: result.frames, rate: render.session.sampleRate)
        let (name, isPiped) = (output.map { $0 == "-" ? "standard output" : result.path }, output == "-")
        var lines: [String] = []
        if options.json {
            lines = [document(result, length).prettyText()]
        } else {
            if let name {
                lines.append(
                    """
                    \(name): \(length.readable), peak \
                    \(result.peak > 0 ? "\(rounded(Volume.level(gain: Double(result.peak)))) dB" : "silence")
                    """
                )
            }
            if let loudness = result.loudness { lines.append(sentence(loudness)) }
            if let stems {
                lines.append(
                    """
                    \(stems.folder): \(result.stems.count) \(result.stems.count == 1 ? "stem" : "stems") of \
                    \(length.readable)
                    """
                )
            }
        }
        if let name, !result.unwrittenTags.isEmpty {
            inform(
                """
                jmix: \(name) holds no \
                \(result.unwrittenTags.map(\.rawValue).sorted().joined(separator: ", ")): write flac, mp3 or \
                ogg for it
                """
            )
        }
        for line in lines { if isPiped { inform(line) } else { print(line) } }
        if result.clippedSamples > 0 {
            inform(
                """
                jmix: \(result.clippedSamples) samples were above full level and were cut: lower the master \
                fader, --limit, or render as float
                """
            )
        }
    }

    private func document(_ result: OfflineRender.Result, _ length: MediaTime) -> JSONValue {
        var document: JSONObject = [
            "file": output.map { .string($0 == "-" ? "-" : result.path) } ?? .null,
            "frames": .number(result.frames), "seconds": .number(length.seconds),
            "peak": .number(Double(result.peak)),
            "clippedSamples": .number(result.clippedSamples),
        ]
        if stems != nil { document["stems"] = .array(result.stems.map { .string($0) }) }
        document["loudness"] = result.loudness.map(Self.json) ?? .null
        return .object(document)
    }

    private static func json(_ loudness: Mastering.Outcome) -> JSONValue {
        func level(_ value: Double) -> JSONValue { value.isFinite ? .number(value) : .null }
        return .object([
            "before": level(loudness.before.integrated), "gain": .number(loudness.gain),
            "reached": level(loudness.reached), "truePeak": level(loudness.truePeak),
            "isReached": .bool(loudness.isReached),
        ])
    }

    /// What was done to the loudness.
    private func sentence(_ loudness: Mastering.Outcome) -> String {
        guard loudness.before.integrated.isFinite else {
            return "loudness: nothing to measure (silence, or less than 400 ms); no gain applied"
        }
        let why =
            loudness.isReached
            ? ""
            : options.limit == nil
                ? """
                ; more would bring the true peak above \(rounded(LoudnessTarget.maximumTruePeak)) dBTP: \
                --limit makes way for it
                """
                : "; the limiter leaves no more"
        let gain =
            loudness.gain == 0
            ? "" : ", gain of \(loudness.gain < 0 ? "" : "+")\(rounded(loudness.gain)) dB applied"
        return
            """
            loudness: \(rounded(loudness.before.integrated)) LUFS\(gain), now \(rounded(loudness.reached)) \
            LUFS, true peak \(rounded(loudness.truePeak)) dBTP\(why)
            """
    }
}

/// A number with one decimal.
func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
