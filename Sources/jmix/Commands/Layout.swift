import ArgumentParser
import Files
import Layouts
import MixerControl
import Timeline

struct Layout: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a tablet's layout for a session: faders, mutes, solos, pans, meters, transport.",
        discussion: "It subscribes by itself. In the app, set the mixer's address and OSC port (7770).")

    enum App: String, CaseIterable, ExpressibleByArgument {
        case touchosc
        case openStageControl = "open-stage-control"
    }

    @Argument(help: "The app: touchosc (OUT.tosc) or open-stage-control (OUT.json).")
    var app: App

    @Argument(help: "The file to write.")
    var output: String

    @Argument(help: "The session's file, or its folder; session.json here unless told.")
    var session = "session.json"

    @Flag(help: "Replace the file if there is one.")
    var force = false

    func run() throws {
        let opened = try OpenedSession(session)
        let surface = Surface(try opened.usable([.missingFile, .file], hint: ""))
        if !force, Path.exists(output) { throw Failure("\(output) exists already: --force replaces it") }
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
