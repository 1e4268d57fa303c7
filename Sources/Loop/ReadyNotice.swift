import Glibc

/// Tells systemd, or whoever else started the mixer, that it is ready or about to end: a datagram to
/// `$NOTIFY_SOCKET`, as sd_notify(3) says. Nothing without one.
package enum ReadyNotice {
    package static func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
    package static func stopping() { send("STOPPING=1") }

    /// nil: the name is too long for one.
    private static func place(_ name: [UInt8]) -> (sockaddr_un, length: socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: name)
            // A name that begins with @ is in no folder: its first byte is 0.
            if name[0] == UInt8(ascii: "@") { path[0] = 0 }
        }
        return (address, socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + name.count))
    }

    private static func send(_ text: String) {
        guard let name = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }),
            name.hasPrefix("/") || name.hasPrefix("@")
        else { return }
        guard let (place, length) = place(Array(name.utf8)) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let message = Array(text.utf8)
        _ = withUnsafePointer(to: place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
