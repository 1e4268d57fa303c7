import AudioFile
import CRealtime
import Glibc
import Realtime
import Timeline

/// Mixes a stretch of a session on several cores at once, a slice each, and gives the slices in their order. What a frame sounds like depends on nothing that was mixed before it, so they
/// join bit for bit. For one thread at a time.
final class SlicedMix {
    /// Some frames, or why they are not there.
    struct Slice: @unchecked Sendable {
        // Safe to share: handed over from who mixed it to who asked for it.
        let samples: UnsafeMutablePointer<Float>
        let count: Int
        var failure: AudioFileError?

        var left: UnsafeMutablePointer<Float> { samples }
        var right: UnsafeMutablePointer<Float> { samples + count }
    }

    private struct State {
        /// The slice that nobody mixes yet, and the one that is asked for next.
        var (next, wanted) = (0, 0)
        var ready: [Int: Slice] = [:]
        var isEnding = false
    }

    private let slices: [Range<Int64>]
    private let state = Awaited(State())
    private var threads: [pthread_t] = []

    /// The most frames of a slice: 4 MiB.
    private static let maximumFrames = 1 << 19
    /// Less than so many are not worth a thread.
    private static let minimumFrames = 1 << 16

    /// How many slices are mixed at once, of so many frames: no more than there are cores for this program, or files that it may open.
    static func workers(_ session: Session, frames: Int, atMost: Int) -> Int {
        var files = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
        // Where one clip crosses over into another a track has two open.
        let perWorker = 2 * session.tracks.count + 16
        return max(1, min(atMost, frames / minimumFrames, Int(min(files.rlim_cur, 1 << 20)) / 2 / perWorker))
    }

    /// The cores that this program may use.
    static let cores = max(1, Int(rt_core_count()))

    /// Who mixes a slice reads for it too; the cores that are left read ahead.
    ///
    /// - Parameters:
    ///   - library: knows all files of the session.
    ///   - workers: how many are mixed at once.
    init(_ session: Session, library: MediaLibrary, frames: Range<Int64>, workers: Int) {
        let rounds = (frames.count + workers * Self.maximumFrames - 1) / (workers * Self.maximumFrames)
        let block = OfflineMix.block
        let length = Int64(((frames.count + rounds * workers - 1) / (rounds * workers) + block - 1) / block * block)
        slices = stride(from: frames.lowerBound, to: frames.upperBound, by: Int64.Stride(length)).map { $0..<min($0 + length, frames.upperBound) }
        // One that waits to be taken beside each that is being mixed.
        let limit = 2 * workers
        let left = max(0, Self.cores - workers)
        for worker in 0..<workers {
            let diskThreads = left / workers + (worker < left % workers ? 1 : 0)
            let work = Unmanaged.passRetained(Work(session, library.copy(), slices, state, limit, diskThreads: diskThreads))
            var thread = pthread_t()
            let status = pthread_create(&thread, nil, { context in
                Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
            if status == 0 { threads.append(thread) } else { work.release() }
        }
    }

    deinit {
        state.change { $0.isEnding = true }
        for thread in threads { pthread_join(thread, nil) }
        state.change { for slice in $0.ready.values { slice.samples.deallocate() } }
    }

    /// The next slice, which is the caller's to deallocate; nil behind the last.
    /// - Throws: `AudioFileError`: a file could not be read to its end, or there is no thread for it.
    func next() throws(AudioFileError) -> Slice? {
        if threads.isEmpty { throw AudioFileError(path: "the mix", reason: "no thread can be started for it") }
        let count = slices.count
        let slice: Slice? = state.wait { state in
            if state.wanted == count { return .some(nil) }
            guard let slice = state.ready.removeValue(forKey: state.wanted) else { return nil }
            state.wanted += 1
            return slice
        }
        guard let slice else { return nil }
        if let failure = slice.failure {
            slice.samples.deallocate()
            throw failure
        }
        return slice
    }

    /// What a thread does.
    private final class Work {
        private let session: Session
        private let library: MediaLibrary
        private let slices: [Range<Int64>]
        private let state: Awaited<State>
        private let limit: Int
        private let diskThreads: Int

        init(_ session: Session, _ library: MediaLibrary, _ slices: [Range<Int64>], _ state: Awaited<State>, _ limit: Int, diskThreads: Int) {
            (self.session, self.library, self.slices, self.state, self.limit, self.diskThreads) = (session, library, slices, state, limit, diskThreads)
        }

        func run() {
            rt_name_thread("jmix-slice")
            while let number = nextNumber() {
                let slice = mixed(slices[number])
                state.change { $0.ready[number] = slice }
            }
        }

        private func nextNumber() -> Int? {
            let (count, limit) = (slices.count, limit)
            return state.wait { (state: inout State) -> Int?? in
                if state.isEnding || state.next == count { return .some(nil) }
                if state.next >= state.wanted + limit { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }

        private func mixed(_ frames: Range<Int64>) -> Slice {
            let mix = OfflineMix(session, library: library, frames: frames, diskThreads: diskThreads)
            var slice = Slice(samples: .allocate(capacity: 2 * frames.count), count: frames.count)
            do throws(AudioFileError) {
                while mix.done < slice.count, !state.change({ $0.isEnding }) { _ = try mix.read(slice.left + mix.done, slice.right + mix.done, count: OfflineMix.block) }
            } catch {
                slice.failure = error
            }
            return slice
        }
    }
}
