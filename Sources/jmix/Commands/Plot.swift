import ArgumentParser
import AudioFile
import Engine
import Files
import Loop
import Plotting
import Timeline

struct Plot: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot",
        abstract:
            """
            Draw a session: clips with waveforms, automation, and the volume as it is played; or an \
            equaliser's curve.
            """,
        discussion: "The file's extension says the format: svg, png, pdf.")

    @Argument(help: "The session's file, or its folder.")
    var session: String

    @Argument(help: "The picture to write.")
    var output: String

    @Option(help: "light or dark.")
    var theme: SessionPlot.Theme = .light

    @Option(help: "The picture's width in pixels, 400 to 20000.")
    var width = 1600

    @Option(help: "Where to begin, as in 2s or 1:30.")
    var from: String?

    @Option(help: "Where to end; the end of the last clip unless told.")
    var to: String?

    @Option(help: ArgumentHelp("Draw the equaliser's curve of this strip instead.", valueName: "strip"))
    var eq: String?

    @Flag(help: "Show the volume with the fader in it; else it is what stands on the timeline alone.")
    var withFaders = false

    @Flag(help: "Replace the file if there is one.")
    var force = false

    func run() throws {
        let format = try checkedFormat()
        let opened = try OpenedSession(session, unsaved: .said("jmixctl save makes them part of it"))
        let document = try opened.usable([.missingFile, .file], hint: "")
        if !force, Path.exists(output) { throw Failure("\(output) exists already: --force replaces it") }
        if opened.sources().hold(output) {
            throw Failure("\(output) is part of the session: choose another name")
        }
        if let eq { return try plotEqualiser(of: eq, document, format) }
        try plotVolumes(document, opened.library, format)
    }

    /// Refuses options that do not go together, and gives the picture's format.
    private func checkedFormat() throws(Failure) -> PictureFormat {
        guard let format = PictureFormat(path: output) else {
            throw Failure(
                """
                no format is known for \(output): end its name in one of \
                \(PictureFormat.allCases.map(\.rawValue).joined(separator: ", "))
                """,
                code: 2)
        }
        if eq != nil, from != nil || to != nil || withFaders {
            throw Failure(
                """
                --eq draws a curve over frequencies, which knows no --from, --to and --with-faders: leave \
                them out
                """,
                code: 2)
        }
        guard (400...20000).contains(width) else {
            throw Failure("--width goes from 400 to 20000 pixels", code: 2)
        }
        return format
    }
}

extension Plot {
    private func plotVolumes(
        _ document: Session, _ library: MediaLibrary, _ format: PictureFormat
    ) throws {
        var plot = SessionPlot(
            document, library: library, range: try range(document, library), theme: theme, width: width,
            showsFaders: withFaders)
        addDucks(to: &plot, document, library)
        do throws(FileError) { try plot.write(to: output, format) } catch { throw Failure("\(error)") }
        print("\(output): \(document.tracks.count) tracks")
    }

    /// What is to be drawn; nil: all there is.
    private func range(_ document: Session, _ library: MediaLibrary) throws -> TimeRange? {
        if from == nil, to == nil { return nil }
        let start = try Render.time(from, document) ?? .zero
        let end =
            try Render.time(to, document) ?? document.tracks.map {
                $0.end(ruler: library.ruler(atRate: document.sampleRate))
            }.max() ?? .zero
        if end <= start { throw Failure("there is nothing to draw from \(start) to \(end)") }
        return TimeRange(start: start, end: end)
    }

    private func addDucks(to plot: inout SessionPlot, _ document: Session, _ library: MediaLibrary) {
        do throws(AudioFileError) {
            let lead = Int64(
                min(Render.leadIn(document) * Double(document.sampleRate), Double(plot.places.first ?? 0)))
            plot.ducks = try SignalDuckGains(document, library: library, at: plot.places, leadIn: lead)
        } catch {
            inform("jmix: ducks by signal are not drawn: \(error)")
        }
    }

    private func plotEqualiser(of name: String, _ session: Session, _ format: PictureFormat) throws {
        let id = try Render.strip(name, session, option: "--eq")
        guard let strip = session.strips.first(where: { $0.id == id }), let equaliser = strip.equaliser else {
            throw Failure("\(name) has no equaliser: jmixctl eq \(name) 1 100 -3 gives it one")
        }
        let plot = EqualiserPlot(
            equaliser, of: strip.name, sampleRate: session.sampleRate, theme: theme, width: width)
        do throws(FileError) { try plot.write(to: output, format) } catch { throw Failure("\(error)") }
        print("\(output): the equaliser of \(strip.name)")
    }
}

extension SessionPlot.Theme: ExpressibleByArgument {}
