import ArgumentParser
import AudioFile
import Engine
import Files
import Glibc
import Loop
import Timeline

struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Mix a session to a file, without JACK.",
        discussion:
            """
            The file's extension says the format: wav (RF64 beyond 4 GiB), w64, rf64, caf, aiff (2 GiB at \
            most), flac, ogg, opus, mp3, and by ffmpeg m4a, mp4, mov, mkv. Exit codes: 0 done, 1 refused, 2 \
            usage, 4 written, but not as loud as it was to be.
            """)

    @Argument(help: "The session's file, or its folder.")
    var session: String

    @Argument(help: "The file to write; - is standard output. With --stems it may be left out.")
    var output: String?

    @Option(help: "Where to begin, as in 2s or 1:30.")
    var from: String?

    @Option(help: "Where to end; the end of the last clip unless told.")
    var to: String?

    @Option(
        help: ArgumentHelp(
            """
            The track or bus that is written in place of the mix, by its name or a track's number: as it \
            leaves its strip.
            """,
            valueName: "strip"))
    var of: String?

    @Option(
        help:
            """
            A folder that gets a file for each strip that goes to the master, as it enters it: together they \
            add up to what the master gets.
            """
    )
    var stems: String?

    @Option(
        help:
            """
            A movie whose picture goes beside the mix, its packets as they are: into mp4, mov, mkv. Its time \
            0 is the session's. The session's own unless told.
            """
    )
    var video: String?

    @Flag(help: "No picture beside the mix, though the session has a movie.")
    var noVideo = false

    @Option(
        parsing: .unconditional,
        help: "Where the movie's time 0 lies on the session's timeline, as 2s; before it with a minus.")
    var videoAt: String?

    @Flag(help: "The movie's own sounds and subtitles go along.")
    var keepStreams = false

    @Flag(help: "Write no chapters: else a file that can hold them has the session's markers as chapters.")
    var noChapters = false

    @Flag(help: "Leave out missing files, and what inputs heard that was not recorded, instead of refusing.")
    var allowMissing = false

    @Flag(
        help:
            """
            Takes where they were heard live: else they lie where the sound was played to that they came in \
            with, by the latency of the ports earlier.
            """
    )
    var asAired = false

    @Flag(help: "The session as a mixer has it that runs, with all that is not saved.")
    var live = false

    @Option(
        help: ArgumentHelp(
            """
            Only this part of it, as 3/8 for the third of eight, to be put together by jmix join: floats in \
            a WAV.
            """,
            valueName: "k/n"))
    var part: Part?

    @Option(help: "How many slices of it are mixed at once: as many as there are cores unless told.")
    var jobs: Int?

    @OptionGroup var options: OutputOptions

    /// Seconds before a part that are mixed at the least so that what remembers finds its way into it: an
    /// equaliser has forgotten by then.
    private static let partLead = 10.0

    /// So many seconds before a part of a session are mixed first; infinity for all that is before it.
    static func leadIn(_ session: Session) -> Double {
        max(partLead, session.memory ?? .infinity).rounded(.up)
    }

    func run() throws {
        try checkOptions()
        let opened = try OpenedSession(session, unsaved: live ? .taken : .said("--live takes them"))
        let (mix, library, recalls) = try mixed(opened)
        let strip = try of.map { name throws(Failure) in try Self.strip(name, mix) } ?? .master
        let stems = try newStems()
        try checkNames(opened, mix, stems)
        var (render, label) = try rendered(mix, library)
        (render.jobs, render.strip, render.recalls) = (jobs ?? render.jobs, strip, recalls)
        let frames = render.frames
        if !allowMissing { try Self.checkInputs(mix, frames, library) }
        let rendering = Rendering(
            render: render, output: output, options: options, stems: stems,
            picture: { format in try picture(mix, opened.library, frames, format) },
            hasChapters: !noChapters && part == nil, comment: label?.description)
        try rendering.run()
    }

    private func newStems() throws(Failure) -> Stems? {
        guard let stems else { return nil }
        return Stems(
            in: stems, kind: output == nil ? options.kind ?? "wav" : "wav",
            samples: output == nil ? try options.samples() : nil, replaces: options.force)
    }

    /// The session that is mixed, its files, and what its strips remembered where it was recorded.
    private func mixed(_ opened: OpenedSession) throws -> (Session, MediaLibrary, [ShowRecall]) {
        let mix = try opened.usable(
            allowMissing ? [.missingFile] : [],
            hint: "\nnothing was rendered: --allow-missing leaves missing files out")
        if !asAired { return (mix, opened.library, []) }
        let aired = AiredSession(mix, library: opened.library)
        tell(
            aired.missing.map { file, frames in
                """
                \(file) does not hold what came in before its first frame: \(frames) frames that were heard \
                live are silent
                """
            })
        tell(
            Set(aired.forgetful.map(\.text)).sorted().map {
                "\($0) holds nothing of what processors remembered, or has been moved: they begin anew there"
            })
        tell([
            """
            faders stand where the session has them, and move where hands wrote: what else hands moved is \
            not replayed
            """
        ])
        return (aired.session, aired.library, aired.recalls)
    }

    private func tell(_ notes: [String]) {
        for text in notes.prefix(10) { inform("jmix: \(text)") }
        if notes.count > 10 { inform("jmix: the same of \(notes.count - 10) more files") }
    }

    private func checkOptions() throws(Failure) {
        if output == nil, stems == nil {
            throw Failure("say what to write: jmix render SESSION OUT.wav, or --stems FOLDER", code: 2)
        }
        if let jobs, !(1...1024).contains(jobs) { throw Failure("--jobs \(jobs): from 1 to 1024", code: 2) }
        try Rendering.check(output, options)
        if part != nil { try checkPart() }
        if of != nil, stems != nil {
            throw Failure("--of writes one strip, --stems one file for each: one of them", code: 2)
        }
    }

    /// The mix has no stem's name, and nothing that it is made of is replaced by it.
    private func checkNames(_ opened: OpenedSession, _ mix: Session, _ stems: Stems?) throws(Failure) {
        let stems = stems?.files(of: mix).map(\.path) ?? []
        if let output, output != "-",
            let stem = stems.first(where: { Path.isSameName($0, output) })
        {
            throw Failure(
                """
                \(stem) is the mix's name and a stem's: choose another name for the mix, or another folder \
                for stems
                """
            )
        }
        guard options.force else { return }
        let sources = opened.sources(movie: video, cover: options.cover)
        for path in (output.map { [$0] } ?? []) + stems where sources.hold(path) {
            throw Failure("\(path) is part of what is rendered: choose another name")
        }
    }

    private func whole(
        _ mix: Session, _ library: MediaLibrary, from start: MediaTime?
    ) throws(Failure) -> OfflineRender {
        let end = try Self.time(to, mix)
        if let end, end <= start ?? .zero {
            throw Failure("--to \(end.readable) is not after --from \((start ?? .zero).readable)")
        }
        let whole = OfflineRender(mix, library: library, from: start, to: end)
        if !whole.frames.isEmpty { return whole }
        let place = start.map { " after \($0)" } ?? ""
        throw Failure("there is nothing to render: the session has no clips\(place)")
    }

    /// What is mixed, and what a part of it is called.
    private func rendered(
        _ mix: Session, _ library: MediaLibrary
    ) throws(Failure) -> (OfflineRender, PartLabel?) {
        let start = try Self.time(from, mix)
        let whole = try whole(mix, library, from: start)
        if part == nil, !asAired, mix.remembers, whole.frames.lowerBound > 0 {
            inform(
                """
                jmix: processors begin at \((start ?? .zero).readable), as they do where playing begins \
                there: nothing of what lies before is remembered
                """
            )
        }
        guard let part else { return (whole, nil) }
        let label = PartLabel(part, of: whole)
        guard !label.frames.isEmpty else {
            throw Failure("part \(part) of \(whole.frames.count) frames holds none: take fewer parts")
        }
        var render = OfflineRender(mix, library: library, frames: label.frames)
        if mix.remembers { Self.lead(into: &render, label, mix) }
        return (render, label)
    }

    /// Has what lies before a part mixed too, as far as processors remember it.
    private static func lead(into render: inout OfflineRender, _ label: PartLabel, _ mix: Session) {
        let lead = leadIn(mix)
        render.leadIn = Int64(min(lead * Double(mix.sampleRate), Double(max(0, label.frames.lowerBound))))
        let what =
            lead.isFinite ? "the \(Int(lead)) s before the part are" : "all that is before the part is"
        inform("jmix: processors remember what they heard: \(what) mixed too, and not written")
    }

    private var optionsOfWhole: [(name: String, isGiven: Bool)] {
        [
            ("--stems", stems != nil), ("--of", of != nil), ("--video", video != nil),
            ("--loudness", options.loudness != nil), ("--limit", options.limit != nil),
            ("--format", options.format != nil),
            ("--tag", !options.tag.isEmpty), ("--cover", options.cover != nil),
            ("--bitrate", options.bitrate != nil), ("--quality", options.quality != nil),
        ]
    }

    /// What is done to a mix as a whole is done by who puts it together.
    private func checkPart() throws(Failure) {
        guard let output else {
            throw Failure("--part goes to one file: --stems has files of its own", code: 2)
        }
        if let wrong = optionsOfWhole.first(where: { $0.isGiven }) {
            throw Failure("\(wrong.name) is for the whole: give it to jmix join, not to a part", code: 2)
        }
        guard options.kind ?? (output == "-" ? "wav" : Path.fileExtension(of: output)) == "wav" else {
            throw Failure(
                """
                \(output): a part is a WAV of floats: end its name in .wav, and have jmix join write \
                \(Path.fileExtension(of: output))
                """,
                code: 2)
        }
    }

    /// What was live and is not recorded cannot be rendered again.
    private static func checkInputs(
        _ mix: Session, _ frames: Range<Int64>, _ library: MediaLibrary
    ) throws(Failure) {
        let bare = mix.uncoveredInputs(frames, ruler: library.ruler(atRate: mix.sampleRate))
        if bare.isEmpty { return }
        let names = bare.map { "\"\($0.name)\"" }.joined(separator: ", ")
        throw Failure(
            """
            what \(names) heard live is not recorded for all of that time: nothing was rendered; --from and \
            --to name what is, --allow-missing leaves the rest out
            """
        )
    }

    // MARK: - What was asked for

    /// What is seen beside the mix: up to `--to`, else to the end of the movie.
    private func picture(
        _ mix: Session, _ library: MediaLibrary, _ frames: Range<Int64>, _ format: OutputFormat
    ) throws(Failure) -> MoviePicture? {
        if noVideo, video != nil { throw Failure("--video or --no-video: one of them", code: 2) }
        let own = noVideo || !format.holdsMovies ? nil : mix.video
        guard let video = video ?? own.map({ Path.join(library.folder, $0.file.text) }) else {
            if videoAt != nil || keepStreams {
                throw Failure(
                    "--video-at and --keep-streams belong to --video MOVIE, or to a session that has a video",
                    code: 2)
            }
            return nil
        }
        guard format.holdsMovies else {
            throw Failure("\(output ?? "") holds no moving picture: end its name in mp4, mov or mkv", code: 2)
        }
        let isOwn = self.video == nil
        guard let content = try content(ofMovie: video, isOwn: isOwn) else { return nil }
        let offset = try offset(of: isOwn ? own : nil, mix)
        let rate = Double(mix.sampleRate)
        let begin = Double(frames.lowerBound) / rate - offset
        guard begin < content.duration ?? .infinity, begin + Double(frames.count) / rate > 0 else {
            throw Failure(
                """
                \(video): nothing of it lies where the mix does: see --video-at, --from, \
                --to\(isOwn ? ", or leave it out by --no-video" : "")
                """
            )
        }
        return MoviePicture(
            video, from: begin, duration: to == nil ? nil : Double(frames.count) / rate,
            keepsOthers: keepStreams)
    }

    /// How much later than the timeline a movie begins, in seconds.
    private func offset(of own: Video?, _ mix: Session) throws(Failure) -> Double {
        guard let videoAt else { return own?.offset ?? 0 }
        let isBefore = videoAt.hasPrefix("-")
        let time = try Self.time(isBefore ? String(videoAt.dropFirst()) : videoAt, mix)!
        return isBefore ? -time.seconds : time.seconds
    }

    /// - Parameter isOwn: it is the session's.
    /// - Returns: nil: it is not there, and need not be.
    private func content(ofMovie video: String, isOwn: Bool) throws(Failure) -> MediaContent? {
        if !Path.exists(video) {
            guard isOwn, allowMissing else {
                throw Failure(
                    """
                    \(video): there is no such \
                    file\(isOwn ? ": it is the session's video, which --no-video leaves out" : "")
                    """
                )
            }
            inform("jmix: \(video): there is no such file: the mix has no picture")
            return nil
        }
        do throws(AudioFileError) {
            let content = try MediaContent(of: video)
            guard content.picture != nil else {
                throw AudioFileError(path: video, reason: "there is no moving picture in it")
            }
            return content
        } catch {
            throw Failure("\(error)")
        }
    }

    /// What a strip is called, or the number of a track.
    static func strip(_ name: String, _ session: Session, option: String = "--of") throws(Failure) -> StripID
    {
        if let (place, strip) = zip(session.places, session.strips).first(where: { $1.name == name }) {
            if place.kind == .dca { throw Failure("\(option) \(name): a DCA has no sound of its own") }
            return strip.id
        }
        if let number = Int(name), session.tracks.indices.contains(number - 1) {
            return session.tracks[number - 1].id
        }
        throw Failure(
            """
            \(option) \(name): the session has no track and no bus of that name, and no track of that \
            number: jmix inspect shows them
            """
        )
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
