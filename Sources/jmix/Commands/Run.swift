import ArgumentParser
import Console
import Dialects
import Engine
import Files
import Glibc
import JackDriver
import Logging
import Loop
import MixerControl
import OSC
import Realtime
import Remote
import Timeline
import Web

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Play a session through JACK and listen for OSC, until Ctrl-C.")

    @Argument(help: "The session's file, or its folder; none for a new session.")
    var session: String?

    @Option(name: .customLong("new"), help: "Make a new session of that name first.")
    var new: String?

    @Option(help: "The name of the JACK client.")
    var name = "jmix"

    @Option(help: "The JACK server to join; $JACK_DEFAULT_SERVER or \"default\" unless told.")
    var server: String?

    @Flag(help: "Start a private JACK server that needs no sound card, and end it again.")
    var dummy = false

    @Flag(help: "Join the JACK server if one is running, else do as with --dummy.")
    var orDummy = false

    @Flag(help: "Wait until there is a JACK server, instead of giving up.")
    var waitForServer = false

    @Option(help: "Frames per period of the private server (default: 1024).")
    var period: Int?

    @Option(help: "The port for OSC, UDP and TCP; 0 for a free one.")
    var oscPort: UInt16 = 7770

    @Option(help: "The address to listen on for OSC.")
    var oscBind = "127.0.0.1"

    @Option(
        help:
            "Who may talk OSC, as 192.168.1.0/24; can be given again. All who reach the address unless told.")
    var oscAllow: [String] = []

    @Option(help: "A folder from which commands may name files, beside the session's; can be given again.")
    var media: [String] = []

    @OptionGroup var web: WebArguments

    @OptionGroup var desks: DeskArguments

    @OptionGroup var unsaved: UnsavedOptions

    @Flag(help: "Play at once.")
    var play = false

    @Flag(help: "Loop the whole session.")
    var loop = false

    @Flag(help: "Stop where the last clip ends.")
    var stopAtEnd = false

    @Flag(help: "Show the session's movie with mpv, which follows the mixer within a frame.")
    var videoSync = false

    @Option(help: "Who leads: internal, or jack to follow the transport that the server's clients share.")
    var transport = TransportSource.internal

    @Option(help: "Ports for each track and bus, where the session does not say: off, or pre or post fader.")
    var directOuts = DirectOutMode.off

    @Flag(help: "Leave the ports unconnected, but for what --connect says.")
    var noConnect = false

    @Option(
        help: "Connect a port of the mixer to another, as master_1=system:playback_3; can be given again.")
    var connect: [String] = []

    func validate() throws {
        for pair in connect where connection(pair) == nil {
            throw ValidationError(
                "--connect takes PORT=OTHER, as master_1=system:playback_3, not \"\(pair)\"")
        }
        for range in oscAllow where NetworkRange(range) == nil {
            throw ValidationError("--osc-allow takes NET/BITS, as 192.168.1.0/24, not \"\(range)\"")
        }
        if let new, session != nil {
            throw ValidationError("--new \(new) makes a session: leave out \(session!)")
        }
        if dummy, server != nil {
            throw ValidationError("--dummy starts a server of its own: leave out --server")
        }
        guard (16...8192).contains(period ?? Self.standardPeriod) else {
            throw ValidationError("--period goes from 16 to 8192 frames")
        }
    }

    private static let standardPeriod = 1024

    func run() throws {
        // First, for threads that are there already would end the program with a signal.
        let signals = Signals()
        TerminalOutput.shared.form = .ofLog
        sayIdle()
        if videoSync { try VideoFollower.check() }
        LoggingSystem.bootstrap { TerminalLog($0) }
        let manager = session == nil && new == nil ? SessionManager() : nil
        guard let project = manager.map({ $0.firstProject { signals.hasCome } }) else {
            return try start(
                signals, OpenedSession(try new.map(New.make) ?? session, isLive: true), as: name, manager: nil
            )
        }
        if let manager, let project { try start(project, of: manager, signals) }
    }

    /// What a session manager has asked for is told it, where it cannot be opened.
    private func start(
        _ project: SessionManager.Project, of manager: SessionManager, _ signals: Signals
    ) throws {
        do {
            do throws(CommandError) { try SessionManager.create(project) } catch { throw Failure("\(error)") }
            try start(
                signals, OpenedSession(project.store.path, isLive: true), as: project.clientName,
                manager: manager)
        } catch let error as Failure {
            manager.refuseOpen(error.message)
            throw error
        }
    }

    /// Opens, plays and listens until it is told to end.
    /// - Parameter manager: says which session is open.
    private func start(
        _ signals: Signals, _ first: OpenedSession, as name: String, manager: SessionManager?
    ) throws {
        let tolerated: Set<SessionProblem.Kind> = [.missingFile, .file]
        try first.check(tolerated)
        let shared = transport == .jack ? SharedTransport() : nil
        let settings = settings(name, shared)
        let rate = first.session?.sampleRate ?? Session().sampleRate
        guard let link = try link(settings, sessionRate: rate, signals) else { return }
        let console: Console
        do {
            let locked = try LockedSession(first, JournalLock.waited(for: first.store), tolerated)
            console = try newConsole(locked, link, shared)
        } catch {
            link.close()
            throw error
        }
        try serve(console, link, signals, as: name, manager)
    }

    private func serve(
        _ console: Console, _ link: ServerLink, _ signals: Signals, as name: String,
        _ manager: SessionManager?
    ) throws {
        console.isManaged = manager != nil
        try link.activate(console)
        let servers: Servers
        do throws(OSCNetworkError) { servers = try newServers(isManaged: manager != nil) } catch {
            link.close()
            try console.closeJournalKeeping()
            throw Self.failure(error)
        }
        try listen(servers, console, link, signals, as: name, manager: manager)
    }

    /// What others reach the mixer by.
    private struct Servers {
        let osc: OSCServer
        let desks: [(model: DeskModel, server: OSCServer)]
        let web: WebServer?
    }

    private func newServers(isManaged: Bool) throws(OSCNetworkError) -> Servers {
        let osc = try oscServer(isManaged: isManaged)
        var deskServers: [(model: DeskModel, server: OSCServer)] = []
        for (model, port) in desks.ports { deskServers.append((model, try deskServer(port))) }
        let webServer = if let options = web.options { try WebServer(options) } else { WebServer?.none }
        return Servers(osc: osc, desks: deskServers, web: webServer)
    }

    private static func failure(_ error: OSCNetworkError) -> Failure {
        let hint = """
            : is another jmix running? Choose another port with --osc-port, --x32, --xair or --web, or 0 \
            for a free one
            """
        return Failure("\(error)\(error.isTaken ? hint : "")")
    }

    /// Says where the mixer is found, and carries out what comes until it is told to end.
    private func listen(
        _ servers: Servers, _ console: Console, _ link: ServerLink, _ signals: Signals, as name: String,
        manager: SessionManager?
    ) throws {
        let (osc, webServer) = (servers.osc, servers.web)
        let host = osc.isLocal || oscBind == "0.0.0.0" ? "127.0.0.1" : oscBind
        console.address = "\(OSCURL(transport: .tcp, host: host, port: osc.port))"
        let place = sayPlace(console, link, osc, webServer, manager)
        sayDesks(servers.desks)
        let announcer = webServer.flatMap { newAnnouncer($0, osc) }
        defer { announcer?.close() }
        if play { console.transport.play() }
        manager?.opened(console)
        ReadyNotice.ready(place)
        manager?.manage(console) { name throws(Failure) in try link.rename(to: name, console) }
        let lines: [any OSCLine] = [osc] + (webServer.map { [$0] } ?? [])
        let webEdge = webServer.map { WebEdge($0, console, name: name, oscPort: osc.port) }
        defer { webServer?.close() }
        let loop = MixerLoop(console, link, OSCEdge(lines, console, link), signals)
        loop.web = webEdge
        loop.desks = servers.desks.map { DeskEdge($0, $1, console, name: name) }
        loop.manager = manager
        loop.follower = videoSync ? VideoFollower(console) : nil
        try loop.run()
    }

    private func settings(_ name: String, _ shared: SharedTransport?) -> ServerLink.Settings {
        var settings = ServerLink.Settings(name: name, period: period ?? Self.standardPeriod)
        (settings.server, settings.connections) = (server, connect.compactMap(connection))
        settings.kind = dummy ? .own : (orDummy ? .runningOrOwn : .running)
        settings.connects = !noConnect && connect.isEmpty
        (settings.sharedTransport, settings.directOuts) = (shared, directOuts)
        return settings
    }

    /// The console of a session as it was decided to go on with it, and an engine that plays it.
    private func newConsole(
        _ locked: LockedSession, _ link: ServerLink, _ shared: SharedTransport?
    ) throws -> Console {
        let (opened, saved, access) = (locked.opened, locked.saved, MediaAccess(folders: media))
        let decided = try unsaved.decide(locked.journal, opened.store, saved: saved)
        if decided != saved {
            for problem in SessionCheck.problems(decided, library: opened.library) {
                inform("jmix: \(problem); it is left silent")
            }
        }
        let session = relinked(decided, opened, access)
        let engine = PlaybackEngine(sampleRate: link.sampleRate)
        return engine.together {
            let document = Document(session, saved: saved, in: opened.store, locked.journal)
            let console = Console(
                document, library: opened.library, media: access, engine: engine, transport: shared)
            if loop { console.loopWhole() }
            console.stopsAtEnd = stopAtEnd
            return console
        }
    }

    /// Of several mixers in one managed session each but the first needs a port of its own.
    private func oscServer(isManaged: Bool) throws(OSCNetworkError) -> OSCServer {
        let allowed = oscAllow.compactMap(NetworkRange.init)
        if isManaged, let first = try? OSCServer(address: oscBind, port: oscPort, allowed: allowed) {
            return first
        }
        return try OSCServer(address: oscBind, port: isManaged ? 0 : oscPort, allowed: allowed)
    }

    /// Where remotes of other desks speak to.
    private func deskServer(_ port: UInt16) throws(OSCNetworkError) -> OSCServer {
        try OSCServer(
            address: oscBind, port: port, allowed: oscAllow.compactMap(NetworkRange.init),
            isDesk: true)
    }

    /// Tells the network where the mixer is, if others can reach it, or if that is asked.
    private func newAnnouncer(_ server: WebServer, _ osc: OSCServer) -> Announcer? {
        guard !server.isLocal || web.announce else { return nil }
        // What others cannot reach is not told to them.
        let ownPort = osc.isLocal && !server.isLocal ? [] : [Announcer.Service("_osc._udp", port: osc.port)]
        let announcer = Announcer(
            name,
            [.init("_http._tcp", port: server.port), .init("_oscjson._tcp", port: server.port)] + ownPort)
        if announcer?.hasDaemon != true {
            inform(
                """
                jmix: there is no Avahi here, so nobody finds the mixer by its name; its address works all \
                the same
                """
            )
        }
        return announcer
    }

    /// The mixer's place on a server, waited for if that is asked; nil where it is told to end meanwhile.
    private func link(
        _ settings: ServerLink.Settings, sessionRate: Int32, _ signals: Signals
    ) throws(Failure) -> ServerLink? {
        var notice = WaitNotice()
        while !signals.hasCome {
            do throws(Failure) { return try ServerLink(settings, sessionRate: sessionRate) } catch {
                guard waitForServer, error.code == 3 else { throw error }
                if let minutes = notice.due() {
                    // PipeWire's libjack is another, which is found in time or not at all.
                    let hint =
                        minutes > 0
                        ? ", for \(minutes) min by now"
                        : "; a desktop of PipeWire's wants pw-jack jmix run ..."
                    inform("jmix: waiting for \(settings.serverWords)\(hint)")
                }
            }
            usleep(250_000)
        }
        return nil
    }

    /// Asks for each missing file whether one of its name is meant. Without a terminal it is only said:
    /// another file is never taken silently.
    private func relinked(_ session: Session, _ opened: OpenedSession, _ access: MediaAccess) -> Session {
        var session = session
        for file in missingFiles(session, opened.library) {
            guard let found = access.candidates(for: file, from: opened.store.folder).first else { continue }
            if isatty(0) == 1, isatty(2) == 1 {
                inform("jmix: \(file) is missing; \(found) has its name. Use it? [y/N]")
                if (readLine() ?? "n").lowercased().hasPrefix("y"),
                    let name = try? access.name(of: found, from: opened.store.folder)
                {
                    _ = session.relink(file, to: name)
                }
            } else {
                inform("jmix: \(file) is missing; \(found) has its name: jmixctl relink \(file) \(found)")
            }
        }
        return session
    }

    private func connection(_ pair: String) -> Connection? {
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? Connection(port: parts[0], other: parts[1]) : nil
    }
}

extension DirectOutMode: ExpressibleByArgument {}
