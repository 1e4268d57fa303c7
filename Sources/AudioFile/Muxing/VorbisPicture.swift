import Files
import Glibc

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

    /// What stands for six bits, by RFC 4648.
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func base64(_ bytes: [UInt8]) -> String {
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
