import Console
import Engine
import Glibc
import JackDriver
import Logging
import Loop
import Realtime
import Remote
import Timeline

/// The mixer's place on a JACK server: takes it, notices when the server goes, and takes it again when it is
/// back.
package final class ServerLink: EventSource, MixerServer {
    package struct Settings {
        /// The server that is asked for, in words.
        package var serverWords: String {
            "a JACK server (\(serverName))"
        }

        /// What it is called, as libjack finds it.
        var serverName: String {
            server ?? getenv("JACK_DEFAULT_SERVER").map { String(cString: $0) } ?? "default"
        }

        var name: String
        let period: Int
        package var server: String?
        package var kind = ServerKind.running
        package var connects = true
        /// What to connect beside, or in place of, the playback ports.
        package var connections: [Connection] = []
        /// The server's transport leads.
        package var sharedTransport: SharedTransport?
        package var directOuts = DirectOutMode.off

        package init(name: String, period: Int) { (self.name, self.period) = (name, period) }
    }

    /// Whose server it plays on.
    package enum ServerKind: Sendable {
        case running
        /// Started by the mixer, for itself alone.
        case own
        case runningOrOwn
    }

    var settings: Settings
    /// The client of a server that is gone, on its way out.
    private var closing: ClosingClient?
    private let sessionRate: Int32
    private var privateServer: PrivateServer?
    var client: JackClient?
    let log = Logger(label: "jmix")
    private var retryAt: UInt64 = 0
    var lookAt: UInt64 = 0
    private var turnedAt: UInt64 = 0
    private var lostXruns = 0
    private var waitNotice = WaitNotice()
    /// What the ports were last connected to: what is made again on a server that has come back.
    var made: Set<Connection> = []
    /// When connections that cannot be made are said: once.
    private var sayMissingAt = UInt64.max
    /// Connections whose other end is not there yet.
    var missing: Set<Connection> = []
    var portsRefused = 0
    /// For which opening of a session it was looked last whether others connect the monitor.
    var monitorOpenings = 0
    private var saysPriority = true
    /// Whose mix it plays, from when it is active.
    weak var console: Console?
    /// The server has something new to say: it is looked at in the same turn.
    private let news: Mailbox<Void>
    private let heard: Heard

    /// Something has come, also a port that may be waited for.
    private final class Heard { var isNew = false }

    /// Rings when MIDI has come in.
    let midi = MIDIBell()

    /// The ports of the session's strips.
    var strips = StripPorts()

    /// - Throws: `Failure`: no server, name taken, jackd not installed.
    package init(_ settings: Settings, sessionRate: Int32) throws(Failure) {
        let heard = Heard()
        (self.heard, news) = (heard, Mailbox { _ in heard.isNew = true })
        self.settings = settings
        self.sessionRate = sessionRate
        do throws(JackError) {
            try open()
        } catch {
            privateServer?.stop()
            if case .noServer = error { throw Failure("\(error)", code: 3) }
            throw Failure("\(error)")
        }
        sayRate()
    }

    package var sampleRate: Int32 { client?.sampleRate ?? sessionRate }
    package var clientName: String { client?.name ?? settings.name }
    package var serverName: String {
        client?.serverName ?? privateServer?.name ?? settings.serverName
    }

    private func open() throws(JackError) {
        do throws(JackError) {
            if settings.kind != .own {
                client = try JackClient(
                    name: settings.name, server: settings.server, arrival: midi.arrival, onNews: onNews)
                return
            }
        } catch {
            guard settings.kind == .runningOrOwn, case .noServer = error else { throw error }
        }
        try openOwn()
    }

    private func openOwn(from number: Int = 1) throws(JackError) {
        let server = try PrivateServer(sampleRate: sessionRate, period: settings.period, from: number)
        privateServer = server
        // jackd takes clients a moment after it has started: 5 s at most.
        for attempt in 1... {
            do throws(JackError) {
                client = try JackClient(
                    name: settings.name, server: server.name, isPrivate: true, arrival: midi.arrival,
                    onNews: onNews)
                return
            } catch {
                // One of the same name was killed a moment ago, and the system still shows it.
                if server.hasEnded { return try openOwn(from: server.number + 1) }
                if attempt == 250 { throw error }
                usleep(20_000)
            }
        }
    }

    /// Begins to play `console`'s mix.
    /// - Parameter returning: on a server that has come back what was connected is connected again, and
    ///   nothing else.
    package func activate(_ console: Console, returning: Bool = false) throws(Failure) {
        do throws(JackError) {
            console.engine.isLed = settings.sharedTransport != nil
            try client?.activate(console.engine.mixer, follows: settings.sharedTransport != nil)
        } catch {
            close()
            throw Failure("\(error)")
        }
        self.console = console
        console.server = self
        console.engine.onNewSides = { [weak self, weak console] in
            if let self, let client, let console, !client.isServerGone { givePorts(client, console) }
        }
        if let client { settings.sharedTransport?.join(client, returning: returning ? console.engine : nil) }
        if let client { strips.patchbay.follow(console.session, client, isNew: true) }
        if returning {
            missing = made
            return
        }
        beginConnections(console)
    }

    /// What is to be connected as the mixer starts.
    private func beginConnections(_ console: Console) {
        missing = Set(settings.connections)
        // Ports of tracks, and those of other programs that start with this one, take a moment.
        sayMissingAt = monotonicNanoseconds() + 1_500_000_000
        guard settings.connects, let client,
            !console.session.connections.contains(where: { $0.strip == .master })
        else { return }
        if client.connectToPlayback().isEmpty {
            log.notice(
                "there are no physical playback ports: \(client.name):master_1 and _2 are left unconnected")
        }
    }

    /// Connects what is still missing, and remembers what is connected; both cost a round trip to the server,
    /// so not at every turn.
    private func watchConnections(_ client: JackClient) {
        guard monotonicNanoseconds() >= lookAt || heard.isNew else { return }
        heard.isNew = false
        lookAt = monotonicNanoseconds() + 250_000_000
        missing = missing.filter { !client.connect($0) }
        if client.hasDepartingInputs { lookAt = 0 }
        if let console { strips.connect(console.heard, client, console.engine) }
        if lookAt > sayMissingAt {
            sayMissingAt = .max
            for connection in missing.sorted(by: { ($0.port, $0.other) < ($1.port, $1.other) }) {
                log.warning(
                    """
                    \(connection.port) is not connected to \(connection.other): there is no such port; it is \
                    connected when there is
                    """
                )
            }
        }
        if client.isServerGone { return }
        made = client.connections.union(missing)
        if let console { watchMonitor(console) }
    }

    /// Said once: it plays all the same, but whatever else runs may hold it up.
    private func sayPriority(_ client: JackClient) {
        guard saysPriority, let isRealtime = client.isRealtime else { return }
        saysPriority = false
        if !isRealtime {
            log.warning(
                """
                the audio thread has no real-time priority, so other programs may hold it up: allow it in \
                /etc/security/limits.d (rtprio), and start jackd with -R
                """
            )
        }
    }

    /// By how many frames what is played is heard later: on the way to the ports, and behind them.
    package var latency: Int { (client?.latency ?? 0) + (console?.engine.lag ?? 0) }

    package var status: MixerStatus.Server {
        var status = MixerStatus.Server()
        (status.isRunning, status.name, status.sampleRate) = (client != nil, serverName, sampleRate)
        status.xruns = lostXruns + (client?.xruns ?? 0)
        guard let client else { return status }
        (status.period, status.latency, status.isRealtime) = (
            client.period, latency, client.isRealtime ?? false
        )
        let times = client.callbackTimes
        (status.callback.periods, status.callback.late) = (times.periods, times.late)
        (status.callback.times.median, status.callback.times.percentile999) = (
            times.medianMicroseconds, times.percentile999Microseconds
        )
        status.callback.times.longest = times.longestMicroseconds
        return status
    }

    private func sayRate() {
        let rate = console?.session.sampleRate ?? sessionRate
        if let text = ReadSession.conversion(from: rate, to: sampleRate) { log.notice("\(text)") }
    }

    // MARK: - When the server goes, or changes its rate

    private func leave(_ old: JackClient) {
        waitNotice = WaitNotice(isSaid: true)
        lostXruns += old.xruns
        // What is gone calls nobody any more: its remains are not waited for.
        if old.isServerGone { closing = ClosingClient(old) } else { old.close() }
        // What was recorded is not kept waiting until there is a server again.
        console?.engine.endRecording()
        console?.addTakes()
        client = nil
        strips.leave()
        settings.sharedTransport?.leave()
    }

    private var onNews: @Sendable () -> Void { { [news] in news.post(()) } }

    package var descriptors: [pollfd] { news.descriptors }

    /// At once where the server's transport waits, soon where it leads, else when ports may have to follow
    /// tracks or a server may be back.
    package var dueAt: UInt64? {
        guard let shared = settings.sharedTransport else { return turnedAt + 50_000_000 }
        return turnedAt + min(isAwaited ? 1_000_000 : 10_000_000, shared.nanosecondsLeft ?? .max)
    }

    /// Lets go of a server that is gone, and joins it again, twice a second, when it is back.
    package func dispatch() {
        guard let console else { return }
        turnedAt = monotonicNanoseconds()
        news.dispatch()
        leaveIfNeeded()
        if let client {
            console.engine.period = client.period
            settings.sharedTransport?.watch(console.engine)
            givePorts(client, console)
            sayPriority(client)
            return watchConnections(client)
        }
        if closing?.isDone == true { closing = nil }
        guard closing == nil, monotonicNanoseconds() >= retryAt else { return }
        retryAt = monotonicNanoseconds() + 500_000_000
        do throws(JackError) { try open() } catch { return sayItWaits() }
        do throws(Failure) { try goOn(console, returning: true) } catch { return sayItWaits() }
        log.notice("back on the JACK server '\(serverName)' at \(sampleRate) Hz")
        sayRate()
    }

    /// Leaves a server that is gone, or that has another rate now.
    private func leaveIfNeeded() {
        if let gone = client, gone.isServerGone {
            log.warning("the JACK server '\(gone.serverName)' is gone; playing goes on when it is back")
            leave(gone)
            privateServer?.stop()
        } else if let changed = client, changed.hasRateChanged {
            log.notice("the JACK server '\(changed.serverName)' has changed its rate: joining it anew")
            leave(changed)
            retryAt = 0
        }
    }

    private func sayItWaits() {
        guard let minutes = waitNotice.due() else { return }
        log.warning("still waiting for the JACK server '\(serverName)', for \(minutes) min by now")
    }

    /// The engine's audio thread has ended with its client; a new engine may run at a new rate.
    private func goOn(_ console: Console, returning: Bool) throws(Failure) {
        let engine = PlaybackEngine(sampleRate: sampleRate)
        console.engine.close()
        console.move(to: engine)
        try activate(console, returning: returning)
    }

    /// Leaves the server and joins it again under another name, which only a new client can have; its
    /// connections are made as at the start.
    package func rename(to name: String, _ console: Console) throws(Failure) {
        guard name != settings.name else { return }
        settings.name = name
        guard let old = client else { return }
        leave(old)
        do throws(JackError) { try open() } catch { throw Failure("\(error)") }
        try goOn(console, returning: false)
    }

    /// The server's transport waits for the mixer.
    var isAwaited: Bool { settings.sharedTransport?.isAwaited ?? false }

    /// The mixer's clock so much later than now; nil without a server.
    func clock(inMicroseconds delay: Int64, now: Int64) -> Int64? {
        client?.clock(inMicroseconds: delay, now: now)
    }

    /// From now on the mixer stops and plays by itself, so that it can end with a fade.
    func leaveTransport() { client?.leaveTransport() }

    /// Leaves the server, and ends it if it is the mixer's own.
    /// - Returns: false if the server, or what is left of it, does not let go: then the audio thread may
    ///   still be there.
    @discardableResult
    package func close() -> Bool {
        if let client { closing = ClosingClient(client) }
        client = nil
        let hasLeft = closing?.wait(milliseconds: Self.patience) ?? true
        privateServer?.stop()
        return hasLeft
    }

    private static let patience = 3000
}

extension DirectOutMode {
    /// Which signal of a strip that is.
    var tap: DirectOuts.Tap? {
        switch self {
        case .off: nil
        case .pre: .pre
        case .post: .post
        }
    }
}
