import Glibc
import Realtime
import Synchronization
import Testing

@Suite("What a thread carries out to its end")
struct CancellationTests {
    /// What the thread and the test know of each other.
    private final class Shared: Sendable {
        let isInside = WakeUp()
        let isDone = Atomic(false)

        deinit { isInside.destroy() }
    }

    @Test("a thread that is cancelled goes on until it is out of what it must not leave half done")
    func aCancelledThreadFinishesWhatItMustNotLeave() {
        let shared = Shared()
        var thread = pthread_t()
        let started = pthread_create(
            &thread, nil,
            { context in
                let shared = Unmanaged<Shared>.fromOpaque(context!).takeUnretainedValue()
                withoutCancellation {
                    shared.isInside.signal()
                    // A thread may be cancelled where it sleeps.
                    usleep(50_000)
                    shared.isDone.store(true, ordering: .releasing)
                }
                // It ends here, at once: half a minute is for a machine that is held up.
                let end = monotonicNanoseconds() + 30_000_000_000
                while monotonicNanoseconds() < end {
                    pthread_testcancel()
                    sched_yield()
                }
                return nil
            }, Unmanaged.passUnretained(shared).toOpaque())
        #expect(started == 0)
        shared.isInside.wait(milliseconds: 10_000)
        pthread_cancel(thread)
        pthread_join(thread, nil)
        let isDone = shared.isDone.load(ordering: .acquiring)
        #expect(isDone)
    }
}
