import AudioFile
import CRealtime
import Glibc
import Realtime
import Synchronization

/// A few threads that keep the rings of all streams filled, the emptiest first.
package final class DiskPool: @unchecked Sendable {
    // Safe to share: all that changes is behind `state`.
    private struct State {
        var streams: [TrackStream] = []
        var failures: [AudioFileError] = []
        var isEnding = false
    }

    private let state = Mutex(State())
    private var threads: [pthread_t] = []
    /// What the audio thread signals when it has played a piece.
    let wakeUp = WakeUp()
    /// Signalled whenever a piece has been read: what offline rendering and a locate wait for.
    let progress = WakeUp()

    /// - Parameter threadCount: more than one, so that a stalled disk holds up its own streams and not the others'; none for
    ///   tests, which read by `readPiece`.
    init(threadCount: Int) {
        for _ in 0..<threadCount { startThread() }
    }

    /// Ends the threads; each finishes the piece it is reading.
    func end() {
        state.withLock { $0.isEnding = true }
        for thread in threads {
            wakeUp.signal()
            pthread_join(thread, nil)
        }
        threads = []
    }

    deinit {
        wakeUp.destroy()
        progress.destroy()
    }

    func add(_ streams: [TrackStream]) {
        if streams.isEmpty { return }
        state.withLock { $0.streams += streams }
        wakeUp.signal()
    }

    /// The files that have failed since the last call: each failure once.
    func takeFailures() -> [AudioFileError] {
        state.withLock { state in
            defer { state.failures = [] }
            return state.failures
        }
    }

    // MARK: - Disk threads

    private func startThread() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 256 * 1024)
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        // The pool outlives its threads: `end` joins them.
        let context = Unmanaged.passUnretained(self).toOpaque()
        let status = pthread_create(&thread, &attributes, { context in
            rt_name_thread("jmix-disk")
            rt_flush_denormals()
            Unmanaged<DiskPool>.fromOpaque(context!).takeUnretainedValue().run()
            return nil
        }, context)
        if status == 0 { threads.append(thread) }
    }

    private func run() {
        while true {
            // 100 ms at most: a file that failed wants to be tried again.
            if !readPiece() { wakeUp.wait(milliseconds: 100) }
            if state.withLock({ $0.isEnding }) { return wakeUp.signal() }
        }
    }

    /// Reads one piece of the emptiest stream.
    /// - Returns: false if there was nothing to do.
    @discardableResult
    package func readPiece() -> Bool {
        guard let stream = claim() else { return false }
        var failure: AudioFileError?
        do throws(AudioFileError) { try stream.readAhead() } catch { failure = error }
        state.withLock { state in
            stream.claimed = false
            if let failure { state.failures.append(failure) }
        }
        progress.signal()
        return true
    }

    /// The emptiest stream that wants data and that no other thread reads. Wakes another thread if there is more to do.
    private func claim() -> TrackStream? {
        state.withLock { state in
            state.streams.removeAll { $0.isClosed.load(ordering: .acquiring) && !$0.claimed }
            var emptiest: TrackStream?
            var lowest = Int.max
            var wanting = 0
            for stream in state.streams where !stream.claimed && stream.wantsData {
                wanting += 1
                let fill = stream.fill
                if fill < lowest { (emptiest, lowest) = (stream, fill) }
            }
            emptiest?.claimed = true
            if wanting > 1 { wakeUp.signal() }
            return emptiest
        }
    }
}
