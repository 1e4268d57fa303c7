import Glibc
import Realtime

/// Something that the control thread waits for.
package protocol EventSource: AnyObject {
    /// What to wait for on descriptors.
    var descriptors: [pollfd] { get }
    /// When it wants to dispatch though nothing has come, in nanoseconds of the monotonic clock; nil: never.
    var dueAt: UInt64? { get }
    /// Does what has come, and what is due. Never waits: not for a disk, a terminal or a peer.
    func dispatch()
}

extension EventSource {
    package var descriptors: [pollfd] { [] }
    package var dueAt: UInt64? { nil }
}

/// The control thread's one loop: sleeps until a source has something, then has each dispatch it, one after
/// another, so that nothing needs a lock.
package final class EventLoop {
    private let sources: [any EventSource]
    private var isEnding = false

    package init(_ sources: [any EventSource]) { self.sources = sources }

    /// Returns once `stop` has been called by a source.
    package func run() {
        while !isEnding {
            var descriptors = sources.flatMap(\.descriptors)
            poll(&descriptors, nfds_t(descriptors.count), patience)
            for source in sources { source.dispatch() }
        }
    }

    package func stop() { isEnding = true }

    /// In milliseconds, up to the first that is due; -1 where none ever is.
    private var patience: Int32 {
        guard let due = sources.compactMap(\.dueAt).min() else { return -1 }
        let now = monotonicNanoseconds()
        return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
    }
}
