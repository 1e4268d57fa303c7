import Glibc
import Realtime

/// What other threads have for the control thread: they post, it is woken.
package final class Mailbox<Message: Sendable>: EventSource, @unchecked Sendable {
    // Safe to share: what is posted is behind a lock, and `handle` is the control thread's own.
    private let posted = Guarded<[Message]>([])
    private let doorbell = Doorbell()
    private let handle: (Message) -> Void

    /// - Parameter handle: called on the control thread for each message, in their order.
    package init(_ handle: @escaping (Message) -> Void) { self.handle = handle }

    /// Any thread but the audio thread. Never waits.
    package func post(_ message: Message) {
        posted.withLock { $0.append(message) }
        doorbell.ring()
    }

    package var descriptors: [pollfd] { [doorbell.pollDescriptor] }

    package func dispatch() {
        doorbell.answer()
        let messages = posted.withLock { messages in
            defer { messages = [] }
            return messages
        }
        for message in messages { handle(message) }
    }
}
