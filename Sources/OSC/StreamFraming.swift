/// Cuts a TCP stream into OSC packets, in whichever of the two ways its first byte shows: each after its
/// length in four bytes, big-endian (OSC 1.0, what liblo sends), or each between the END bytes of SLIP (OSC
/// 1.1, RFC 1055). Answers go the same way.
package struct StreamFraming {
    private enum Framing { case unknown, length, slip }

    private var framing = Framing.unknown
    /// What has come of the next packet; of SLIP decoded, so that each byte is looked at once.
    private var buffer: [UInt8] = []
    /// The last byte that came was SLIP's escape.
    private var isEscaped = false

    private let maximumBytes: Int

    /// - Parameter maximumBytes: of a packet that comes. A stream is not bound to the size of a datagram:
    ///   lists of many clips are longer.
    package init(maximumBytes: Int = 4 << 20) { self.maximumBytes = maximumBytes }

    private static let end: UInt8 = 0xc0
    private static let escape: UInt8 = 0xdb
    private static let escapedEnd: UInt8 = 0xdc
    private static let escapedEscape: UInt8 = 0xdd

    /// Adds received bytes and returns the packets that are now whole; nil if the stream makes no sense any
    /// more.
    package mutating func receive(_ bytes: some Collection<UInt8>) -> [[UInt8]]? {
        // A length whose first byte is END would be of 3 GB.
        if case .unknown = framing, let first = bytes.first { framing = first == Self.end ? .slip : .length }
        return framing == .slip ? takeBetweenEnds(bytes) : takeByLength(bytes)
    }

    private mutating func takeByLength(_ bytes: some Collection<UInt8>) -> [[UInt8]]? {
        buffer += bytes
        var packets: [[UInt8]] = []
        var index = 0
        while buffer.count - index >= 4 {
            let size = Int(buffer[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            guard size > 0, size <= maximumBytes else { return nil }
            guard buffer.count - index - 4 >= size else { break }
            packets.append(Array(buffer[(index + 4)..<(index + 4 + size)]))
            index += 4 + size
        }
        buffer.removeFirst(index)
        return packets
    }

    private mutating func takeBetweenEnds(_ bytes: some Collection<UInt8>) -> [[UInt8]]? {
        var packets: [[UInt8]] = []
        for byte in bytes {
            if isEscaped {
                guard byte == Self.escapedEnd || byte == Self.escapedEscape else { return nil }
                buffer.append(byte == Self.escapedEnd ? Self.end : Self.escape)
                isEscaped = false
            } else if byte == Self.end {
                if !buffer.isEmpty { packets.append(buffer) }
                buffer = []
            } else if byte == Self.escape {
                isEscaped = true
            } else {
                buffer.append(byte)
            }
            if buffer.count > maximumBytes { return nil }
        }
        return packets
    }

    /// `packet` as the other side expects it.
    func framed(_ packet: [UInt8]) -> [UInt8] {
        guard framing == .slip else { return Self.withLength(packet) }
        return [Self.end]
            + packet.flatMap { byte in
                switch byte {
                case Self.end: [Self.escape, Self.escapedEnd]
                case Self.escape: [Self.escape, Self.escapedEscape]
                default: [byte]
                }
            } + [Self.end]
    }

    /// `packet` after its length.
    static func withLength(_ packet: [UInt8]) -> [UInt8] {
        let size = UInt32(packet.count)
        return [UInt8(size >> 24), UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)]
            + packet
    }
}
