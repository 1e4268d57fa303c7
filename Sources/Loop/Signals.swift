import CRealtime
import Glibc
import Realtime

/// SIGINT, SIGTERM and SIGHUP as messages. Made before the first thread starts, so that none is ever
/// interrupted.
package final class Signals: @unchecked Sendable {
    // Safe to share: what threads share is behind `state`.
    private struct State {
        var mailbox: Mailbox<Int32>?
        var early: Int32?
        /// When the first came.
        var firstAt: UInt64?
    }

    private let state = Guarded(State())

    private static var all: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
        return set
    }

    private let secondEnds: Bool

    /// - Parameter secondEnds: a second signal, a second later or more, ends the program at once, whatever
    ///   the first is waiting for.
    package init(secondEnds: Bool = true) {
        self.secondEnds = secondEnds
        var set = Self.all
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A reader that goes away is an error of the write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
        let context = Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                rt_name_thread("jmix-signals")
                let signals = Unmanaged<Signals>.fromOpaque(context!).takeUnretainedValue()
                var set = Signals.all
                while true {
                    var number: Int32 = 0
                    if sigwait(&set, &number) == 0 { signals.handle(number) }
                }
            }, context)
        pthread_detach(thread)
    }

    private func handle(_ number: Int32) {
        let isSecond = state.withLock { state in
            let now = monotonicNanoseconds()
            if let mailbox = state.mailbox { mailbox.post(number) } else { state.early = number }
            // Whoever ends a program may well say so twice at once.
            let isSecond = state.firstAt.map { now - $0 > 1_000_000_000 } ?? false
            state.firstAt = state.firstAt ?? now
            return isSecond
        }
        if isSecond, secondEnds { _exit(130) }
    }

    /// Whether one has come.
    package var hasCome: Bool { state.withLock { $0.firstAt != nil } }

    /// From now on they come as messages.
    package func deliver(to mailbox: Mailbox<Int32>) {
        state.withLock { state in
            state.mailbox = mailbox
            if let early = state.early { mailbox.post(early) }
        }
    }
}
