import Glibc

/// By what names and addresses this machine is reached.
enum OwnNames {
    /// - Parameter address: where the server listens.
    static func all(boundTo address: String) -> [String] {
        var names = ["localhost", "127.0.0.1", "[::1]", address.contains(":") ? "[\(address)]" : address]
        // One that listens to this machine alone is called by no other name.
        if address.hasPrefix("127.") || address == "::1" || address == "localhost" { return names }
        if let host {
            names += [host, "\(host).local", host.split(separator: ".").first.map(String.init) ?? host]
        }
        return names + addresses
    }

    /// One that others can use.
    static var shown: String {
        addresses.first { !$0.hasPrefix("127.") && !$0.hasPrefix("[") } ?? "127.0.0.1"
    }

    private static var host: String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, 255) == 0 else { return nil }
        return bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Those of all interfaces.
    private static var addresses: [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var found: [String] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr,
                [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
            else { continue }
            let isSix = Int32(address.pointee.sa_family) == AF_INET6
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(isSix ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
            guard getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let plain =
                text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }.split(separator: "%").first
                .map(String.init) ?? ""
            found.append(isSix ? "[\(plain)]" : plain)
        }
        return found
    }
}
