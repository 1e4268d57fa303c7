import AudioFile
import Realtime

/// A file that is open, and how far it has been read.
struct OpenReader {
    /// What it reads: two channels of a sound, as one number; 0 where nothing is said of them.
    struct Key: Hashable {
        let place: SoundPlace
        let channels: Int
    }

    let key: Key
    let reader: StereoReader
    var next: Int64
}

/// The open files of streams that have ended, for those that go on elsewhere with the same: to open a file and read its header takes as long as to mix a second of it.
final class ReaderStock: Sendable {
    private typealias Readers = [OpenReader.Key: [OpenReader]]

    // The first are those of the streams that ended last.
    private let readers = Guarded((fresh: Readers(), old: Readers()))

    /// Empty.
    init() {}

    /// A reader that nobody uses; nil if there is none.
    func take(_ key: OpenReader.Key) -> OpenReader? { readers.withLock { $0.old[key]?.popLast() } }

    /// Keeps what a stream that has ended read last.
    func keep(_ ended: OpenReader) { readers.withLock { $0.fresh[ended.key, default: []].append(ended) } }

    /// From here on those are to be had that were kept since the last call. Earlier ones, which nobody took meanwhile, are closed.
    func turnOver() {
        let unused = readers.withLock { readers in
            defer { readers = (fresh: [:], old: readers.fresh) }
            return readers.old
        }
        // Closed here, where nobody waits for the lock.
        withExtendedLifetime(unused) {}
    }
}
