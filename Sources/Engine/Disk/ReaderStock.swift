import AudioFile
import Realtime

/// A file that is open, and how far it has been read.
struct OpenReader {
    let place: SoundPlace
    /// Which of its channels, as one number; 0 where nothing is said of them.
    let channels: Int
    let reader: StereoReader
    var next: Int64
}

/// The open files of streams that have ended, for those that go on elsewhere with the same: to open a file and read its header takes as long as to mix a second of it.
final class ReaderStock: Sendable {
    // The first are those of the streams that ended last.
    private let readers = Guarded((fresh: [OpenReader](), old: [OpenReader]()))

    /// Empty.
    init() {}

    /// A reader of a file and its channels that nobody uses; nil if there is none.
    func take(_ place: SoundPlace, _ channels: Int) -> OpenReader? {
        readers.withLock { readers in
            readers.old.firstIndex { $0.place == place && $0.channels == channels }.map { readers.old.remove(at: $0) }
        }
    }

    /// Keeps what a stream that has ended read last.
    func keep(_ ended: OpenReader) { readers.withLock { $0.fresh.append(ended) } }

    /// From here on those are to be had that were kept since the last call. Earlier ones, which nobody took meanwhile, are closed.
    func turnOver() { readers.withLock { $0 = (fresh: [], old: $0.fresh) } }
}
