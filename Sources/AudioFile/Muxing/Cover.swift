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
