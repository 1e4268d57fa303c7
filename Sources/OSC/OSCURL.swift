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
        guard let last = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: last)...]),
            port > 0
        else { return nil }
        var host = rest[..<last]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = port
    }

    /// The same server over TCP, where it listens by both.
    public var overTCP: OSCURL { OSCURL(transport: .tcp, host: host, port: port) }

    public var description: String {
        "osc.\(transport)://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
    }
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
