import Glibc

/// A socket address of either family.
public struct SocketAddress: Hashable, Sendable {
    var bytes: [UInt8]

    init(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(length)))
    }

    /// The first address of `host` (a name or a number), or nil.
    static func resolve(host: String, port: UInt16, type: Int32) -> SocketAddress? {
        var hints = addrinfo()
        hints.ai_socktype = type
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let list else { return nil }
        defer { freeaddrinfo(list) }
        return SocketAddress(list.pointee.ai_addr, length: list.pointee.ai_addrlen)
    }

    /// Whether it is of this machine's loopback.
    var isLocal: Bool {
        let host = host
        return host.first == 127 && host.count == 4
            || host == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    }

    var family: Int32 { with { address, _ in Int32(address.pointee.sa_family) } }

    func with<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        bytes.withUnsafeBytes {
            body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
    }

    /// The address by which this computer speaks to it, in digits; nil where no way leads there.
    public var localHost: String? {
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Nothing is sent: the way is looked up.
        guard with({ connect(descriptor, $0, $1) }) == 0 else { return nil }
        return Self.receiving { getsockname(descriptor, $0, $1) }.1.digits
    }

    /// The host in digits.
    private var digits: String? {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = with { getnameinfo($0, $1, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) }
        return status == 0
            ? String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// Calls something that fills in an address, and returns what it returned and the address.
    static func receiving<Result>(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> (Result, SocketAddress) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let result = body(address, &length)
                return (result, SocketAddress(address, length: length))
            }
        }
    }

    /// The port that a bound socket got.
    static func port(of descriptor: Int32) -> UInt16 {
        let (_, address) = receiving { getsockname(descriptor, $0, $1) }
        // Both families keep the port in the same place.
        return address.bytes.count < 4 ? 0 : UInt16(address.bytes[2]) << 8 | UInt16(address.bytes[3])
    }
}
