import CRealtime
import Glibc

/// A thread of its own for work that may wait for a disk: runs its body whenever it is woken, and every so
/// often. Not for the audio thread.
public final class Worker: @unchecked Sendable {
    // Safe to share: `isEnding` is behind a lock, the rest is the owner's.
    private let body: @Sendable () -> Void
    private let name: String
    private let milliseconds: Int
    /// Wakes it from the audio thread, as long as it is there.
    public let wakeUp = WakeUp()
    private let isEnding = Guarded(false)
    private var thread = pthread_t()
    private var isRunning = false

    /// - Parameters:
    ///   - name: for `top -H`, at most 15 bytes.
    ///   - milliseconds: the longest time between two runs.
    public init(_ name: String, every milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
        self.name = name
        self.milliseconds = milliseconds
        self.body = body
        let context = Unmanaged.passUnretained(self).toOpaque()
        isRunning =
            pthread_create(
                &thread, nil,
                { context in
                    Unmanaged<Worker>.fromOpaque(context!).takeUnretainedValue().work()
                    return nil
                }, context) == 0
    }

    deinit {
        stop()
        wakeUp.destroy()
    }

    /// Has the body run soon.
    public func wake() { wakeUp.signal() }

    /// Has the body run once more and waits for that.
    public func stop() {
        guard isRunning else { return }
        isRunning = false
        isEnding.withLock { $0 = true }
        wakeUp.signal()
        pthread_join(thread, nil)
    }

    private func work() {
        rt_name_thread(name)
        while true {
            let isLast = isEnding.withLock { $0 }
            body()
            if isLast { return }
            wakeUp.wait(milliseconds: milliseconds)
        }
    }
}
