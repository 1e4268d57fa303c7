/// Cuts a TCP stream into OSC packets, in whichever of the two ways its first byte shows: each after its length in four bytes,
/// big-endian (OSC 1.0, what liblo sends), or each between the END bytes of SLIP (OSC 1.1, RFC 1055). Answers go the same way.
package struct StreamFraming {
    private enum Way { case unknown, length, slip }

    private var way = Way.unknown
    private var buffer: [UInt8] = []

    package init() {}

    /// A stream is not bound to the size of a datagram: lists of many tracks are longer.
    static let maximumBytes = 4 << 20

    private static let end: UInt8 = 0xc0
    private static let escape: UInt8 = 0xdb
    private static let escapedEnd: UInt8 = 0xdc
    private static let escapedEscape: UInt8 = 0xdd

    /// Adds received bytes and returns the packets that are now whole; nil if the stream makes no sense any more.
    package mutating func receive(_ bytes: some Collection<UInt8>) -> [[UInt8]]? {
        buffer += bytes
        // A length whose first byte is END would be of 3 GB.
        if case .unknown = way, let first = buffer.first { way = first == Self.end ? .slip : .length }
        return way == .slip ? takeBetweenEnds() : takeByLength()
    }

    private mutating func takeByLength() -> [[UInt8]]? {
        var packets: [[UInt8]] = []
        var place = 0
        while buffer.count - place >= 4 {
            let size = Int(buffer[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            guard size > 0, size <= Self.maximumBytes else { return nil }
            guard buffer.count - place - 4 >= size else { break }
            packets.append(Array(buffer[(place + 4)..<(place + 4 + size)]))
            place += 4 + size
        }
        buffer.removeFirst(place)
        return packets
    }

    private mutating func takeBetweenEnds() -> [[UInt8]]? {
        let parts = buffer.split(separator: Self.end, omittingEmptySubsequences: false)
        buffer = Array(parts[parts.count - 1])
        if buffer.count > 2 * Self.maximumBytes { return nil }
        var packets: [[UInt8]] = []
        for part in parts.dropLast() where !part.isEmpty {
            guard let packet = Self.unescaped(part) else { return nil }
            packets.append(packet)
        }
        return packets
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var packet: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte != escape {
                packet.append(byte)
            } else if let code = rest.popFirst(), code == escapedEnd || code == escapedEscape {
                packet.append(code == escapedEnd ? end : escape)
            } else {
                return nil
            }
        }
        return packet
    }

    /// `packet` as the other side expects it.
    func framed(_ packet: [UInt8]) -> [UInt8] {
        guard way == .slip else { return Self.withLength(packet) }
        return [Self.end] + packet.flatMap { byte in
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
        return [UInt8(size >> 24), UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)] + packet
    }
}
