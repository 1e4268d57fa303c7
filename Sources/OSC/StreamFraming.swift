/// Cuts a TCP stream into OSC packets: each after its length in four bytes, big-endian, as OSC 1.0 has it and liblo sends it.
struct StreamFraming {
    private var buffer: [UInt8] = []

    /// Adds received bytes and returns the packets that are now whole; nil if the stream makes no sense any more.
    mutating func receive(_ bytes: some Collection<UInt8>) -> [[UInt8]]? {
        buffer += bytes
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

    static func framed(_ packet: [UInt8]) -> [UInt8] {
        let size = UInt32(packet.count)
        return [UInt8(size >> 24), UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)] + packet
    }

    /// A stream is not bound to the size of a datagram: lists of many tracks are longer.
    static let maximumBytes = 4 << 20
}
