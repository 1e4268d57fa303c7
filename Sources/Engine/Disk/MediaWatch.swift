import AudioFile
import Realtime

/// Looks once a second, on a thread of its own, whether files have changed, come or been put in each other's
/// place: a disk that stalls holds up nobody.
public final class MediaWatch: @unchecked Sendable {
    // Safe to share: what threads share is behind `state`; the rest is the control thread's.
    private struct State {
        var watched: [SoundPlace: MediaFinding] = [:]
        var findings: [MediaFinding] = []
    }

    private let state: Guarded<State>
    private let worker: Worker
    /// Control thread: what of the library is watched already.
    private var watched: (library: ObjectIdentifier, generation: Int)?

    private static let intervalMilliseconds = 1000

    /// Begins to look, on a thread of its own.
    public init() {
        let state = Guarded(State())
        self.state = state
        worker = Worker("jmix-watch", every: Self.intervalMilliseconds) { Self.check(state) }
    }

    /// Ends the thread.
    public func stop() { worker.stop() }

    /// The files to watch from now on: those that `library` knows.
    public func watch(_ library: MediaLibrary) {
        let present = (ObjectIdentifier(library), library.generation)
        if let watched, watched == present { return }
        watched = present
        let findings = library.known.values
        state.withLock { $0.watched = Dictionary(findings.map { ($0.place, $0) }, uniquingKeysWith: { $1 }) }
    }

    /// The files that have changed since the last call.
    public func drain() -> [MediaFinding] {
        state.withLock { state in
            defer { state.findings = [] }
            return state.findings
        }
    }

    private static func check(_ state: Guarded<State>) {
        for (place, known) in state.withLock({ $0.watched }) {
            // A file that has gone stays what it was until there is one again.
            let isDecoded = known.isOutdated
            guard let present = FileStamp(place.path), present != known.stamp || isDecoded else { continue }
            var finding = MediaFinding(place)
            finding.hasBeenDecoded = isDecoded
            state.withLock { state in
                guard state.watched[place] != nil else { return }
                state.watched[place] = finding
                if !finding.isCut || isDecoded { state.findings.append(finding) }
            }
        }
    }
}
