import Glibc
import OSC
import Realtime
import Synchronization
import Testing

@Suite struct OSCClientTests {
    /// A port that is taken, and where nobody listens: whoever connects is refused at once.
    private final class ClosedPort: Sendable {
        private let descriptor: Int32
        let number: UInt16
        let isOver = Atomic(false)

        init() {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                    _ = bind(descriptor, place, length)
                    _ = getsockname(descriptor, place, &length)
                }
            }
            (self.descriptor, number) = (descriptor, UInt16(bigEndian: address.sin_port))
        }

        deinit { close(descriptor) }
    }

    /// Its descriptor is closed once: closed twice, it would by then be somebody else's.
    @Test func aClientThatIsRefusedClosesNothingOfOthers() async {
        let port = ClosedPort()
        async let refusals = refusals(at: port, times: 2000)
        async let losses = losses(until: port)
        let (refused, lost) = await (refusals, losses)
        #expect(refused == 2000 && lost == 0)
    }

    /// How many of so many clients are refused.
    @concurrent private func refusals(at port: ClosedPort, times: Int) async -> Int {
        defer { port.isOver.store(true, ordering: .releasing) }
        let url = OSCURL(transport: .tcp, host: "127.0.0.1", port: port.number)
        return (0..<times).count { _ in (try? OSCClient(url)) == nil }
    }

    /// How many files are closed meanwhile by another than who has opened them.
    @concurrent private func losses(until port: ClosedPort) async -> Int {
        var lost = 0
        let end = monotonicNanoseconds() + 60_000_000_000
        while !port.isOver.load(ordering: .acquiring), monotonicNanoseconds() < end {
            let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
            if close(file) != 0 { lost += 1 }
        }
        return lost
    }
}
