import Engine
import Glibc
import Logging
import Realtime

/// What the control thread does until it is told to end: OSC, plans, the server, the picture on the terminal.
struct MixerLoop {
    let console: Console
    let link: ServerLink
    let remote: RemoteServer
    let signals: Signals
    let manager: SessionManager?
    private let log = Logger(label: "jmix")

    init(console: Console, link: ServerLink, remote: RemoteServer, signals: Signals, manager: SessionManager?) {
        self.console = console
        self.link = link
        self.remote = remote
        self.signals = signals
        self.manager = manager
    }

    /// Returns when SIGINT, SIGTERM or SIGHUP has come and the sound has faded out.
    func run() {
        let picture = isatty(1) == 1 ? LivePicture(console) : nil
        picture?.open()
        if LockedMemory.wasRefused { log.notice("the system does not let the mixer lock its memory (ulimit -l): under pressure a page may have to be fetched while it plays") }
        while signals.next() == nil {
            // Plans whose streams are being filled are sent on within a millisecond.
            remote.serve(milliseconds: console.engine.isFilling || link.isAwaited ? 1 : 10)
            console.engine.poll()
            for failure in console.engine.takeFailures() { log.warning("\(failure); its track is silent until it can be read again") }
            sayFindings(console.followFiles())
            link.watch(console)
            manager?.serve(console) { name throws(Failure) in try link.rename(to: name, console) }
            picture?.draw()
        }
        picture?.close()
        end()
    }

    private func sayFindings(_ findings: [MediaFinding]) {
        for finding in findings {
            switch finding.info {
            case .success: log.notice("\(finding.path) has changed: what it holds now is played")
            case .failure(let error): log.warning("\(error); its track is silent until it can be read again")
            }
        }
    }

    private func end() {
        ReadyNotice.stopping()
        link.leaveTransport()
        console.engine.stop()
        // The fade takes 5 ms and a period; a server that hangs is not waited for. A second signal ends at once.
        for _ in 0..<100 where !console.engine.isSettled {
            if signals.next() != nil { exit(130) }
            usleep(5_000)
            console.engine.poll()
        }
        link.close()
        console.end()
        if console.journal.end() { note("jmix: the changes since the last save are kept for the next run: jmix run --recover brings them back, --discard drops them") }
    }
}
