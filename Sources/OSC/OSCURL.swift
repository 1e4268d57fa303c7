import Glibc

/// Where an OSC server listens: `osc.udp://HOST:PORT/` or `osc.tcp://HOST:PORT/`, as liblo writes it.
public struct OSCURL: Equatable, Sendable, CustomStringConvertible {
    public enum Transport: String, Sendable { case udp, tcp }

    public var transport: Transport
    public var host: String
    public var port: UInt16

    public init(transport: Transport, host: String, port: UInt16) {
        self.transport = transport
        self.host = host
        self.port = port
    }

    /// nil if `text` is not such a URL. `osc://` is UDP.
    public init?(_ text: String) {
        guard let colon = text.range(of: "://") else { return nil }
        switch text[..<colon.lowerBound] {
        case "osc.udp", "osc": transport = .udp
        case "osc.tcp": transport = .tcp
        default: return nil
        }
        var rest = text[colon.upperBound...]
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let last = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: last)...]), port > 0 else { return nil }
        var host = rest[..<last]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = port
    }

    public var description: String { "osc.\(transport)://\(host.contains(":") ? "[\(host)]" : host):\(port)/" }
}

extension StringProtocol {
    /// The first place of `text`: the standard library has it only with Foundation.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}

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

    var family: Int32 { with { address, _ in Int32(address.pointee.sa_family) } }

    func with<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        bytes.withUnsafeBytes { body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count)) }
    }

    /// The port that a bound socket got.
    static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        // Both families keep the port in the same place.
        return withUnsafeBytes(of: storage) { UInt16($0[2]) << 8 | UInt16($0[3]) }
    }
}

/// Why the network refused, and what was tried.
public struct OSCNetworkError: Error, Equatable, CustomStringConvertible {
    public let action: String
    public let reason: String

    init(_ action: String, errno code: Int32 = errno) {
        self.action = action
        reason = String(cString: strerror(code))
    }

    init(_ action: String, reason: String) {
        self.action = action
        self.reason = reason
    }

    public var description: String { "cannot \(action): \(reason)" }
}
