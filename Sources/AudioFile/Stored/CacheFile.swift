import Files
import Glibc

/// A file of decoded samples: a page that says what it is, the samples as floats, interleaved, then a hash of
/// each block of them. What a disk has changed since is noticed before it is heard.
package final class CacheFile {
    /// What the first page says.
    package struct Head: Equatable {
        package var frames: Int64 = 0
        package var channels: Int32 = 0
        package var sampleRate: Int32 = 0
        /// Why the sound ends before it should; empty: it does not.
        package var truncation = ""
        /// What else the decoder had to say; empty: nothing.
        package var remark = ""

        package init(
            frames: Int64 = 0, channels: Int32 = 0, sampleRate: Int32 = 0, truncation: String = "",
            remark: String = ""
        ) {
            (self.frames, self.channels, self.sampleRate, self.truncation, self.remark) = (
                frames, channels, sampleRate, truncation, remark
            )
        }
    }

    fileprivate static let magic = Array("jmix decoded sound 1\n".utf8)
    fileprivate static let textBytes = 400

    let descriptor: Int32
    package private(set) var head: Head
    package private(set) var hashes: [UInt64] = []

    package static let headBytes = 4096
    package static let blockBytes = 1 << 20

    /// Begins a new one under a name that nobody has yet.
    package init(new path: String, channels: Int, sampleRate: Int32) throws(FileError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("write", path) }
        head = Head(channels: Int32(channels), sampleRate: sampleRate)
    }

    /// One that is whole; nil: there is none, or it is not.
    package init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        head = Head()
        guard descriptor >= 0 else { return nil }
        guard let head = Self.readHead(descriptor) else { return nil }
        self.head = head
        let count = (dataBytes + Self.blockBytes - 1) / Self.blockBytes
        var info = stat()
        guard fstat(descriptor, &info) == 0, Int(info.st_size) == Self.headBytes + dataBytes + 8 * count
        else { return nil }
        hashes = [UInt64](repeating: 0, count: count)
        let (file, place) = (descriptor, off_t(Self.headBytes + dataBytes))
        guard hashes.withUnsafeMutableBytes({ pread(file, $0.baseAddress, $0.count, place) == $0.count })
        else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func readHead(_ descriptor: Int32) -> Head? {
        var page = [UInt8](repeating: 0, count: headBytes)
        guard pread(descriptor, &page, page.count, 0) == page.count, let head = Head(page), head.frames > 0,
            head.channels > 0, head.frames < Int64.max / 8 / Int64(head.channels)
        else { return nil }
        return head
    }

    private var dataBytes: Int { Int(head.frames) * Int(head.channels) * 4 }

    /// Adds samples behind those that are there: a whole block, or the last.
    package func append(_ samples: UnsafeRawBufferPointer, named path: String) throws(FileError) {
        let place = Self.headBytes + hashes.count * Self.blockBytes
        var done = 0
        while done < samples.count {
            let count = pwrite(
                descriptor, samples.baseAddress! + done, samples.count - done, off_t(place + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileError("write", path) }
            done += count
        }
        hashes.append(ContentKey.hash(samples))
    }

    /// Says what it is, once all is there.
    package func finish(
        frames: Int64, truncation: String, remark: String, named path: String
    ) throws(FileError) {
        (head.frames, head.truncation, head.remark) = (frames, truncation, remark)
        let page = head.page
        let (file, end) = (descriptor, off_t(Self.headBytes + dataBytes))
        let areWritten =
            hashes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, end) == $0.count }
            && pwrite(file, page, page.count, 0) == page.count
        guard areWritten, ftruncate(file, end + off_t(8 * hashes.count)) == 0 else {
            throw FileError("write", path)
        }
    }

    /// Whether a block is as it was written.
    package func isSound(block: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        let start = block * Self.blockBytes
        let count = min(Self.blockBytes, dataBytes - start)
        var done = 0
        while done < count {
            let read = pread(
                descriptor, buffer.baseAddress! + done, count - done, off_t(Self.headBytes + start + done))
            guard read > 0 else { return false }
            done += read
        }
        return ContentKey.hash(UnsafeRawBufferPointer(rebasing: buffer[..<count])) == hashes[block]
    }
}

/// The first page: what the file is, the numbers, the texts, and last a hash of all that.
extension CacheFile.Head {
    private static let hashPlace = CacheFile.headBytes - 8
    /// Where the texts are.
    private static let (truncationPlace, remarkPlace) = (128, 128 + CacheFile.textBytes)

    /// nil: that is no such page.
    fileprivate init?(_ page: [UInt8]) {
        guard Self.isIntact(page) else { return nil }
        func text(_ place: Int) -> String {
            String(decoding: page[place..<place + CacheFile.textBytes].prefix { $0 != 0 }, as: UTF8.self)
        }
        (truncation, remark) = (text(Self.truncationPlace), text(Self.remarkPlace))
        page.withUnsafeBytes { page in
            frames = page.loadUnaligned(fromByteOffset: 64, as: Int64.self).littleEndian
            channels = page.loadUnaligned(fromByteOffset: 72, as: Int32.self).littleEndian
            sampleRate = page.loadUnaligned(fromByteOffset: 76, as: Int32.self).littleEndian
        }
    }

    /// Whether that is a first page, as it was written.
    private static func isIntact(_ page: [UInt8]) -> Bool {
        let said = page.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: hashPlace, as: UInt64.self).littleEndian
        }
        return page.starts(with: CacheFile.magic)
            && page[..<hashPlace].withUnsafeBytes(ContentKey.hash) == said
    }

    fileprivate var page: [UInt8] {
        var page = CacheFile.magic
        page += [UInt8](repeating: 0, count: CacheFile.headBytes - page.count)
        func put(_ place: Int, _ text: String) {
            let bytes = text.utf8.prefix(CacheFile.textBytes)
            page.replaceSubrange(place..<place + bytes.count, with: bytes)
        }
        put(Self.truncationPlace, truncation)
        put(Self.remarkPlace, remark)
        page.withUnsafeMutableBytes { page in
            page.storeBytes(of: frames.littleEndian, toByteOffset: 64, as: Int64.self)
            page.storeBytes(of: channels.littleEndian, toByteOffset: 72, as: Int32.self)
            page.storeBytes(of: sampleRate.littleEndian, toByteOffset: 76, as: Int32.self)
        }
        let hash = page[..<Self.hashPlace].withUnsafeBytes(ContentKey.hash)
        page.withUnsafeMutableBytes {
            $0.storeBytes(of: hash.littleEndian, toByteOffset: Self.hashPlace, as: UInt64.self)
        }
        return page
    }
}
