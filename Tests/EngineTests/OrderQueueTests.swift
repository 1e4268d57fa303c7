import Engine
import Glibc
import Testing

@Suite struct OrderQueueTests {
    @Test func ordersComeOutInOrderAndAFullQueueRefuses() {
        let queue = OrderQueue(capacity: 4)
        defer { queue.destroy() }
        #expect(queue.peek()?.number == nil)
        for i in 0..<4 { #expect(queue.send(NumberedOrder(.play, number: Int64(i), at: nil))) }
        #expect(!queue.send(NumberedOrder(.play, number: 9, at: nil)))
        for i in 0..<4 {
            #expect(queue.peek()?.number == Int64(i))
            queue.drop()
        }
        #expect(queue.peek()?.number == nil)
    }

    @Test func nothingIsLostOrTornBetweenTwoThreads() async {
        let queue = OrderQueue(capacity: 64)
        defer { queue.destroy() }
        let count = 200_000
        async let sent: Void = Task.detached {
            for i in 0..<count { while !queue.send(NumberedOrder(.stop, number: Int64(i), at: Int64(2 * i))) { sched_yield() } }
        }.value
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
        await sent
        #expect(next == count)
    }
}
