import Files
import Glibc

/// A JACK server of the mixer's own, `jackd -d dummy`: it runs in real time and needs no sound card. It ends
/// with the mixer, however that ends.
public final class PrivateServer {
    public let name: String
    /// Its place among the private servers.
    public let number: Int
    private let process: ChildProcess

    /// Starts the server; it may take a moment until it takes clients.
    /// - Parameter first: the least number it may have, from 1 on.
    /// - Throws: `JackError.cannotStart` if jackd is not installed, or all numbers are taken.
    public init(sampleRate: Int32, period: Int, from first: Int = 1) throws(JackError) {
        let claim = try Self.claim(from: first)
        // jackd has it from here on.
        defer { close(claim.socket) }
        number = claim.number
        name = Self.name(number)
        var words = ["jackd", "-n", name]
        words += Self.mayBeRealtime ? ["-R", "-P", "70"] : ["-r"]
        words += ["-d", "dummy", "-r", String(sampleRate), "-p", String(period)]
        do throws(FileError) { process = try ChildProcess(words) } catch {
            throw .cannotStart(command: words.joined(separator: " "), reason: error.reason)
        }
    }

    deinit { stop() }

    /// Whether jackd has ended on its own.
    public var hasEnded: Bool { process.hasEnded }

    /// Ends the server and waits for it.
    public func stop() { process.stop() }

    /// A name that no other private server has, from a small set: libjack keeps a list of eight servers a
    /// user, on which one that was killed stays until another of its name comes. With a new name each time,
    /// eight such ends and no server starts any more.
    ///
    /// It is claimed by an address in the abstract namespace of sockets, which the kernel frees with the last
    /// process that holds it: jackd inherits it.
    private static func claim(from first: Int) throws(JackError) -> (number: Int, socket: Int32) {
        for number in first..<9 {
            let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let path = Array("\0\(name(number))-\(getuid())".utf8)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
            }
            if status == 0 { return (number, socket) }
            close(socket)
        }
        throw .cannotStart(
            command: "jackd -n \(name(1)) -d dummy",
            reason: first == 1 ? "eight private servers are running" : "jackd ended at once")
    }

    private static func name(_ number: Int) -> String { "jmix-dummy-\(number)" }

    private static var mayBeRealtime: Bool {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit)
        return getuid() == 0 || limit.rlim_cur >= 70
    }
}
