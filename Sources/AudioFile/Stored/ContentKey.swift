import JSON
import CXXHash
import Files
import Glibc

/// Tells what files hold from what others hold, wherever they lie and whatever they are called.
package enum ContentKey {
    /// Of files longer than 64 MiB so much is looked at, in pieces from the first byte to the last, and the
    /// time when they were changed last: a movie's sound is to begin before the whole of it has been read.
    private static let (pieces, pieceBytes) = (64, 1 << 20)

    /// XXH3 with 128 bits, of the length and the bytes; nil if the file cannot be read.
    static func of(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, let state = XXH3_createState() else { return nil }
        defer { XXH3_freeState(state) }
        XXH3_128bits_reset(state)
        let size = Int(info.st_size)
        add(UInt64(size), to: state)
        // Of a file that is not read whole.
        if size > pieces * pieceBytes { add(changedAt(info), to: state) }
        guard addPieces(of: descriptor, size, to: state) else { return nil }
        let hash = XXH3_128bits_digest(state)
        return zeroPadded(hash.high64, 16, radix: 16) + zeroPadded(hash.low64, 16, radix: 16)
    }

    /// - Returns: false: it cannot be read.
    private static func addPieces(of descriptor: Int32, _ size: Int, to state: OpaquePointer) -> Bool {
        var buffer = [UInt8](repeating: 0, count: pieceBytes)
        for place in places(size) {
            let wanted = min(pieceBytes, size - place)
            guard fill(&buffer, wanted, from: descriptor, at: place) else { return false }
            XXH3_128bits_update(state, buffer, wanted)
        }
        return true
    }

    /// When it was written on last.
    private static func changedAt(_ info: stat) -> UInt64 {
        UInt64(
            bitPattern: Int64(info.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(info.st_mtim.tv_nsec))
    }

    private static func add(_ number: UInt64, to state: OpaquePointer) {
        withUnsafeBytes(of: number.littleEndian) {
            _ = XXH3_128bits_update(state, $0.baseAddress, $0.count)
        }
    }

    /// Where the pieces begin that are looked at.
    private static func places(_ size: Int) -> [Int] {
        let count = min(pieces, (size + pieceBytes - 1) / pieceBytes)
        return (0..<count).map { piece in
            count < pieces
                ? piece * pieceBytes
                : Int((Double(size - pieceBytes) * Double(piece) / Double(pieces - 1)).rounded(.down))
        }
    }

    /// - Returns: false if the file cannot be read so far.
    private static func fill(
        _ buffer: inout [UInt8], _ wanted: Int, from descriptor: Int32, at place: Int
    ) -> Bool {
        var done = 0
        while done < wanted {
            let read = buffer.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + done, wanted - done, off_t(place + done))
            }
            guard read > 0 else { return false }
            done += read
        }
        return true
    }

    /// Of some bytes.
    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        XXH3_64bits(bytes.baseAddress, bytes.count)
    }

    static func hash(_ text: String) -> UInt64 { Array(text.utf8).withUnsafeBytes(hash) }

    /// What tells a text from others.
    package static func name(of text: String) -> String { zeroPadded(hash(text), 16, radix: 16) }
}
