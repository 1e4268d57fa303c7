import Realtime

/// What streams that have ended leave to those that go on elsewhere with the same: open files, for to open
/// one and read its header takes as long as to mix a second of it, and rings, whose memory the system would
/// have to find anew.
final class StreamStock: Sendable {
    private typealias Readers = [OpenReader.Key: [OpenReader]]

    // The first are those of the streams that ended last.
    private let readers = Guarded((fresh: Readers(), old: Readers()))
    private let rings = Guarded([SampleRing]())

    /// Empty.
    init() {}

    deinit { rings.withLock { for ring in $0 { ring.destroy() } } }

    /// A reader that nobody uses; nil if there is none.
    func takeReader(_ key: OpenReader.Key) -> OpenReader? { readers.withLock { $0.old[key]?.popLast() } }

    /// Keeps what a stream that has ended read last.
    func keep(_ ended: OpenReader) { readers.withLock { $0.fresh[ended.key, default: []].append(ended) } }

    /// A ring of so many frames and channels that nobody uses; nil if there is none.
    func takeRing(_ frames: Int, channels: Int) -> SampleRing? {
        rings.withLock { rings in
            rings.lastIndex { $0.capacity == frames && $0.channels == channels }.map { rings.remove(at: $0) }
        }
    }

    /// Keeps the ring of a stream that has ended.
    func keep(_ ended: SampleRing) {
        ended.reset()
        rings.withLock { $0.append(ended) }
    }

    /// From here on those readers are to be had that were kept since the last call. Earlier ones, which
    /// nobody took meanwhile, are closed.
    func turnOver() {
        let unused = readers.withLock { readers in
            defer { readers = (fresh: [:], old: readers.fresh) }
            return readers.old
        }
        // Closed here, where nobody waits for the lock.
        withExtendedLifetime(unused) {}
    }
}
