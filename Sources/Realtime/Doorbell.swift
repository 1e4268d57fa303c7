import Glibc

/// Wakes a thread that polls descriptors: rung by any thread but the audio thread, answered by the one that
/// polls.
public final class Doorbell: @unchecked Sendable {
    // Safe to share: a pipe is made for two threads, and the flag is behind a lock.
    /// What to poll for reading.
    public let descriptor: Int32
    private let writing: Int32
    private let isRung = Guarded(false)

    public init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        (descriptor, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// Never waits. What it is rung for has to be in its place before.
    public func ring() {
        // One byte wakes, however often it is rung by then.
        isRung.withLock { isRung in
            if !isRung { _ = write(writing, [1], 1) }
            isRung = true
        }
    }

    /// To be called before looking at what it was rung for.
    public func answer() {
        isRung.withLock { isRung in
            guard isRung else { return }
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) > 0 {}
            isRung = false
        }
    }

    /// What to poll for.
    public var pollDescriptor: pollfd { pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) }
}
