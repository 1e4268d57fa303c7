import Engine
import Foundation
import Realtime
import Synchronization
import Testing

@Suite struct QueueTests {
    @Test(arguments: [true, false])
    func ordersComeOutInOrderAndAFullQueueRefuses(isLocked: Bool) {
        let queue = Queue<NumberedOrder>(capacity: 4, isLocked: isLocked)
        defer { queue.destroy() }
        #expect(queue.peek()?.number == nil)
        for i in 0..<4 { #expect(queue.put(NumberedOrder(.play(player: 0), number: Int64(i), at: nil))) }
        #expect(!queue.put(NumberedOrder(.play(player: 0), number: 9, at: nil)))
        for i in 0..<4 {
            #expect(queue.peek()?.number == Int64(i))
            queue.drop()
        }
        #expect(queue.peek()?.number == nil)
    }

    @Test func nothingIsLostOrTornBetweenTwoThreads() {
        let queue = Queue<NumberedOrder>(capacity: 64)
        let count = 200_000
        let isOver = Over()
        // A thread, not a task: the few threads of tasks may all be waiting in tests.
        let sender = Thread {
            for i in 0..<count {
                while !queue.put(NumberedOrder(.stop(player: 0), number: Int64(i), at: Int64(2 * i))),
                    !isOver.asked.load(ordering: .relaxed)
                { sched_yield() }
            }
            isOver.value.store(true, ordering: .releasing)
        }
        sender.start()
        var next = 0
        while next < count {
            guard let order = queue.peek() else {
                sched_yield()
                continue
            }
            guard order.number == Int64(next), order.at == Int64(2 * next) else {
                Issue.record("order \(order.number) for \(order.at ?? -1) came in place of \(next)")
                break
            }
            queue.drop()
            next += 1
        }
        isOver.asked.store(true, ordering: .relaxed)
        while !isOver.value.load(ordering: .acquiring) { sched_yield() }
        queue.destroy()
        #expect(next == count)
    }

    private final class Over: Sendable {
        let asked = Atomic<Bool>(false)
        let value = Atomic<Bool>(false)
    }
}
