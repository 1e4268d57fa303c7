import ArgumentParser
import Files
import Layouts
import Loop
import Timeline

struct Layout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layout",
        abstract:
            """
            Write a tablet's layout for a session: faders, mutes, solos, pans, meters, processors, \
            transport, scenes.
            """,
        discussion:
            """
            Each strip has a page with its equaliser, gate, compressor and limiter. It subscribes by itself. \
            In the app, set the mixer's address and OSC port (7770); the mixer lets a tablet in with \
            --osc-bind 0.0.0.0, and only it with --osc-allow 192.168.1.20/32.
            """
    )

    enum App: String, CaseIterable, ExpressibleByArgument {
        case touchosc
        case openStageControl = "open-stage-control"

        /// What its files end in.
        var fileExtension: String { self == .touchosc ? "tosc" : "json" }
    }

    @Argument(help: "The app: touchosc (OUT.tosc) or open-stage-control (OUT.json).")
    var app: App

    @Argument(help: "The session's file, or its folder.")
    var session: String

    @Argument(help: "The file to write.")
    var output: String

    @Flag(help: "Replace the file if there is one.")
    var force = false

    func validate() throws {
        guard Path.fileExtension(of: output) == app.fileExtension else {
            throw ValidationError(
                """
                a layout for \(app.rawValue) ends in .\(app.fileExtension): jmix layout \(app.rawValue) \
                SESSION OUT.\(app.fileExtension), not \(output)
                """
            )
        }
    }

    func run() throws {
        let opened = try OpenedSession(session)
        let surface = Surface(try opened.usable([.missingFile, .file], hint: ""))
        if !force, Path.exists(output) { throw Failure("\(output) exists already: --force replaces it") }
        if opened.sources().hold(output) {
            throw Failure("\(output) is part of the session: choose another name")
        }
        do throws(FileError) {
            switch app {
            case .touchosc: try AtomicFile.write(TouchOSC.file(surface), to: output)
            case .openStageControl: try AtomicFile.write(OpenStageControl.text(surface), to: output)
            }
        } catch {
            throw Failure("\(error)")
        }
        print("\(output): \(surface.strips.count) strips and the master")
    }
}
