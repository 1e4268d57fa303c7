import Glibc

/// Tells systemd, or whoever else started the mixer, that it is ready or about to end: a datagram to
/// `$NOTIFY_SOCKET`, as sd_notify(3) says. Nothing without one.
package enum ReadyNotice {
    package static func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
    package static func stopping() { send("STOPPING=1") }

    private static func send(_ text: String) {
        guard let name = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }),
            name.hasPrefix("/") || name.hasPrefix("@")
        else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: bytes)
            // A name that begins with @ is in no folder: its first byte is 0.
            if bytes[0] == UInt8(ascii: "@") { path[0] = 0 }
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + bytes.count)
        let message = Array(text.utf8)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
