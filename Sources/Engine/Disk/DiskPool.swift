import AudioFile
import CRealtime
import Glibc
import Realtime

/// A few threads that keep the rings of all streams filled, the emptiest first.
package final class DiskPool: @unchecked Sendable {
    // Safe to share: all that changes is behind `state`.
    private struct State {
        /// Each is retained here. Looked through as they are: with counted references, counting was a twelfth
        /// of all that playing 512 tracks took.
        var streams: [Unmanaged<TrackStream>] = []
        var failures: [AudioFileError] = []
        var isEnding = false

        /// Lets go of the streams that no plan plays any more and that no thread reads.
        mutating func dropClosed() {
            streams.removeAll { stream in
                let isOver = stream._withUnsafeGuaranteedRef {
                    $0.isClosed.load(ordering: .acquiring) && !$0.claimed
                }
                if isOver {
                    stream._withUnsafeGuaranteedRef { $0.isLetGo.store(true, ordering: .releasing) }
                    stream.release()
                }
                return isOver
            }
        }
    }

    private let state = Guarded(State())
    private let threadCount: Int
    private var threads: [pthread_t] = []
    private let sampleRate: Int32
    private let expectsLocates: Bool
    private let isAlone: Bool
    /// What is remembered of positions that are likely to be gone to.
    let cache = PositionCache()
    /// What the audio thread signals when it has played a piece.
    let wakeUp = WakeUp()
    /// Signalled whenever a piece has been read: what offline rendering and a locate wait for.
    let progress = WakeUp()

    /// - Parameters:
    ///   - threadCount: more than one, so that a stalled disk holds up its own streams and not the others';
    ///     none where who waits reads for himself (`help`), and for tests (`readPieces`).
    ///   - expectsLocates: streams may have to be made anew at any moment.
    ///   - isAlone: one thread does all that is done with it.
    init(threadCount: Int, sampleRate: Int32, expectsLocates: Bool, isAlone: Bool) {
        self.isAlone = isAlone
        self.sampleRate = sampleRate
        self.expectsLocates = expectsLocates
        self.threadCount = threadCount
        for _ in 0..<threadCount { startThread() }
    }

    /// Ends the threads; each finishes the piece it is reading.
    func stop() {
        state.withLock { $0.isEnding = true }
        for thread in threads {
            wakeUp.signal()
            pthread_join(thread, nil)
        }
        threads = []
    }

    deinit {
        state.withLock { state in for stream in state.streams { stream.release() } }
        wakeUp.destroy()
        progress.destroy()
    }

    func add(_ streams: [TrackStream]) {
        if streams.isEmpty { return }
        state.withLock { state in
            // Where streams are made faster than the disk threads look, their memory goes all the same.
            state.dropClosed()
            state.streams += streams.map(Unmanaged.passRetained)
        }
        wakeUp.signal()
    }

    /// How many streams there are.
    package var streamCount: Int {
        state.withLock { state in
            state.dropClosed()
            return state.streams.count
        }
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
        pthread_attr_setstacksize(&attributes, 320 * 1024)
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        // The pool outlives its threads: `stop` joins them.
        let context = Unmanaged.passUnretained(self).toOpaque()
        let status = pthread_create(
            &thread, &attributes,
            { context in
                rt_name_thread("jmix-disk")
                rt_flush_denormals()
                // Before what else runs at a normal priority, where the system allows it: after a locate
                // there is little time.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -10)
                Unmanaged<DiskPool>.fromOpaque(context!).takeUnretainedValue().readAhead()
                return nil
            }, context)
        if status == 0 { threads.append(thread) }
    }

    private func readAhead() {
        while true {
            // 100 ms at most: a file that failed wants to be tried again.
            if !readPieces(), !readPosition() {
                if expectsLocates { LockedMemory.stockUp() }
                wakeUp.wait(milliseconds: 100)
            }
            if state.withLock({ $0.isEnding }) { return wakeUp.signal() }
        }
    }

    /// Reads one piece of each of the emptiest streams.
    /// - Returns: false if there was nothing to do.
    @discardableResult
    package func readPieces() -> Bool {
        // Each is let go of as it is passed: behind a file that stalls none waits to be given back.
        var candidates = emptiest()
        let isAny = !candidates.isEmpty
        if isAlone {
            readAll(candidates.reversed())
            return isAny
        }
        var read: (stream: TrackStream, failure: AudioFileError?)?
        while let stream = candidates.popLast() {
            let isTaken = handOver(read, for: stream)
            read = nil
            guard isTaken else { continue }
            var failure: AudioFileError?
            do throws(AudioFileError) { try stream.readAhead() } catch { failure = error }
            read = (stream, failure)
        }
        _ = handOver(read, for: nil)
        return isAny
    }

    /// The same where nobody else reads: nothing has to be taken or given back.
    private func readAll(_ streams: [TrackStream]) {
        for stream in streams {
            do throws(AudioFileError) {
                try stream.readAhead()
            } catch {
                state.withLock { $0.failures.append(error) }
                stream.markFailed()
            }
        }
    }

    /// What one who has to wait for the disk does meanwhile: reads along; with nothing to read, sleeps until
    /// another has read something.
    func help() {
        // The signal may wake another who waits, hence not for long.
        if !readPieces() { progress.wait(milliseconds: 2) }
    }

    /// Reads one of the positions that are likely to be gone to.
    /// - Returns: false if there is none left to read.
    package func readPosition() -> Bool {
        guard let key = cache.nextWanted() else { return false }
        let count = PositionCache.blockFrames
        let memory = ChannelMemory(key.layout.channels, frames: count)
        let chosen = key.channels.map { (left: $0.left, right: $0.right) }
        // What cannot be read here is said when it is to be heard.
        guard
            let reader = try? ChannelReader(
                at: key.place, channels: chosen, layout: key.layout, sampleRate: sampleRate, patience: .none),
            FileStamp(key.place.path) == key.stamp,
            (try? reader.read(from: key.frame, count: count, into: memory.channels)) != nil
        else { return true }
        cache.keep(key, memory.channels, count: count)
        return true
    }

    /// The streams that want data most and that no other thread reads, the emptiest last. Wakes another
    /// thread if there are more.
    private func emptiest() -> [TrackStream] {
        state.withLock { state in
            var wanting: [(stream: Unmanaged<TrackStream>, fill: Int)] = []
            var hasClosed = false
            for stream in state.streams {
                stream._withUnsafeGuaranteedRef { open in
                    if open.claimed { return }
                    if open.isClosed.load(ordering: .acquiring) {
                        hasClosed = true
                    } else if open.wantsData {
                        wanting.append((stream, open.fill))
                    }
                }
            }
            wanting.sort { $0.fill > $1.fill }
            let isShort = wanting.last?.stream._withUnsafeGuaranteedRef { $0.isShort } == true
            let taken = share(of: wanting.count, isShort: isShort)
            if wanting.count > taken { wakeUp.signal() }
            let chosen = wanting.suffix(taken).map { $0.stream.takeUnretainedValue() }
            // Only now that the chosen are held: one may have been closed since it was looked at.
            if hasClosed { state.dropClosed() }
            return chosen
        }
    }

    /// How many of the streams that want data a thread takes at once. While none is short of it one thread
    /// fills all: several would wait longer for their turns at the lock than they read. If its disk stalls,
    /// the next thread that the audio thread wakes reads the others.
    private func share(of count: Int, isShort: Bool) -> Int {
        if isAlone || !isShort { return count }
        // Looking through all streams costs more than reading a piece of one: with many, a thread takes half
        // of what would be its share.
        return max(1, count / (2 * max(1, threadCount)))
    }

    /// Gives back a stream that was read, and takes the next for this thread, in one turn at the lock. One at
    /// a time: behind a file that stalls none must wait that another thread could read.
    /// - Returns: whether `next` is this thread's now.
    private func handOver(
        _ read: (stream: TrackStream, failure: AudioFileError?)?, for next: TrackStream?
    ) -> Bool {
        let taken = state.withLock { state in
            if let read {
                read.stream.claimed = false
                if let failure = read.failure {
                    state.failures.append(failure)
                    read.stream.markFailed()
                }
            }
            guard let next, !state.isEnding, !next.isClosed.load(ordering: .acquiring) else { return false }
            guard !next.claimed, next.wantsData else { return false }
            next.claimed = true
            return true
        }
        if read != nil { progress.signal() }
        return taken
    }
}
