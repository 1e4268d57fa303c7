import Glibc
import Realtime

/// What other threads have for the control thread: they post, it is woken.
final class Mailbox<Message: Sendable>: EventSource, @unchecked Sendable {
    // Safe to share: what is posted is behind a lock, a pipe is made for two threads, and `handle` is the control thread's own.
    private let posted = Guarded<[Message]>([])
    private let reading: Int32
    private let writing: Int32
    private let handle: (Message) -> Void

    /// - Parameter handle: called on the control thread for each message, in their order.
    init(_ handle: @escaping (Message) -> Void) {
        self.handle = handle
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        (reading, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Any thread but the audio thread. Never waits.
    func post(_ message: Message) {
        let wasEmpty = posted.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        // One byte wakes, however many messages there are by then.
        if wasEmpty { _ = write(writing, [1], 1) }
    }

    var descriptors: [pollfd] { [pollfd(fd: reading, events: Int16(POLLIN), revents: 0)] }

    func turn() {
        var bytes = [UInt8](repeating: 0, count: 16)
        while read(reading, &bytes, bytes.count) > 0 {}
        let messages = posted.withLock { messages in
            defer { messages = [] }
            return messages
        }
        for message in messages { handle(message) }
    }
}
