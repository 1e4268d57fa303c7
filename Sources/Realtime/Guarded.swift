import Glibc

/// A value that threads take turns at. Not for the audio thread.
///
/// A POSIX mutex and not the standard library's: ThreadSanitizer knows only the former, and what it watches
/// it must understand.
public final class Guarded<Value>: @unchecked Sendable {
    // Safe to share: the value is reached under the mutex alone.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    public init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    public func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
