import Foundation
import Realtime
import Synchronization
import Testing

@Suite struct WakeUpTests {
    @Test func aSignalBeforeTheWaitIsNotLost() {
        let wakeUp = WakeUp()
        defer { wakeUp.destroy() }
        wakeUp.signal()
        let start = monotonicNanoseconds()
        wakeUp.wait(milliseconds: 60_000)
        #expect(monotonicNanoseconds() - start < 30_000_000_000, "it came back by the signal")
    }

    /// Whoever is woken sees what was done before the signal, also where one was pending already.
    @Test func workBeforeASignalIsSeenBehindTheWait() {
        let wakeUp = WakeUp()
        let done = Box()
        let count = 50_000
        // A thread, not a task: the few threads of tasks may all be waiting in tests.
        let sender = Thread {
            for n in 1...count {
                done.value.store(n, ordering: .relaxed)
                wakeUp.signal()
            }
            done.isOver.store(true, ordering: .releasing)
        }
        sender.start()
        var seen = 0
        var waits = 0
        while seen < count, waits < 10 * count {
            wakeUp.wait(milliseconds: 10_000)
            seen = done.value.load(ordering: .relaxed)
            waits += 1
        }
        #expect(seen == count)
        while !done.isOver.load(ordering: .acquiring) { usleep(100) }
        wakeUp.destroy()
    }

    private final class Box: Sendable {
        let value = Atomic<Int>(0)
        let isOver = Atomic<Bool>(false)
    }
}
