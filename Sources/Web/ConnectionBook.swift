import NIOCore
import OSC
import Realtime

/// Who is connected: no more than so many, and nobody new is kept out by those who only hold a place. The
/// web's thread alone.
package final class ConnectionBook: @unchecked Sendable {
    // Safe to share: behind a lock, though one thread uses it.
    private struct Entry {
        let channel: any Channel
        let number: Int
        var standing = Standing.stranger
    }

    /// Who makes room first; what uploads and WebSockets make room for nobody.
    enum Standing: Int, Comparable {
        case stranger
        /// It has shown that it may come in.
        case granted
        case uploading
        case webSocket

        static func < (a: Standing, b: Standing) -> Bool { a.rawValue < b.rawValue }
    }

    private let entries = Guarded<(last: Int, open: [ObjectIdentifier: Entry])>((0, [:]))

    package init() {}

    /// Beyond it one makes room.
    static let maximum = 256
    private static let maximumWebSockets = 192

    /// Who makes room: the oldest of those that have not shown yet that they may come in, else of those that
    /// wait for nothing.
    private static func firstToGo(of open: some Sequence<Entry>) -> Entry? {
        open.filter { $0.standing < .uploading }.min {
            ($0.standing, $0.number) < ($1.standing, $1.number)
        }
    }

    /// - Returns: false if it may not stay.
    func admit(_ channel: any Channel, _ allowed: [NetworkRange]) -> Bool {
        guard Self.isAllowed(channel, allowed) else { return false }
        let key = ObjectIdentifier(channel)
        let (isAdmitted, oldest) = entries.withLock { entries -> (Bool, (any Channel)?) in
            var oldest: Entry?
            if entries.open.count >= Self.maximum {
                oldest = Self.firstToGo(of: entries.open.values)
                guard let oldest else { return (false, nil) }
                entries.open[ObjectIdentifier(oldest.channel)] = nil
            }
            entries.last += 1
            entries.open[key] = Entry(channel: channel, number: entries.last)
            return (true, oldest?.channel)
        }
        oldest?.close(promise: nil)
        if isAdmitted {
            channel.closeFuture.whenComplete { [entries] _ in entries.withLock { $0.open[key] = nil } }
        }
        return isAdmitted
    }

    private static func isAllowed(_ channel: any Channel, _ allowed: [NetworkRange]) -> Bool {
        if allowed.isEmpty { return true }
        guard let text = channel.remoteAddress?.ipAddress else { return false }
        return allowed.contains { $0.contains(address: text) }
    }

    /// Whether one more may become a WebSocket.
    var hasRoom: Bool {
        entries.withLock { $0.open.values.count { $0.standing == .webSocket } < Self.maximumWebSockets }
    }

    /// A connection is more than it was; it never becomes less.
    func raise(_ channel: any Channel, to standing: Standing) {
        let key = ObjectIdentifier(channel)
        entries.withLock { entries in
            if let present = entries.open[key]?.standing, present < standing {
                entries.open[key]?.standing = standing
            }
        }
    }
}
