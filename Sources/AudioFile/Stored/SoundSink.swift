import Files
import Glibc

/// Takes a sound as it is made, interleaved, and puts it into its file a block at a time. For one thread.
final class SoundSink {
    let channels: Int
    /// Bytes of samples that it has taken.
    private(set) var bytes = 0
    private let file: CacheFile
    /// Of the file that it fills.
    let name: String
    private let path: String
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: CacheFile.blockBytes, alignment: 64)
    private var filled = 0
    private let hasWritten: (_ bytes: Int) -> Void

    /// The longest sound that is stored, and what of the disk is left to others, in bytes.
    private static let maximumBytes = 16 << 30
    static let leastFree = Int64(1) << 30

    /// - Parameters:
    ///   - name: the file's.
    ///   - path: what the sound is made of.
    ///   - hasWritten: is told how many bytes can be read.
    init(_ file: CacheFile, named name: String, of path: String, hasWritten: @escaping (_ bytes: Int) -> Void)
    {
        (self.file, self.name, self.path, self.hasWritten) = (file, name, path, hasWritten)
        channels = Int(file.head.channels)
    }

    deinit { block.deallocate() }

    /// Takes samples: any bytes, one after the other; nil for so many bytes of silence.
    /// - Throws: `AudioFileError`: there is no room; `FileError`.
    func append(_ samples: UnsafeRawPointer?, count: Int) throws {
        var done = 0
        while done < count {
            let run = min(count - done, block.count - filled)
            if let samples {
                memcpy(block.baseAddress! + filled, samples + done, run)
            } else {
                memset(block.baseAddress! + filled, 0, run)
            }
            (done, filled, bytes) = (done + run, filled + run, bytes + run)
            if filled == block.count { try write() }
        }
    }

    /// Writes what is left. A frame that is cut at the very end is none.
    /// - Returns: how many frames there are.
    func finish() throws -> Int64 {
        let rest = bytes % (4 * channels)
        filled -= min(filled, rest)
        bytes -= rest
        try write()
        return Int64(bytes / 4 / channels)
    }

    private func write() throws {
        if filled == 0 { return }
        try file.append(UnsafeRawBufferPointer(rebasing: block[..<filled]), named: name)
        filled = 0
        guard bytes <= Self.maximumBytes else {
            throw AudioFileError(
                path: path, reason: "its sound is longer than \(Self.maximumBytes >> 30) GiB of floats")
        }
        if bytes >> 20 % 64 == 0, let free = Path.freeBytes(on: name), free < Self.leastFree {
            throw AudioFileError(
                path: path,
                reason: "there is no room left for its samples: \(Path.folder(of: name)) is nearly full")
        }
        hasWritten(bytes)
    }
}
