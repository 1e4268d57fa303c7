import CSndfile
import Glibc

/// A take as it was heard live: with what came in before its first frame in front of it, and with what strips
/// remembered there.
///
/// A take lies on the timeline where the sound was played to that it came in with, by a latency earlier than
/// it was heard. What was heard live at its first frames came in by that latency earlier; it is kept in the
/// take's file in a chunk of its own, "jmxl": floats, the channels of a frame in turn. What strips remembered
/// is in another, "jmxm", as whoever mixes takes writes it. Other programs pass over both.
public enum AiredTake {
    private static let (leadChunk, memoryChunk) = ("jmxl", "jmxm")

    /// Puts both behind all else in a complete WAV or RF64 of floats. What cannot be put there is left out:
    /// the take is the same without it.
    static func append(_ lead: [Float], _ memory: [UInt8], to path: String) {
        if !lead.isEmpty { lead.withUnsafeBytes { append(leadChunk, $0, to: path) } }
        if !memory.isEmpty { memory.withUnsafeBytes { append(memoryChunk, $0, to: path) } }
    }

    /// - Parameter content: an even number of bytes.
    private static func append(_ chunk: String, _ content: UnsafeRawBufferPointer, to path: String) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        if descriptor < 0 { return }
        defer { close(descriptor) }
        let end = lseek(descriptor, 0, SEEK_END)
        guard end > 12, let kind = kind(descriptor) else { return }
        let size = UInt64(end) - 8 + 8 + UInt64(content.count)
        // A RIFF says its length in 32 bits; an RF64 says it in its first chunk, "ds64" (EBU Tech 3306).
        let isLong = kind.elementsEqual("RF64".utf8)
        guard isLong || size <= UInt64(UInt32.max) else { return }
        let bytes = Array(chunk.utf8) + little(UInt32(content.count)) + content
        guard pwrite(descriptor, bytes, bytes.count, end) == bytes.count else {
            ftruncate(descriptor, end)
            return
        }
        if !setLength(size, isLong: isLong, descriptor) { ftruncate(descriptor, end) }
    }

    /// The first four bytes.
    private static func kind(_ descriptor: Int32) -> [UInt8]? {
        var kind = [UInt8](repeating: 0, count: 4)
        return pread(descriptor, &kind, 4, 0) == 4 ? kind : nil
    }

    private static func setLength(_ size: UInt64, isLong: Bool, _ descriptor: Int32) -> Bool {
        let length = isLong ? little(size) : little(UInt32(size))
        return pwrite(descriptor, length, length.count, isLong ? 20 : 4) == length.count
    }

    private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// A source that has the frames of a take's file behind the last that came in before them, as many as
    /// `frames` says for the file's rate; and how many of those the file does not hold: they are silent.
    /// - Throws: `AudioFileError`: the file cannot be read.
    public static func source(
        _ path: String, lead frames: (_ sampleRate: Int32) -> Int64
    ) throws(AudioFileError) -> (source: CallbackSource, missing: Int64) {
        let file = try SoundFile(path: path)
        let (channels, frames) = (file.channels, frames(file.sampleRate))
        let count = Int(frames) * channels
        let kept = try lead(of: path).suffix(count)
        let lead = [Float](repeating: 0, count: count - kept.count) + kept
        let reader = Reader(path: path, channels: channels, lead: lead)
        let source = CallbackSource(
            rate: file.sampleRate, channels: channels, frames: frames + file.frames
        ) { wanted, samples in try reader.read(wanted, samples) }
        return (source, Int64((count - kept.count) / channels))
    }

    /// What came in before the first frame of a take; nothing where the file does not hold it.
    private static func lead(of path: String) throws(AudioFileError) -> [Float] {
        let bytes = try content(of: leadChunk, in: path)
        guard bytes.count <= 1 << 26 else { return [] }
        return bytes.withUnsafeBytes { $0.bindMemory(to: Float.self).map(\.orSilence) }
    }

    /// What strips remembered where a take begins; nothing where its file does not hold it.
    /// - Throws: `AudioFileError`: the file cannot be read.
    public static func memory(of path: String) throws(AudioFileError) -> [UInt8] {
        try content(of: memoryChunk, in: path)
    }

    private static func content(of chunk: String, in path: String) throws(AudioFileError) -> [UInt8] {
        var info = SF_INFO()
        guard let handle = sf_open(path, Int32(SFM_READ), &info) else {
            throw AudioFileError(path: path, reason: "it cannot be read")
        }
        defer { sf_close(handle) }
        var wanted = SF_CHUNK_INFO()
        withUnsafeMutableBytes(of: &wanted.id) { $0.copyBytes(from: chunk.utf8) }
        wanted.id_size = UInt32(chunk.utf8.count)
        guard let found = sf_get_chunk_iterator(handle, &wanted),
            sf_get_chunk_size(found, &wanted) == 0, wanted.datalen <= 1 << 28
        else { return [] }
        return bytes(of: found, count: Int(wanted.datalen))
    }

    /// A chunk's bytes; none: they cannot be read.
    private static func bytes(of chunk: OpaquePointer, count: Int) -> [UInt8] {
        var (content, wanted) = ([UInt8](repeating: 0, count: count), SF_CHUNK_INFO())
        let isRead = content.withUnsafeMutableBytes { bytes in
            wanted.datalen = UInt32(bytes.count)
            wanted.data = bytes.baseAddress
            return sf_get_chunk_data(chunk, &wanted) == 0
        }
        return isRead ? content : []
    }

    /// Opens the file for each read: a show may have more takes than a program may have files open.
    private struct Reader: Sendable {
        let path: String
        let channels: Int
        let lead: [Float]

        func read(
            _ wanted: Range<Int64>, _ samples: UnsafeMutableBufferPointer<Float>
        ) throws(AudioFileError) {
            let length = Int64(lead.count / channels)
            let inLead = wanted.clamped(to: 0..<length)
            for i in 0..<inLead.count * channels {
                samples[i] = lead[Int(inLead.lowerBound) * channels + i]
            }
            let count = wanted.count - inLead.count
            if count == 0 { return }
            let rest = samples.baseAddress! + inLead.count * channels
            let done = try SoundFile(path: path).read(
                from: max(0, wanted.lowerBound - length), count: count, into: rest)
            (rest + done * channels).update(repeating: 0, count: (count - done) * channels)
        }
    }
}
