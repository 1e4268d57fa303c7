import AudioFile
import CRealtime
import Files
import Glibc
import Realtime
import Speakers
import Timeline

/// Mixes a stretch of a session on several cores at once, a slice each, and gives the slices in their order.
/// What a frame sounds like depends on nothing that was mixed before it, so they join bit for bit. For one
/// thread at a time.
final class SlicedMix {
    /// Some frames, or why they are not there.
    struct Slice: @unchecked Sendable {
        // Safe to share: handed over from who mixed it to who asked for it, and back.
        fileprivate let memory: ChannelMemory
        let count: Int
        fileprivate var failure: AudioFileError?

        var block: Channels { memory.channels }
    }

    private struct State {
        /// So many slices are mixed, or wait to be taken, at once.
        let limit: Int
        /// What nobody mixes yet, the number of its first slice, and of the one that is asked for next.
        var rest: Cut
        var next = 0
        var wanted = 0
        var ready: [Int: Slice] = [:]
        /// Memory of slices that nobody needs any more: new pages cost the system more than to fill them with
        /// sound.
        var spare: [ChannelMemory] = []
        var isEnding = false
    }

    /// Cuts slices off a stretch, one after another, however long it is.
    private struct Cut {
        var frames: Range<Int64>
        let workers: Int
        /// How many frames slices have; the last up to half of the least more.
        let lengths: ClosedRange<Int>

        /// The most frames that one has.
        var longest: Int { min(frames.count, lengths.upperBound + lengths.lowerBound / 2) }

        /// Long slices first, for each has its own cost; ever shorter ones towards the end, where the cores
        /// that have nothing left to do wait for the last. nil at the end.
        mutating func next() -> Range<Int64>? {
            if frames.isEmpty { return nil }
            let length =
                min(max(frames.count / (2 * workers), lengths.lowerBound), lengths.upperBound)
                / OfflineMix.block * OfflineMix.block
            // What would be left is not worth a slice.
            let end =
                frames.count < length + lengths.lowerBound / 2
                ? frames.upperBound : frames.lowerBound + Int64(length)
            defer { frames = end..<frames.upperBound }
            return frames.lowerBound..<end
        }
    }

    private let state: Awaited<State>
    private var threads: [pthread_t] = []
    /// The one that was given last.
    private var given: Slice?

    /// Less than so many are not worth a thread.
    private static let minimumFrames = 1 << 16
    /// How many frames a slice has: 2 MiB at the most, and twice as many where it takes long to begin
    /// elsewhere.
    private static func lengths(_ library: MediaLibrary) -> ClosedRange<Int> {
        library.isSoughtSlowly ? 1 << 18...1 << 19 : minimumFrames...1 << 18
    }

    /// How many slices are mixed at once, of so many frames: no more than there are cores for this program,
    /// or files that it may open.
    static func workers(_ session: Session, frames: Int, atMost: Int) -> Int {
        // Where one clip crosses over into another a track has two open, and one more may lie in stock.
        let perWorker = 3 * session.tracks.count + 16
        return max(1, min(atMost, frames / minimumFrames, OpenFiles.limit / 2 / perWorker))
    }

    /// The cores that this program may use.
    static let cores = max(1, Int(rt_core_count()))

    /// Who mixes a slice reads for it too; the cores that are left read ahead.
    ///
    /// - Parameters:
    ///   - library: knows all files of the session, which are ready.
    ///   - strip: whose sound is given; the master's is the mix.
    ///   - workers: how many are mixed at once.
    init(_ session: Session, library: MediaLibrary, frames: Range<Int64>, of strip: StripID, workers: Int) {
        let cut = Cut(frames: frames, workers: workers, lengths: Self.lengths(library))
        // One that waits to be taken beside each that is being mixed.
        state = Awaited(State(limit: 2 * workers, rest: cut))
        let arrangement = Arrangement(session, library: library, sampleRate: session.sampleRate)
        let left = max(0, Self.cores - workers)
        for worker in 0..<workers {
            let diskThreads = left / workers + (worker < left % workers ? 1 : 0)
            let work = Unmanaged.passRetained(
                Work(session, arrangement, strip, frames: cut.longest, state, diskThreads: diskThreads))
            var thread = pthread_t()
            let status = pthread_create(
                &thread, nil,
                { context in
                    Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().mixSlices()
                    return nil
                }, work.toOpaque())
            if status == 0 { threads.append(thread) } else { work.release() }
        }
    }

    deinit {
        state.change { $0.isEnding = true }
        for thread in threads { pthread_join(thread, nil) }
    }

    private func giveBack() {
        if let slice = given { state.change { $0.spare.append(slice.memory) } }
        given = nil
    }

    /// The next slice, there until the next call; nil behind the last.
    /// - Throws: `AudioFileError`: a file could not be read to its end, or there is no thread for it.
    func next() throws(AudioFileError) -> Slice? {
        if threads.isEmpty {
            throw AudioFileError(path: "the mix", reason: "no thread can be started for it")
        }
        giveBack()
        given = state.wait { state in
            if state.rest.frames.isEmpty, state.wanted == state.next { return .some(nil) }
            guard let slice = state.ready.removeValue(forKey: state.wanted) else { return nil }
            state.wanted += 1
            return slice
        }
        if let failure = given?.failure { throw failure }
        return given
    }

    /// What a thread does.
    private final class Work {
        private let session: Session
        private let arrangement: Arrangement
        private let strip: StripID
        /// How many the longest slice has.
        private let frames: Int
        private let state: Awaited<State>
        private let diskThreads: Int
        private let stock = StreamStock()

        init(
            _ session: Session, _ arrangement: Arrangement, _ strip: StripID, frames: Int,
            _ state: Awaited<State>, diskThreads: Int
        ) {
            (self.session, self.arrangement, self.strip, self.frames) = (session, arrangement, strip, frames)
            (self.state, self.diskThreads) = (state, diskThreads)
        }

        func mixSlices() {
            rt_name_thread("jmix-slice")
            while let (number, frames) = next() {
                let slice = mixed(frames)
                state.change { $0.ready[number] = slice }
            }
        }

        private func next() -> (number: Int, frames: Range<Int64>)? {
            state.wait { (state: inout State) -> (Int, Range<Int64>)?? in
                if state.isEnding || state.rest.frames.isEmpty { return .some(nil) }
                if state.next >= state.wanted + state.limit { return nil }
                defer { state.next += 1 }
                return state.rest.next().map { (state.next, $0) }
            }
        }

        private func mixed(_ frames: Range<Int64>) -> Slice {
            stock.turnOver()
            let mix = OfflineMix(
                session, arrangement, MixPart(frames: frames, strip: strip), diskThreads: diskThreads,
                stock: stock)
            let spare = state.change { $0.spare.popLast() }
            var slice = Slice(
                memory: spare ?? ChannelMemory(mix.layout.channels, frames: self.frames), count: frames.count)
            do throws(AudioFileError) {
                while mix.done < slice.count, !state.read({ $0.isEnding }) {
                    _ = try mix.read(into: slice.block.from(mix.done), count: OfflineMix.block)
                }
            } catch {
                slice.failure = error
            }
            return slice
        }
    }
}
