import Glibc
import Realtime

/// What waits for a disk, done one after another on a thread of its own; what comes of it is told to the
/// control thread.
package final class FileWork: EventSource {
    private struct Job: Sendable {
        let number: Int
        let work: @Sendable () -> any Sendable
    }

    private struct State {
        var jobs: [Job] = []
    }

    private let state = Guarded(State())
    private var worker: Worker?
    private var mailbox: Mailbox<(number: Int, outcome: any Sendable)>?
    private var waiting: [Int: (any Sendable) -> Void] = [:]
    private var lastNumber = 0

    package init() {
        let mailbox = Mailbox<(number: Int, outcome: any Sendable)> { [unowned self] in
            waiting.removeValue(forKey: $0.number)?($0.outcome)
        }
        let state = state
        self.mailbox = mailbox
        worker = Worker("jmix-files", every: 60_000) {
            while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
                mailbox.post((job.number, job.work()))
            }
        }
    }

    /// Does `work` on the files' thread, and then `body` with what it returned on this one. Control thread.
    package func perform<Outcome: Sendable>(
        _ work: @escaping @Sendable () -> Outcome, then body: @escaping (Outcome) -> Void
    ) {
        lastNumber += 1
        waiting[lastNumber] = { body($0 as! Outcome) }
        let job = Job(number: lastNumber, work: work)
        state.withLock { $0.jobs.append(job) }
        worker?.wake()
    }

    /// Whether all has been done and told.
    package var isIdle: Bool { waiting.isEmpty }

    package var descriptors: [pollfd] { mailbox?.descriptors ?? [] }

    package func dispatch() { mailbox?.dispatch() }

    /// Ends the thread, if it is not held up: a disk that never answers is not waited for.
    package func stop() {
        if isIdle { worker?.stop() }
        worker = nil
    }
}
