import ArgumentParser
import AudioFile
import Engine
import Files
import Glibc
import JSON
import Loudness
import MixerControl
import Timeline

struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Mix a session to a file, without JACK.",
        discussion: "The file's extension says the format: wav (RF64 beyond 4 GiB), w64, rf64, caf, aiff (2 GiB at most), flac, ogg, opus, mp3, and by ffmpeg m4a, mp4, mov, mkv. "
            + "Exit codes: 0 done, 1 refused, 2 usage, 4 written, but not as loud as it was to be.")

    @Argument(help: "The session's file, or its folder.")
    var session: String

    @Argument(help: "The file to write; - is standard output. With --stems it may be left out.")
    var output: String?

    @Option(help: "Where to begin, as in 2s or 1:30.")
    var from: String?

    @Option(help: "Where to end; the end of the last clip unless told.")
    var to: String?

    @Option(help: "How samples are kept: pcm16, pcm24 or float (WAV: float, FLAC: pcm24 unless told).")
    var format: String?

    @Option(name: .customLong("as"), help: "The kind of file where the name does not say: the extension of its format; wav unless told.")
    var kind: String?

    @Flag(help: "Replace the file if there is one.")
    var force = false

    @Flag(help: "Where the name is taken, take the next free one: name-1, name-2.")
    var unique = false

    @Option(parsing: .unconditional, help: "Bring the mix to this loudness in LUFS, as -23; without --limit only as far as its true peak stays under -1 dBTP.")
    var loudness: Double?

    @Option(parsing: .unconditional, help: ArgumentHelp("Keep the true peaks under this, as -1dB, by a limiter; alone it means -1dB.", valueName: "level"))
    var limit: String?

    @Option(help: "Thousands of bits a second, of mp3 (32 to 320), opus (12 to 512), m4a and mp4 (32 to 512), as 192k.")
    var bitrate: String?

    @Option(help: "Of ogg, opus and mp3: 0 to 1, the encoder varying what it needs.")
    var quality: Double?

    @Option(help: "What the file says of itself, as title=Evening: title, artist, album, comment, date, genre, track, copyright; can be given again.")
    var tag: [String] = []

    @Option(help: "A folder that gets a file for each strip that goes to the master, as it enters it: together they add up to what the master gets.")
    var stems: String?

    @Option(help: "A picture, JPEG or PNG, that stands for the recording: in mp3, m4a, mp4, flac, ogg, opus.")
    var cover: String?

    @Option(help: "A movie whose picture goes beside the mix, its packets as they are: into mp4, mov, mkv. Its time 0 is the session's.")
    var video: String?

    @Option(parsing: .unconditional, help: "Where the movie's time 0 lies on the session's timeline, as 2s; before it with a minus.")
    var videoAt: String?

    @Flag(help: "The movie's own sounds and subtitles go along.")
    var keepStreams = false

    @Flag(help: "Write no chapters: else a file that can hold them has the session's markers as chapters.")
    var noChapters = false

    @Flag(help: "Leave out missing files, and what inputs heard that was not recorded, instead of refusing.")
    var allowMissing = false

    @Flag(help: "Print the result as JSON.")
    var json = false

    /// Where --limit stands alone, what it means is put behind it.
    static func withLimit(_ arguments: [String]) -> [String] {
        guard arguments.first == "render", let place = arguments.firstIndex(of: "--limit") else { return arguments }
        var full = arguments
        if place + 1 == arguments.count || Volume.decibels(arguments[place + 1]) == nil { full.insert("-1dB", at: place + 1) }
        return full
    }

    /// The exit code of a mix that is written, and not as loud as it was to be.
    private static let missed: Int32 = 4

    func run() throws {
        if output == nil, stems == nil { throw Failure("say what to write: jmix render SESSION OUT.wav, or --stems FOLDER", code: 2) }
        let opened = try OpenedSession(session)
        let mix = try opened.usable(
            allowMissing ? [.missingFile] : [], hint: "\nnothing was rendered: --allow-missing leaves missing files out")
        if force, unique { throw Failure("--force replaces the file, --unique keeps it: one of them", code: 2) }
        let toPipe = output == "-"
        if toPipe, force || unique { throw Failure("- is standard output: it needs neither --force nor --unique", code: 2) }
        if toPipe, isatty(1) == 1 { throw Failure("- is standard output, which is a terminal here: lead it to a file or a program", code: 2) }
        if let output, !force, !unique, !toPipe, Path.exists(output) { throw Failure("\(output) exists already: --force replaces it, --unique takes another name") }
        // Nothing that the mix is made of is replaced by it.
        let stems = try stems.map { folder throws(Failure) in Stems(in: folder, kind: output == nil ? kind ?? "wav" : "wav", samples: output == nil ? try samples() : nil, replaces: force) }
        if force {
            for path in (output.map { [$0] } ?? []) + (stems?.files(of: mix).map(\.path) ?? []) {
                let isDocument = opened.store.path.flatMap(Path.resolved).map { $0 == Path.resolved(path) } ?? false
                let isShown = [video, cover].contains { $0.flatMap(Path.resolved).map { $0 == Path.resolved(path) } ?? false }
                if isDocument || isShown || opened.library.isPlayed(path, in: mix) { throw Failure("\(path) is part of what is rendered: choose another name") }
            }
        }
        let (mastering, tags) = (try mastering(), try tags())
        let start = try Self.time(from, mix)
        let end = try Self.time(to, mix)
        if let start, let end, end <= start { throw Failure("--to \(end) is not after --from \(start)") }
        let render = OfflineRender(mix, library: opened.library, from: start, to: end)
        if !allowMissing { try Self.checkInputs(mix, render.frames, opened.library) }
        guard !render.frames.isEmpty else { throw Failure("there is nothing to render: the session has no clips\(start == nil ? "" : " after \(start!)")") }
        do {
            let signals = Signals(secondEnds: false)
            guard let output else {
                let result = try write(render, nil, nil, Mastering(), FileLabels(), nil, stems, signals)
                return report(result, render)
            }
            let path = toPipe ? AtomicFile.temporaryPath(for: Path.join(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp", "jmix.\(kind ?? "wav")")) : output
            let format = try OutputFormat(
                path: kind.map { "\(path).\($0)" } ?? path, samples: try samples(), sampleRate: mix.sampleRate, frames: Int64(render.frames.count), bitRate: try bits(), quality: quality)
            var labels = FileLabels()
            (labels.tags, labels.chapters, labels.cover) = (tags, chapters(render, format, output), cover)
            if cover != nil, !format.holdsCover { throw Failure("\(output) holds no cover: write mp3, m4a, mp4, flac, ogg or opus for it") }
            let picture = try picture(render, format, output)
            let result = try write(render, path, format, mastering, labels, picture, stems, signals)
            defer { if toPipe { unlink(path) } }
            if toPipe { try send(path, signals) }
            report(result, render)
            if let loudness = result.loudness, !loudness.isReached { throw ExitStatus(Self.missed) }
        } catch let error as AudioFileError {
            throw Failure("\(error)")
        }
    }

    /// What was live and is not recorded cannot be rendered again.
    private static func checkInputs(_ mix: Session, _ frames: Range<Int64>, _ library: MediaLibrary) throws(Failure) {
        let bare = mix.uncoveredInputs(frames, ruler: library.ruler(atRate: mix.sampleRate))
        if bare.isEmpty { return }
        let names = bare.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw Failure("what \(names) heard live is not recorded for all of that time: nothing was rendered; --from and --to name what is, --allow-missing leaves the rest out")
    }

    // MARK: - What was asked for

    private func samples() throws(Failure) -> OutputFormat.Samples? {
        try format.map { text throws(Failure) in
            guard let samples = OutputFormat.Samples(rawValue: text) else { throw Failure("there is no format \"\(text)\": pcm16, pcm24, float", code: 2) }
            return samples
        }
    }

    private func mastering() throws(Failure) -> Mastering {
        let level = try limit.map { text throws(Failure) in
            guard let level = Volume.decibels(text) else { throw Failure("\"\(text)\" is no limit: write --limit -1dB", code: 2) }
            return level
        }
        do throws(LoudnessError) { return try Mastering(loudness: loudness, limit: level) } catch { throw Failure("\(error)", code: 2) }
    }

    /// In thousands a second.
    private func bits() throws(Failure) -> Int? {
        try bitrate.map { text throws(Failure) in
            guard let rate = Int(text.lowercased().hasSuffix("k") ? text.dropLast() : text[...]) else { throw Failure("\"\(text)\" is no bit rate: write --bitrate 192k", code: 2) }
            return rate
        }
    }

    private func tags() throws(Failure) -> [FileLabels.Tag: String] {
        var tags: [FileLabels.Tag: String] = [:]
        for text in tag {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let tag = FileLabels.Tag(rawValue: parts[0].lowercased()) else {
                throw Failure("\"\(text)\" is no tag: write --tag title=Evening; there are \(FileLabels.Tag.allCases.map(\.rawValue).joined(separator: ", "))", code: 2)
            }
            tags[tag] = parts[1]
        }
        return tags
    }

    /// The markers in what is rendered.
    private func chapters(_ render: OfflineRender, _ format: OutputFormat, _ output: String) -> [FileLabels.Chapter] {
        if noChapters { return [] }
        let chapters = render.session.markers.map { FileLabels.Chapter(name: $0.name, frame: $0.at.frame(atRate: render.session.sampleRate) - render.frames.lowerBound) }
            .filter { (0..<Int64(render.frames.count)).contains($0.frame) }
        if chapters.count > format.maximumChapters, format.maximumChapters > 0 {
            note("jmix: \(output) holds \(format.maximumChapters) chapters: those behind are left out")
            return Array(chapters.prefix(format.maximumChapters))
        }
        if chapters.isEmpty || format.maximumChapters > 0 { return chapters }
        note("jmix: the \(chapters.count) markers are not in \(output): chapters are written to mp3, wav, m4a, flac, ogg, opus, mp4, mov, mkv")
        return []
    }

    /// What is seen beside the mix: up to `--to`, else to the end of the movie.
    private func picture(_ render: OfflineRender, _ format: OutputFormat, _ output: String) throws(Failure) -> MoviePicture? {
        guard let video else {
            if videoAt != nil || keepStreams { throw Failure("--video-at and --keep-streams belong to --video MOVIE", code: 2) }
            return nil
        }
        guard format.holdsMovies else { throw Failure("\(output) holds no moving picture: end its name in mp4, mov or mkv", code: 2) }
        let content: MediaContent
        do throws(AudioFileError) {
            guard Path.exists(video) else { throw AudioFileError(path: video, reason: "there is no such file", kind: .missing) }
            content = try MediaContent(of: video)
            guard content.picture != nil else { throw AudioFileError(path: video, reason: "there is no moving picture in it") }
        } catch {
            throw Failure("\(error)")
        }
        var offset = 0.0
        if let videoAt {
            let isBefore = videoAt.hasPrefix("-")
            let time = try Self.time(isBefore ? String(videoAt.dropFirst()) : videoAt, render.session)!
            offset = isBefore ? -time.seconds : time.seconds
        }
        let rate = Double(render.session.sampleRate)
        let begin = Double(render.frames.lowerBound) / rate - offset
        guard begin < content.duration ?? .infinity, begin + Double(render.frames.count) / rate > 0 else { throw Failure("\(video): nothing of it lies where the mix does: see --video-at, --from, --to") }
        return MoviePicture(
            video, from: begin, duration: to == nil ? nil : Double(render.frames.count) / rate, keepsOthers: keepStreams)
    }

    // MARK: - Rendering

    private func write(
        _ render: OfflineRender, _ path: String?, _ format: OutputFormat?, _ mastering: Mastering, _ labels: FileLabels, _ picture: MoviePicture?, _ stems: Stems?, _ signals: Signals
    ) throws -> OfflineRender.Result {
        let bar = ProgressBar(output ?? stems?.folder ?? "")
        defer { bar.clear() }
        do throws(OfflineRender.Failure) {
            return try render.write(to: path, format: format, mastering: mastering, labels: labels, picture: picture, stems: stems, isUnique: unique) { share in
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

    private func report(_ result: OfflineRender.Result, _ render: OfflineRender) {
        let length = MediaTime(frame: result.frames, rate: render.session.sampleRate)
        let (name, isPiped) = (output.map { $0 == "-" ? "standard output" : result.path }, output == "-")
        var lines: [String] = []
        if json {
            lines = [document(result, length).prettyText()]
        } else {
            if let name { lines.append("\(name): \(length), peak \(result.peak > 0 ? "\(rounded(Volume.level(gain: Double(result.peak)))) dB" : "silence")") }
            if let loudness = result.loudness { lines.append(sentence(loudness)) }
            if let stems { lines.append("\(stems): \(result.stems.count) \(result.stems.count == 1 ? "stem" : "stems") of \(length)") }
        }
        if let name, !result.unwrittenTags.isEmpty { note("jmix: \(name) holds no \(result.unwrittenTags.map(\.rawValue).sorted().joined(separator: ", ")): write flac, mp3 or ogg for it") }
        for line in lines { if isPiped { note(line) } else { print(line) } }
        if result.clippedSamples > 0 {
            note("jmix: \(result.clippedSamples) samples were above full level and were cut: lower the master fader, --limit, or render as float")
        }
    }

    private func document(_ result: OfflineRender.Result, _ length: MediaTime) -> JSONValue {
        var document: JSONObject = [
            "file": output.map { .string($0 == "-" ? "-" : result.path) } ?? .null, "frames": .number(result.frames), "seconds": .number(length.seconds), "peak": .number(Double(result.peak)),
            "clippedSamples": .number(result.clippedSamples),
        ]
        if stems != nil { document["stems"] = .array(result.stems.map { .string($0) }) }
        func level(_ value: Double) -> JSONValue { value.isFinite ? .number(value) : .null }
        document["loudness"] = result.loudness.map { loudness in
            .object([
                "before": level(loudness.before.integrated), "gain": .number(loudness.gain), "reached": level(loudness.reached), "truePeak": level(loudness.truePeak),
                "isReached": .bool(loudness.isReached),
            ])
        } ?? .null
        return .object(document)
    }

    /// What was done to the loudness.
    private func sentence(_ loudness: Mastering.Outcome) -> String {
        guard loudness.before.integrated.isFinite else { return "loudness: nothing to measure (silence, or less than 400 ms); no gain applied" }
        let why = loudness.isReached ? "" : limit == nil ? "; more would bring the true peak above \(rounded(LoudnessTarget.maximumTruePeak)) dBTP: --limit makes way for it" : "; the limiter leaves no more"
        let gain = loudness.gain == 0 ? "" : ", gain of \(loudness.gain < 0 ? "" : "+")\(rounded(loudness.gain)) dB applied"
        return "loudness: \(rounded(loudness.before.integrated)) LUFS\(gain), now \(rounded(loudness.reached)) LUFS, true peak \(rounded(loudness.truePeak)) dBTP\(why)"
    }

    static func time(_ text: String?, _ session: Session) throws(Failure) -> MediaTime? {
        guard let text else { return nil }
        do throws(TimeTextError) {
            return try TimeSpec(parsing: text).time(atRate: session.sampleRate)
        } catch {
            throw Failure("\(error)", code: 2)
        }
    }
}

/// A number with one decimal.
func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

/// One line on the terminal that shows how far it is; nothing in a pipe.
final class ProgressBar {
    private let name: String
    private let isTerminal = isatty(2) == 1
    private var shown = -1

    init(_ name: String) { self.name = name }

    func show(_ share: Double) {
        let percent = Int(share * 100)
        guard isTerminal, percent != shown else { return }
        shown = percent
        let full = percent * 40 / 100
        print("\r\u{1b}[K[\(String(repeating: "#", count: full))\(String(repeating: " ", count: 40 - full))] \(percent) % \(name)")
    }

    func clear() { if isTerminal, shown >= 0 { print("\r\u{1b}[K") } }

    private func print(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(2, bytes, bytes.count)
    }
}
