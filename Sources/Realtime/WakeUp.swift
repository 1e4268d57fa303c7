import CRealtime
import Glibc
import Synchronization

/// Wakes a sleeping thread from the audio thread: at most one post is pending, so that posting often costs
/// little. A copy is a handle to the same semaphore. `destroy` it once, when no thread waits.
public struct WakeUp: @unchecked Sendable {
    // Safe to share: POSIX semaphores and atomics are made for it.
    private struct State: ~Copyable {
        let pending = Atomic<Bool>(false)
    }

    private let state: UnsafeMutablePointer<State>
    private let semaphore: UnsafeMutablePointer<sem_t>

    public init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    public func destroy() {
        sem_destroy(semaphore)
        semaphore.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Any thread, the audio thread too. Never blocks.
    @_noLocks
    public func signal() {
        if !state.pointee.pending.exchange(true, ordering: .acquiringAndReleasing) { rt_post(semaphore) }
    }

    /// Sleeps until a signal comes, at most `milliseconds`. Not for the audio thread.
    public func wait(milliseconds: Int) {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        let nanoseconds = deadline.tv_nsec + milliseconds % 1000 * 1_000_000
        deadline.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        sem_timedwait(semaphore, &deadline)
        // What was done before a signal is seen by whoever it wakes, also where the signal found one pending.
        _ = state.pointee.pending.exchange(false, ordering: .acquiringAndReleasing)
    }
}
