import OSC
import Testing

@Suite struct FairQueueTests {
    private func all(_ queue: inout FairQueue<String>) -> [String] {
        var said: [String] = []
        while let (packet, peer) = queue.next() { said.append("\(peer)\(packet[0])") }
        return said
    }

    @Test func peersTakeTurnsAndEachKeepsItsOrder() {
        var queue = FairQueue<String>()
        for n in 0..<4 { queue.append([UInt8(n)], from: "a") }
        for n in 0..<2 { queue.append([UInt8(n)], from: "b") }
        queue.append([9], from: "c")
        #expect(all(&queue) == ["a0", "b0", "c9", "a1", "b1", "a2", "a3"])
        #expect(!queue.hasNext())
    }

    @Test func aPeerThatMayNotTalkKeepsItsPackets() {
        var queue = FairQueue<String>()
        for n in 0..<2 { queue.append([UInt8(n)], from: "a") }
        queue.append([5], from: "b")
        let (first, second) = (queue.next { $0 != "a" }, queue.next { $0 != "a" })
        #expect(first?.peer == "b" && second == nil)
        #expect(!queue.hasNext { $0 != "a" } && queue.hasNext())
        #expect(all(&queue) == ["a0", "a1"])
    }

    @Test func onePeerCanLeaveOnlySoMuchAndHarmsNobody() {
        var queue = FairQueue<String>(maximumPackets: 3, maximumBytes: 10, maximumPeers: 2)
        func isTaken(_ packet: [UInt8], _ peer: String) -> Bool { queue.append(packet, from: peer) }
        #expect(isTaken([1, 2, 3, 4], "a"))
        #expect(isTaken([1, 2, 3, 4], "a"))
        #expect(!isTaken([1, 2, 3, 4], "a"), "too many bytes")
        #expect(isTaken([1], "a"))
        #expect(!isTaken([1], "a"), "too many packets")
        #expect(isTaken([7], "b"))
        #expect(!isTaken([8], "c"), "too many peers")
        queue.forget("a")
        #expect(isTaken([8], "c"))
        #expect(all(&queue) == ["b7", "c8"])
    }

    @Test func aPeerThatNeverStopsIsHeardInOrder() {
        var queue = FairQueue<String>(maximumPackets: 8)
        var next = 0
        for n in 0..<10_000 {
            queue.append([UInt8(n % 251)], from: "a")
            if n % 3 != 0 || queue.count(of: "a") == 8 {
                let said = queue.next()?.packet
                #expect(said == [UInt8(next % 251)])
                next += 1
            }
        }
        #expect(next > 6000)
    }
}

@Suite struct StreamFramingTests {
    @Test(arguments: [1, 2, 3, 7, 1000]) func slipIsDecodedHoweverItIsCut(size: Int) throws {
        let packets: [[UInt8]] = [[1, 2, 3, 4], [0xc0, 0xdb, 0xdc, 0xdd], [0xdb, 0xdb, 0xc0, 0xc0]]
        var bytes: [UInt8] = [0xc0]
        for packet in packets {
            for byte in packet {
                bytes += byte == 0xc0 ? [0xdb, 0xdc] : (byte == 0xdb ? [0xdb, 0xdd] : [byte])
            }
            bytes.append(0xc0)
        }
        var framing = StreamFraming()
        var found: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let whole = framing.receive(bytes[start..<min(bytes.count, start + size)])
            found += try #require(whole)
        }
        #expect(found == packets)
    }

    @Test func aStreamWithoutAnEndIsGivenUpInTheEnd() {
        var framing = StreamFraming()
        _ = framing.receive([0xc0, 1])
        let part = [UInt8](repeating: 1, count: 65536)
        var parts = 0
        while framing.receive(part) != nil { parts += 1 }
        #expect(parts == 63, "four mebibytes")
    }

    @Test func anEscapeOfNothingMakesNoSense() {
        var framing = StreamFraming()
        let (first, second) = (framing.receive([0xc0, 0xdb]), framing.receive([0x01]))
        #expect(first == [] && second == nil)
    }
}
