import Realtime
import Testing

@Suite struct SampleRingTests {
    @Test func framesKeepTheirIndexAroundTheEnd() {
        let ring = SampleRing(capacity: 8)
        defer { ring.destroy() }
        var next = 0
        func write(_ count: Int) -> Int {
            ring.write(count) { block, room in
                for i in 0..<room {
                    block.channel(0)[i] = Float(next + i)
                    block.channel(1)[i] = -Float(next + i)
                }
                next += room
                return room
            }
        }
        #expect(write(6) == 6)
        ring.consume(upTo: 5)
        #expect(write(6) == 2)  // up to the end of the memory
        #expect(write(6) == 5)  // and on from its start, as far as there is room
        #expect(ring.available(from: 5) == 8)
        #expect(ring.contiguous(from: 6) == 2)
        for index in 5..<13 {
            #expect(ring.samples(from: index).channel(0)[0] == Float(index))
            #expect(ring.samples(from: index).channel(1)[0] == -Float(index))
        }
    }

    @Test func aRingThatIsResetBeginsAnew() {
        let ring = SampleRing(capacity: 8, isLocked: false)
        defer { ring.destroy() }
        _ = ring.write(8) { _, room in room }
        ring.consume(upTo: 7)
        ring.skip(to: 20)
        ring.reset()
        #expect(ring.written == 0 && ring.consumed == 0 && ring.free == 8 && ring.available(from: 0) == 0)
        #expect(ring.write(8) { _, room in room } == 8)
        #expect(ring.available(from: 0) == 8)
    }

    @Test func skippedFramesAreNotInTheRing() {
        let ring = SampleRing(capacity: 8)
        defer { ring.destroy() }
        ring.consume(upTo: 100)
        ring.skip(to: 104)
        _ = ring.write(4) { _, room in room }
        #expect(ring.available(from: 100) == 0)
        #expect(ring.available(from: 103) == 0)
        #expect(ring.available(from: 104) == 4)
    }
}
