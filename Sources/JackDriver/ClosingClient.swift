import CRealtime
import Glibc
import Realtime

/// A client that leaves its server on a thread of its own. Where the server is going, or gone, libjack may
/// wait for it for ever (jackd2 1.9.21, now and then); nobody else does.
public final class ClosingClient: @unchecked Sendable {
    // Safe to share: the client is that thread's alone from now on, and the rest is behind a lock.
    private let client: JackClient
    private let isOver = Guarded(false)

    /// A thread of libjack's may still carry out what the server has said last, under locks that all clients
    /// of this process share. Closing would end it there (jackd2 1.9.21), and no client would ever come to a
    /// server again: it has so many microseconds to come to its own end, which is the server's.
    private static let rest: useconds_t = 300_000

    /// Begins to close `client`, which nobody else may use any more.
    public init(_ client: JackClient) {
        self.client = client
        var thread = pthread_t()
        let started =
            pthread_create(
                &thread, nil,
                { context in
                    let closing = Unmanaged<ClosingClient>.fromOpaque(context!).takeRetainedValue()
                    rt_name_thread("jmix-closing")
                    if closing.client.isServerGone { usleep(ClosingClient.rest) }
                    closing.client.close()
                    closing.isOver.withLock { $0 = true }
                    return nil
                }, Unmanaged.passRetained(self).toOpaque()) == 0
        if started {
            pthread_detach(thread)
        } else {
            Unmanaged.passUnretained(self).release()
            client.close()
            isOver.withLock { $0 = true }
        }
    }

    /// It has left: no callback comes any more.
    public var isDone: Bool { isOver.withLock { $0 } }

    /// Waits until it has left, for so long at the most.
    /// - Returns: whether it has.
    public func wait(milliseconds: Int) -> Bool {
        for _ in 0..<milliseconds where !isDone { usleep(1000) }
        return isDone
    }
}
