import Console
import Engine
import Glibc
import Logging
import Loop
import Realtime
import Remote

/// The mixer at work: what the control thread waits for, and its end.
package final class MixerLoop {
    private let console: Console
    private let link: ServerLink
    private let osc: OSCEdge
    private let midi: MIDIEdge
    private let signals: Signals
    // Those that were asked for; to be set before `run`.
    package var web: WebEdge?
    package var desks: [DeskEdge] = []
    package var manager: SessionManager?
    package var follower: VideoFollower?

    package init(_ console: Console, _ link: ServerLink, _ osc: OSCEdge, _ signals: Signals) {
        (self.console, self.link, self.osc, self.signals) = (console, link, osc, signals)
        midi = MIDIEdge(console, link)
    }

    /// Returns when SIGINT, SIGTERM or SIGHUP has come and the sound has faded out.
    /// - Throws: `Failure`: changes that were not saved are lost, for nothing could be written.
    package func run() throws(Failure) {
        if LockedMemory.wasRefused {
            Logger(label: "jmix").notice(
                """
                the system does not let the mixer lock its memory (ulimit -l): under pressure a page may \
                have to be fetched while it plays
                """
            )
        }
        let picture = isatty(1) == 1 ? RunPicture(console) : nil
        var loop: EventLoop?
        let mailbox = Mailbox<Int32> { _ in loop?.stop() }
        signals.deliver(to: mailbox)
        // What has come is carried out first, then plans are sent, then people are told.
        let sources: [(any EventSource)?] = [
            mailbox, osc, midi, web, console.files, console.inspections, manager, EngineTurn(console), link,
            follower,
            picture,
        ]
        let quitting = Quitting(console) { loop?.stop() }
        loop = EventLoop(sources.compactMap { $0 } + desks + [quitting])
        loop?.run()
        picture?.close()
        follower?.close()
        defer { TerminalOutput.shared.flush() }
        try close()
    }

    private func close() throws(Failure) {
        ReadyNotice.stopping()
        console.endLearning("the mixer ends")
        console.dropWaitingEdits("the mixer was ended")
        // What came before the signal is carried out; a disk that hangs is not waited for.
        for _ in 0..<100 {
            osc.dispatch()
            if osc.isIdle, console.isIdle { break }
            usleep(5_000)
            console.engine.poll()
            console.addTakes()
            console.dispatchFiles()
        }
        link.leaveTransport()
        console.engine.stop()
        // The fade takes 5 ms and a period; a server that hangs is not waited for.
        for _ in 0..<100 where !console.engine.isSettled {
            usleep(5_000)
            console.engine.poll()
            console.dispatchWriting()
        }
        console.endAllPasses()
        let hasLeft = link.close()
        web?.close()
        if hasLeft { console.close() }
        try console.closeJournalKeeping()
        if hasLeft { return }
        // What is not freed goes with the program, and libjack is not asked again.
        TerminalOutput.shared.flush()
        _exit(0)
    }
}

/// Ends the loop when somebody has asked for that.
private final class Quitting: EventSource {
    private let console: Console
    private let stop: () -> Void

    init(_ console: Console, _ stop: @escaping () -> Void) { (self.console, self.stop) = (console, stop) }

    /// Who said so gets an answer to what it sent behind.
    private static let grace: UInt64 = 300_000_000
    private var askedAt: UInt64?

    var dueAt: UInt64? { askedAt.map { $0 + Self.grace } }

    func dispatch() {
        guard console.isQuitting else { return }
        let now = monotonicNanoseconds()
        let askedAt = askedAt ?? now
        self.askedAt = askedAt
        if now >= askedAt + Self.grace { stop() }
    }
}

/// The engine's turn in the loop: plans whose streams are filled are sent, those that are played out are
/// freed, files that failed or changed are told.
private final class EngineTurn: EventSource {
    private let console: Console
    private let log = Logger(label: "jmix")
    private var seenAt: UInt64 = 0

    init(_ console: Console) { self.console = console }

    var dueAt: UInt64? { seenAt + pace }

    /// Within a millisecond while streams are being filled, else now and then.
    private var pace: UInt64 {
        let engine = console.engine
        if console.hasReadyEdits { return 1_000_000 }
        if engine.isFilling {
            // What is ready nobody takes without a server, however often it is offered.
            return engine.waitsForDisk || console.server?.status.isRunning == true ? 1_000_000 : 100_000_000
        }
        let isSilent = !engine.isFallingSilent || engine.staysSilent
        let isSettled = !console.isWriting && !console.isBehindTakes && engine.isSettled && isSilent
        return isSettled ? 100_000_000 : 10_000_000
    }

    func dispatch() {
        seenAt = monotonicNanoseconds()
        console.engine.poll()
        console.dispatchWriting()
        console.stopWhatIsOver()
        console.addTakes()
        console.askForRoom()
        console.dispatchWaitingEdits()
        for failure in console.engine.takeFailures() {
            log.warning("\(failure); its track is silent until it can be read again")
        }
        for finding in console.followFiles() {
            switch finding.info {
            case .success(let info) where finding.hasBeenDecoded:
                log.notice("\(finding.path) is decoded\(info.truncation.map { ": \($0)" } ?? "")")
            case .success: log.notice("\(finding.path) has changed: what it holds now is played")
            case .failure(let error): log.warning("\(error); its track is silent until it can be read again")
            }
        }
    }
}
