/// What strips remembered where a take begins, as its file keeps it: a render that begins there goes on as
/// what was heard live did. Where something of before was heard on there, also what they remembered when that
/// was over.
package struct TakeMemory {
    /// By what of a strip it is.
    typealias Words = [MemoryPlace: [UInt32]]

    /// The frame of the timeline where the take begins, at its own rate.
    let start: Int64
    /// By how many frames behind that, and by the strip's name; the take's own track has none.
    let places: [Int64: [String: Words]]

    /// Of this format; a later one is another number.
    private static let version: UInt32 = 1

    init(start: Int64, _ places: [Int64: [String: Words]]) { (self.start, self.places) = (start, places) }

    /// In words of 32 bits, the least byte first: the version; where the take begins; then for each thing
    /// that remembers: how many frames behind that; the strip's name in UTF-8, by how many bytes it has and
    /// padded with zeros; what it is, which of several, which channel; how many words follow, and these.
    var bytes: [UInt8] {
        var writer = WordWriter()
        writer.add([Self.version, UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: start >> 32)])
        for (frames, strips) in places {
            for (name, words) in strips {
                for (place, content) in words {
                    writer.add([UInt32(frames)])
                    writer.add(name)
                    let numbers = [place.unit.rawValue, place.index, place.channel, Int32(content.count)]
                    writer.add(numbers.map { UInt32(bitPattern: $0) } + content)
                }
            }
        }
        return writer.bytes
    }

    /// nil of what is no such memory, or one of another version.
    init?(bytes: [UInt8]) {
        var reader = WordReader(bytes: bytes[...])
        guard reader.word() == Self.version, let low = reader.word(), let high = reader.word() else {
            return nil
        }
        var places: [Int64: [String: Words]] = [:]
        while !reader.bytes.isEmpty {
            guard let frames = reader.word(), let name = reader.text(), let unit = reader.word(),
                let index = reader.word(),
                let channel = reader.word(), let content = reader.words()
            else { return nil }
            // A unit that this version does not know is left out.
            guard let unit = MemoryPlace.Unit(rawValue: Int32(bitPattern: unit)) else { continue }
            let place = MemoryPlace(
                unit, index: Int(Int32(bitPattern: index)), channel: Int(Int32(bitPattern: channel)))
            places[Int64(frames), default: [:]][name, default: [:]][place] = content
        }
        self.init(start: Int64(bitPattern: UInt64(low) | UInt64(high) << 32), places)
    }
}

/// Writes what `WordReader` reads.
private struct WordWriter {
    var bytes: [UInt8] = []

    mutating func add(_ words: [UInt32]) {
        for word in words { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    }

    mutating func add(_ text: String) {
        add([UInt32(text.utf8.count)])
        bytes += Array(text.utf8) + [UInt8](repeating: 0, count: -text.utf8.count & 3)
    }
}

/// Reads what stands in a file, and no further.
private struct WordReader {
    var bytes: ArraySlice<UInt8>

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        if count > bytes.count { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    mutating func word() -> UInt32? { take(4).map { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } } }

    mutating func text() -> String? {
        guard let count = word(), let name = take(Int(count)), take(-Int(count) & 3) != nil else {
            return nil
        }
        return String(validating: name, as: UTF8.self)
    }

    mutating func words() -> [UInt32]? {
        guard let count = word(), Int(count) <= bytes.count / 4 else { return nil }
        return (0..<count).map { _ in word() ?? 0 }
    }
}
