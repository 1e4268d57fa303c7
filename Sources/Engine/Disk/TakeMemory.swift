/// What strips remembered where a take begins, as its file keeps it: a render that begins there goes on as
/// what was heard live did. Where something of before was heard on there, also what they remembered when that
/// was over.
package struct TakeMemory {
    /// By what of a strip it is.
    typealias Words = [MemoryPlace: Content]

    /// What one thing remembered: as many words as have come of so many, from the first on.
    struct Content {
        let total: Int
        private(set) var words: [UInt32] = []

        var isWhole: Bool { words.count == total }

        init(total: Int, _ words: [UInt32] = []) { (self.total, self.words) = (total, words) }

        /// - Returns: false if something before it is missing.
        mutating func add(_ next: [UInt32], at first: Int) -> Bool {
            if first != words.count { return false }
            words += next
            return true
        }
    }

    /// The frame of the timeline where the take begins, at its own rate.
    let start: Int64
    /// When that was, in milliseconds since 1970: takes of one pass have the same.
    let begun: Int64
    /// By how many frames behind the start, and by the strip's name; the take's own track has none.
    let places: [Int64: [String: Words]]

    /// Of this format; a later one is another number.
    private static let version: UInt32 = 1

    init(start: Int64, begun: Int64, _ places: [Int64: [String: Words]]) {
        (self.start, self.begun, self.places) = (start, begun, places)
    }

    /// In words of 32 bits, the least byte first: the version; where the take begins, and when that was, of
    /// 64 bits each; then for each thing that remembers: how many frames behind that; the strip's name in
    /// UTF-8, by how many bytes it has and padded with zeros; what it is, which of several, which channel;
    /// how many words there are of it, how many of these follow, and these.
    var bytes: [UInt8] {
        var writer = WordWriter()
        writer.add([Self.version])
        for number in [start, begun] {
            writer.add([UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number >> 32)])
        }
        for (frames, strips) in places.sorted(by: { $0.key < $1.key }) {
            for (name, words) in strips.sorted(by: { $0.key < $1.key }) {
                for (place, content) in words {
                    writer.add([UInt32(frames)])
                    writer.add(name)
                    writer.add(
                        [place.unit.rawValue, place.index, place.channel].map { UInt32(bitPattern: $0) })
                    writer.add([UInt32(content.total), UInt32(content.words.count)])
                    writer.add(content.words)
                }
            }
        }
        return writer.bytes
    }

    /// nil of what is no such memory, or one of another version.
    init?(bytes: [UInt8]) {
        var reader = WordReader(bytes: bytes[...])
        guard reader.word() == Self.version, let start = reader.long(), let begun = reader.long(),
            Route.positions.contains(start)
        else { return nil }
        var places: [Int64: [String: Words]] = [:]
        while !reader.bytes.isEmpty {
            guard let frames = reader.word(), let name = reader.text(), let unit = reader.word(),
                let index = reader.word(), let channel = reader.word(), let total = reader.word(),
                let words = reader.words()
            else { return nil }
            // A unit that this version does not know is left out.
            guard let unit = MemoryPlace.Unit(rawValue: Int32(bitPattern: unit)) else { continue }
            let place = MemoryPlace(
                unit, index: Int(Int32(bitPattern: index)), channel: Int(Int32(bitPattern: channel)))
            places[Int64(frames), default: [:]][name, default: [:]][place] = Content(total: Int(total), words)
        }
        self.init(start: start, begun: begun, places)
    }
}

/// Writes what `WordReader` reads.
private struct WordWriter {
    var bytes: [UInt8] = []

    mutating func add(_ words: [UInt32]) {
        words.map(\.littleEndian).withUnsafeBytes { bytes += $0 }
    }

    mutating func add(_ text: String) {
        add([UInt32(text.utf8.count)])
        bytes += Array(text.utf8) + [UInt8](repeating: 0, count: -text.utf8.count & 3)
    }
}

/// Reads what stands in a file, and no further.
private struct WordReader {
    var bytes: ArraySlice<UInt8>

    private mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        if count > bytes.count { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    mutating func word() -> UInt32? { words(1)?[0] }

    mutating func long() -> Int64? {
        words(2).map { Int64(bitPattern: UInt64($0[0]) | UInt64($0[1]) << 32) }
    }

    mutating func text() -> String? {
        guard let count = word(), let name = read(Int(count)), read(-Int(count) & 3) != nil else {
            return nil
        }
        return String(validating: name, as: UTF8.self)
    }

    /// As many as the first one says.
    mutating func words() -> [UInt32]? { word().flatMap { words(Int($0)) } }

    private mutating func words(_ count: Int) -> [UInt32]? {
        guard count <= bytes.count / 4, let content = read(4 * count) else { return nil }
        return content.withUnsafeBytes { raw in
            (0..<count).map {
                UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
            }
        }
    }
}
