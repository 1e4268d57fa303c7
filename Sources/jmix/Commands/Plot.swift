import ArgumentParser
import Files
import Plotting
import MixerControl
import Timeline

struct Plot: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plot", abstract: "Draw a session: clips with waveforms, automation, and the volume as it is played.",
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

    @Flag(help: "Show the volume with the fader in it; else it is what stands on the timeline alone.")
    var withFaders = false

    @Flag(help: "Replace the file if there is one.")
    var force = false

    func run() throws {
        guard let format = PictureFormat(path: output) else {
            throw Failure("no format is known for \(output): end its name in one of \(PictureFormat.allCases.map(\.rawValue).joined(separator: ", "))", code: 2)
        }
        guard (400...20000).contains(width) else { throw Failure("--width goes from 400 to 20000 pixels", code: 2) }
        let opened = try OpenedSession(session)
        let document = try opened.usable([.missingFile, .file], hint: "")
        if !force, Path.exists(output) { throw Failure("\(output) exists already: --force replaces it") }
        let start = try Render.time(from, document) ?? .zero
        let end = try Render.time(to, document) ?? document.tracks.map { $0.end(ruler: opened.library.ruler(atRate: document.sampleRate)) }.max() ?? .zero
        if from != nil || to != nil, end <= start { throw Failure("there is nothing to draw from \(start) to \(end)") }
        let range = from == nil && to == nil ? nil : TimeRange(start: start, end: end)
        do throws(FileError) {
            try SessionPlot(document, library: opened.library, range: range, theme: theme, width: width, showsFaders: withFaders).write(to: output, format)
        } catch {
            throw Failure("\(error)")
        }
        print("\(output): \(document.tracks.count) tracks")
    }
}

extension SessionPlot.Theme: ExpressibleByArgument {}
