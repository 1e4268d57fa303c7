import CLiblo
import Glibc

extension OSCPacket {
    /// Coded messages as bundles that take effect at once, each as long as `limit` allows.
    public static func bundles(_ messages: [[UInt8]], limit: Int) -> [[UInt8]] {
        let head = Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]
        var bundles: [[UInt8]] = []
        for message in messages {
            let element = StreamFraming.withLength(message)
            if bundles.isEmpty || bundles[bundles.count - 1].count + element.count > limit {
                bundles.append(head)
            }
            bundles[bundles.count - 1] += element
        }
        return bundles
    }
}

/// What one packet holds: messages, each with the time it is to take effect, as an NTP timestamp; 1 means at
/// once.
public struct OSCPacket: Equatable, Sendable {
    public var messages: [(time: UInt64, message: OSCMessage)] = []

    public static let immediately: UInt64 = 1
    private static let maximumDepth = 8

    /// - Throws: `OSCPacketError`; a packet that is not whole is not taken at all.
    public init(_ bytes: some Collection<UInt8>) throws(OSCPacketError) {
        try read(Array(bytes)[...], time: Self.immediately, depth: 0)
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>, time: UInt64, depth: Int) throws(OSCPacketError) {
        guard bytes.starts(with: Array("#bundle\0".utf8)) else {
            messages.append((time, try OSCMessage(packet: bytes)))
            return
        }
        guard depth < Self.maximumDepth else {
            throw OSCPacketError(reason: "its bundles lie too deep in each other")
        }
        guard bytes.count >= 16 else { throw OSCPacketError(reason: "a bundle has a time tag") }
        let tag = bytes.dropFirst(8).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        var rest = bytes.dropFirst(16)
        while !rest.isEmpty {
            try readElement(of: &rest, time: tag, depth: depth)
        }
    }

    private mutating func readElement(
        of rest: inout ArraySlice<UInt8>, time tag: UInt64, depth: Int
    ) throws(OSCPacketError) {
        guard rest.count >= 4 else { throw OSCPacketError(reason: "an element of a bundle has no size") }
        let size = Int(rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        rest = rest.dropFirst(4)
        guard size > 0, size % 4 == 0, size <= rest.count else {
            throw OSCPacketError(reason: "an element of a bundle has a wrong size")
        }
        try read(rest.prefix(size), time: tag, depth: depth + 1)
        rest = rest.dropFirst(size)
    }

    public static func == (a: OSCPacket, b: OSCPacket) -> Bool {
        a.messages.elementsEqual(b.messages) { $0.time == $1.time && $0.message == $1.message }
    }
}
