import OSC
import Testing
import Timeline

@Suite struct PacketTests {
    @Test(
        arguments: [
            ("*", "anything", true), ("tr?ck", "track", true), ("tr?ck", "trck", false), ("[0-9]", "7", true),
            ("[!0-9]", "7", false),
            ("{music,voice}", "voice", true), ("{music,voice}", "voices", false), ("v*e", "voice", true),
            ("*a*b*", "xxaxxbxx", true),
            ("[abc]*", "beta", true), ("1[0-2]", "11", true), ("", "", true), ("*", "", true),
            ("?", "", false), ("a", "b", false), ("{a,ab}c", "abc", true),
        ] as [(String, String, Bool)])
    func patternsMatchAsOSCSays(pattern: String, text: String, matches: Bool) throws {
        #expect(try #require(OSCPattern(pattern)).matches(text) == matches)
    }

    @Test func patternsDoNotBlowUp() throws {
        let pattern = String(repeating: "*a", count: 200) + "b"
        #expect(try #require(OSCPattern(pattern)).matches(String(repeating: "a", count: 2000)) == false)
        #expect(OSCPattern("[a") == nil)
        #expect(OSCPattern("{a,b") == nil)
    }

    @Test func aMessageWithoutTypeTagsIsAQuestion() throws {
        let packet = Array("/track/1/volume\0".utf8)
        #expect(try OSCPacket(packet).messages.map(\.message) == [OSCMessage("/track/1/volume")])
    }

    @Test func bundlesKeepTheirOrderAndTheirTime() throws {
        func element(_ message: OSCMessage) -> [UInt8] {
            [0, 0, 0, UInt8(message.packet.count)] + message.packet
        }
        let (a, b) = (OSCMessage("/a", .int32(1)), OSCMessage("/b", .float(2)))
        let packet = Array("#bundle\0".utf8) + [0, 0, 0, 7, 0, 0, 0, 0] + element(a) + element(b)
        let read = try OSCPacket(packet)
        #expect(read.messages.map(\.message) == [a, b])
        #expect(read.messages.allSatisfy { $0.time == 7 << 32 })
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4/33", "1.2.3.4/-1", "1.2.3.4/x", "::1/129", "host/8", "1.2.3.4/8/8",
    ])
    func aTextThatIsNoRangeOfAddressesIsRefused(text: String) { #expect(NetworkRange(text) == nil) }

    @Test func urlsAreReadAndWritten() {
        #expect(OSCURL("osc.udp://127.0.0.1:7770/") == OSCURL(transport: .udp, host: "127.0.0.1", port: 7770))
        #expect(OSCURL("osc.tcp://[::1]:7770")?.description == "osc.tcp://[::1]:7770/")
        for text in [
            "", "7770", "http://a:1/", "osc.udp://:1/", "osc.udp://a:0/", "osc.udp://a:99999/", "osc.udp://a",
        ] { #expect(OSCURL(text) == nil) }
    }
}
