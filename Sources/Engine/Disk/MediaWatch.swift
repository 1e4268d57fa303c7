import CRealtime
import Glibc
import Realtime

/// Looks once a second, on a thread of its own, whether files have changed, come or been put in each other's place: a disk that stalls holds up nobody.
public final class MediaWatch: @unchecked Sendable {
    // Safe to share: all that changes is behind `state`.
    private struct State {
        var watched: [String: FileStamp?] = [:]
        var findings: [MediaFinding] = []
        var isEnding = false
    }

    private let state = Guarded(State())
    private let wakeUp = WakeUp()
    /// Control thread: what of the library is watched already.
    private var watched: (library: ObjectIdentifier, generation: Int)?
    private var thread = pthread_t()
    private var isRunning = false

    private static let intervalMilliseconds = 1000

    public init() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        isRunning = pthread_create(&thread, nil, { context in
            rt_name_thread("jmix-watch")
            Unmanaged<MediaWatch>.fromOpaque(context!).takeUnretainedValue().run()
            return nil
        }, context) == 0
    }

    deinit {
        end()
        wakeUp.destroy()
    }

    /// Ends the thread.
    public func end() {
        guard isRunning else { return }
        isRunning = false
        state.withLock { $0.isEnding = true }
        wakeUp.signal()
        pthread_join(thread, nil)
    }

    /// The files to watch from now on: those that `library` knows.
    public func watch(_ library: MediaLibrary) {
        let present = (ObjectIdentifier(library), library.generation)
        if let watched, watched == present { return }
        watched = present
        let findings = library.findings
        state.withLock { state in
            state.watched = Dictionary(findings.map { ($0.path, $0.stamp) }, uniquingKeysWith: { $1 })
        }
    }

    /// The files that have changed since the last call.
    public func take() -> [MediaFinding] {
        state.withLock { state in
            defer { state.findings = [] }
            return state.findings
        }
    }

    private func run() {
        while !state.withLock({ $0.isEnding }) {
            for (path, stamp) in state.withLock({ $0.watched }) {
                // A file that has gone stays what it was until there is one again.
                guard let present = FileStamp(path), present != stamp else { continue }
                let finding = MediaFinding(path)
                state.withLock { state in
                    guard state.watched[path] != nil else { return }
                    state.watched[path] = finding.stamp
                    if !finding.isCut { state.findings.append(finding) }
                }
            }
            wakeUp.wait(milliseconds: Self.intervalMilliseconds)
        }
    }
}
