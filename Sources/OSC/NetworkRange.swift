import Glibc

/// The addresses that share their first bits: `192.168.1.0/24`, `::1/128`; without bits one address.
public struct NetworkRange: Equatable, Sendable {
    private let bytes: [UInt8]
    private let bits: Int

    /// nil if `text` is not such a range.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), let bytes = Self.bytes(parts[0]) else { return nil }
        guard let bits = parts.count == 2 ? Int(parts[1]) : bytes.count * 8,
            (0...bytes.count * 8).contains(bits)
        else { return nil }
        (self.bytes, self.bits) = (bytes, bits)
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        var six = in6_addr()
        if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
        return nil
    }

    public func contains(_ address: SocketAddress) -> Bool { contains(address.host) }

    /// The same of an address as text; an IPv4 address mapped into IPv6 counts as what it is.
    public func contains(address: String) -> Bool {
        Self.bytes(address.lowercased().hasPrefix("::ffff:") ? String(address.dropFirst(7)) : address).map(
            contains) ?? false
    }

    private func contains(_ host: [UInt8]) -> Bool {
        guard host.count == bytes.count else { return false }
        let (whole, rest) = (bits / 8, bits % 8)
        guard host[..<whole] == bytes[..<whole] else { return false }
        return rest == 0 || (host[whole] ^ bytes[whole]) >> (8 - rest) == 0
    }
}

extension SocketAddress {
    /// The address without its port: four bytes or sixteen, in the order of the network; an IPv4 address
    /// mapped into IPv6 as four.
    var host: [UInt8] {
        if family == AF_INET { return Array(bytes[4..<8]) }
        guard family == AF_INET6, bytes.count >= 24 else { return [] }
        let host = Array(bytes[8..<24])
        return host[..<12] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] ? Array(host[12...]) : host
    }
}
