import Files
import Glibc

/// A picture that says what a recording looks like: JPEG or PNG.
struct Cover {
    let bytes: [UInt8]
    let mimeType: String

    /// Covers of more bytes are refused: the tag of an MP3 holds 256 MiB, and players less.
    private static let maximumBytes: Int64 = 16 << 20

    /// - Throws: `AudioFileError`: it is not there, too large, or neither JPEG nor PNG.
    init(_ path: String) throws(AudioFileError) {
        guard let size = Path.size(of: path) else {
            throw AudioFileError(
                path: path, reason: "there is no such picture, or it cannot be read", kind: .missing)
        }
        guard size <= Self.maximumBytes else {
            throw AudioFileError(path: path, reason: "a cover has at most \(Self.maximumBytes >> 20) MiB")
        }
        let bytes: [UInt8]
        do throws(FileError) { bytes = try AtomicFile.readBytes(path) } catch {
            throw AudioFileError(path: path, reason: "it cannot be read: \(error.reason)")
        }
        if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            mimeType = "image/jpeg"
        } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
            mimeType = "image/png"
        } else {
            throw AudioFileError(path: path, reason: "a cover is a JPEG or a PNG")
        }
        self.bytes = bytes
    }
}

/// A cover as Vorbis comments hold it: FLAC's PICTURE block (RFC 9639, 8.8), in base64.
struct VorbisPicture {
    let text: String

    /// nil: it is no cover.
    init?(_ path: String) {
        guard let cover = try? Cover(path) else { return nil }
        func word(_ number: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        }
        // The front cover, without a description; sizes and colours of 0 say: look into the picture.
        let mime = Array(cover.mimeType.utf8)
        let block =
            word(3) + word(mime.count) + mime + word(0) + word(0) + word(0) + word(0) + word(0)
            + word(cover.bytes.count) + cover.bytes
        text = Self.base64(block)
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 3 * 4 + 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let (a, b, c) = (
                bytes[start], start + 1 < bytes.count ? bytes[start + 1] : 0,
                start + 2 < bytes.count ? bytes[start + 2] : 0
            )
            let group = Int(a) << 16 | Int(b) << 8 | Int(c)
            for place in 0..<4 {
                text.append(
                    start + place <= bytes.count ? letters[group >> (18 - 6 * place) & 63] : UInt8(ascii: "=")
                )
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
