import ArgumentParser
import Console
import Engine
import Files
import Glibc
import Loop
import Timeline

struct Collect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collect",
        abstract: "Copy a session and all its files to a new folder, where it is whole by itself.")

    @Argument(help: "The session's file, or its folder.")
    var session: String

    @Argument(help: "The folder; it is made, and must not hold anything.")
    var folder: String

    func run() throws {
        let opened = try OpenedSession(
            session, unsaved: .said("jmixctl save makes them part of it"))
        let document = try opened.usable([.file], hint: "")
        let collector: Collector
        // Before the folder is made: from then on an interruption has something to remove.
        let signals = Signals(secondEnds: false)
        do throws(FileError) {
            collector = try Collector(
                document, from: opened.store.folder, to: folder,
                as: Path.name(of: opened.store.path ?? "session.json"))
        } catch {
            throw Failure("\(error)", code: signals.hasCome ? 130 : 1)
        }
        collector.begin()
        while case .running = collector.present {
            usleep(10_000)
            if signals.hasCome { collector.cancel() }
        }
        switch collector.present {
        case .done(let what): print(what)
        case .failed(let reason): throw Failure(reason, code: signals.hasCome ? 130 : 1)
        case .running, .none: break
        }
    }
}
