import CSndfile
import Files
import Glibc
import Realtime
import Speakers

/// An open audio file of any format that libsndfile reads, as interleaved floats: 16- and 24-bit samples come
/// exact. For one thread at a time.
public final class SoundFile {
    /// Where it is on the disk.
    public let path: String
    /// What its header tells.
    public let info: MediaInfo
    public let frames: Int64
    /// What its comment says; nil: it has none.
    public var comment: String? { sf_get_string(handle, Int32(SF_STR_COMMENT)).map { String(cString: $0) } }
    public var sampleRate: Int32 { info.sampleRate }
    public var channels: Int { info.channels }
    private let handle: OpaquePointer
    /// As libsndfile names it.
    private let format: Int32
    /// Where its channels lie that others have elsewhere.
    private let order: [Int]?
    /// nil: compressed, or of a kind that libsndfile alone reads.
    private let raw: RawPCM?
    private var position: Int64 = 0

    /// The rates that a file may have, in Hz.
    public static let sampleRates: ClosedRange<Int32> = 1000...768_000
    /// The most samples in a frame that a file may have.
    public static let maximumChannels = 1024

    /// Opens `path` for reading.
    /// - Throws: `AudioFileError`: not there, a folder, not readable, empty, no audio format known here, no
    ///   frames, a rate or channels beyond those above.
    public init(path: String) throws(AudioFileError) {
        try Self.checkFile(path)
        var format = SF_INFO()
        let descriptor = try Self.opened(path)
        // The kernel reads twice as far ahead of one who reads in sequence.
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        // libsndfile closes what it cannot read, also where it is told not to: so what it gets is its own,
        // always.
        guard let handle = sf_open_fd(descriptor, Int32(SFM_READ), &format, 1) else {
            throw AudioFileError(
                path: path,
                reason: "it is no audio file that is known here (\(Self.trimmed(sf_strerror(nil))))",
                kind: .unknownFormat)
        }
        if let fault = Self.fault(of: format) {
            sf_close(handle)
            throw AudioFileError(path: path, reason: fault, kind: format.frames > 0 ? .other : .empty)
        }
        self.path = path
        self.handle = handle
        frames = Int64(format.frames)
        info = Self.info(of: handle, format)
        self.format = format.format
        order = Self.order(format.format, channels: Int(format.channels))
        raw = RawPCM(handle, descriptor: descriptor, format: format)
    }

    private static func opened(_ path: String) throws(AudioFileError) -> Int32 {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw AudioFileError(
                path: path, reason: String(cString: strerror(errno)),
                kind: errno == ENOENT ? .missing : .other)
        }
        return descriptor
    }

    private static func info(of handle: OpaquePointer, _ format: SF_INFO) -> MediaInfo {
        let frames = Int64(format.frames)
        return MediaInfo(
            length: .known(frames), sampleRate: format.samplerate,
            channels: Int(format.channels), format: formatName(format.format),
            truncation: truncation(handle, frames: frames),
            isSoughtSlowly: lead(to: frames, of: format.format, frames: frames, sampleRate: format.samplerate)
                > 0)
    }

    deinit {
        sf_close(handle)
    }

    /// - Throws: `AudioFileError`: there is no file that can be read and has something in it.
    private static func checkFile(_ path: String) throws(AudioFileError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let isMissing = errno == ENOENT || errno == ENOTDIR
            throw AudioFileError(
                path: path, reason: isMissing ? Path.absence(of: path) : String(cString: strerror(errno)),
                kind: isMissing ? .missing : .other)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw AudioFileError(path: path, reason: "it is a folder, not an audio file")
        default:
            throw AudioFileError(
                path: path, reason: "it is a pipe or a device; a clip needs a file it can seek in")
        }
        guard access(path, R_OK) == 0 else {
            throw AudioFileError(path: path, reason: "it cannot be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_size > 0 else { throw AudioFileError(path: path, reason: "the file is empty") }
    }

    /// Why a file with such a header is not read; nil: it is. A header may say anything; what is made by it
    /// must not take all there is of memory.
    private static func fault(of format: SF_INFO) -> String? {
        guard format.frames > 0, format.samplerate > 0, format.channels > 0 else {
            return "the file holds no audio"
        }
        guard sampleRates.contains(format.samplerate), format.channels <= maximumChannels else {
            return """
                its header says \(format.samplerate) Hz and \(format.channels) channels: files of \
                \(sampleRates.lowerBound) to \(sampleRates.upperBound) Hz and at most \
                \(maximumChannels) channels are read
                """
        }
        return format.frames < jmix_sf_count_max() / 2
            ? nil : "its length cannot be told: the file is truncated"
    }

    /// Reads `count` frames from frame `start` on into `buffer` (`count * channels` floats, interleaved).
    /// - Returns: the frames read; fewer only at the end of the file.
    /// - Throws: `AudioFileError` if the file cannot be read there although it should have frames.
    public func read(
        from start: Int64, count: Int, into buffer: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) -> Int {
        let wanted = Int(max(0, min(Int64(count), frames - start)))
        if wanted == 0 { return 0 }
        if position != start {
            try seek(to: start)
        }
        let done = Int(sf_readf_float(handle, buffer, sf_count_t(wanted)))
        position = start + Int64(done)
        // A FLAC file that is cut short gives silence for what is missing, and only its error tells.
        guard done == wanted, sf_error(handle) == 0 else {
            position = -1
            throw failure(at: start + Int64(max(0, done)))
        }
        buffer.silenceOthers(done * channels)
        if let order { reorder(buffer, done, order) }
        return done
    }

    /// Puts each frame into the order of a WAV file.
    private func reorder(_ buffer: UnsafeMutablePointer<Float>, _ count: Int, _ order: [Int]) {
        var frame = [Float](repeating: 0, count: channels)
        for i in 0..<count {
            let place = buffer + i * channels
            for channel in 0..<channels { frame[channel] = place[order[channel]] }
            place.update(from: frame, count: channels)
        }
    }

    /// Where the channels of a WAV file of as many lie in an Ogg of Vorbis or Opus (Vorbis I, 4.3.9; RFC
    /// 7845, 5.1.1.2); nil: they lie as there.
    private static func order(_ format: Int32, channels: Int) -> [Int]? {
        guard [SF_FORMAT_VORBIS, SF_FORMAT_OPUS].map(Int32.init).contains(format & Int32(SF_FORMAT_SUBMASK))
        else { return nil }
        switch channels {
        // Left, centre, right, sides, low frequencies.
        case 6: return [0, 2, 1, 5, 3, 4]
        // Left, centre, right, sides, backs, low frequencies.
        case 8: return [0, 2, 1, 7, 5, 6, 3, 4]
        default: return nil
        }
    }

    /// Goes to a frame so that what is read from there on is what reading from the beginning gives: a decoder
    /// that remembers what it decoded before is given time to do so.
    private func seek(to start: Int64) throws(AudioFileError) {
        var first = max(0, start - Self.lead(to: start, of: format, frames: frames, sampleRate: sampleRate))
        let isOnItsWay = position >= first && position < start
        if isOnItsWay { first = position }
        position = -1
        guard isOnItsWay || sf_seek(handle, sf_count_t(first), SEEK_SET) == first else {
            throw failure(at: start)
        }
        if first == start { return }
        let block = 8192
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: block * channels)
        defer { memory.deallocate() }
        var place = first
        while place < start {
            let done = sf_readf_float(handle, memory, sf_count_t(min(Int64(block), start - place)))
            guard done > 0 else { throw failure(at: start) }
            place += Int64(done)
        }
    }

    /// Its samples depend, in their last bit, on how many frames were decoded before: so libmpg123 decodes
    /// MPEG at 24 kHz and less, and of one channel (found by comparing).
    var dependsOnPlace: Bool {
        (Int32(SF_FORMAT_MPEG_LAYER_I)...Int32(SF_FORMAT_MPEG_LAYER_III)).contains(
            format & Int32(SF_FORMAT_SUBMASK)) && (sampleRate < 32000 || channels == 1)
    }

    /// How many frames before it are decoded first. Measured on files of all bit rates: an MP3 takes bits
    /// from frames before (nothing is right for a tenth of a second), Opus and Vorbis settle within half a
    /// second. In the last page of an Ogg Vorbis libvorbisfile counts from the file's end, which the encoder
    /// has cut: a page holds some million frames at the most.
    private static func lead(to start: Int64, of format: Int32, frames: Int64, sampleRate: Int32) -> Int64 {
        let second = Int64(sampleRate)
        switch format & Int32(SF_FORMAT_SUBMASK) {
        case Int32(SF_FORMAT_MPEG_LAYER_I), Int32(SF_FORMAT_MPEG_LAYER_II), Int32(SF_FORMAT_MPEG_LAYER_III):
            return second
        case Int32(SF_FORMAT_OPUS): return 2 * second
        case Int32(SF_FORMAT_VORBIS): return start > frames - (1 << 20) ? 1 << 20 : second
        default: return 0
        }
    }

    /// Reads channels of `count` frames from frame `start` on, if the file's samples need no decoding.
    /// - Returns: the frames read, fewer only at the end of the file; nil if the samples have to be decoded.
    /// - Throws: `AudioFileError` if the file cannot be read there although it should have frames.
    func readRaw(
        from start: Int64, count: Int, taking choice: ChannelChoice, into target: Channels, for use: ReadUse
    ) throws(AudioFileError) -> Int? {
        guard let raw else { return nil }
        let wanted = Int(max(0, min(Int64(count), frames - start)))
        if wanted == 0 { return 0 }
        guard raw.read(from: Int(start), count: wanted, taking: choice, into: target, for: use) else {
            let reason =
                errno == 0
                ? "the file ends before its \(frames) frames: it is truncated"
                : String(cString: strerror(errno))
            throw AudioFileError(path: path, reason: "cannot read frame \(start): \(reason)")
        }
        return wanted
    }

    private func failure(at frame: Int64) -> AudioFileError {
        let reason =
            sf_error(handle) == 0
            ? "the file ends before its \(frames) frames: it is truncated" : Self.trimmed(sf_strerror(handle))
        return AudioFileError(path: path, reason: "cannot read frame \(frame): \(reason)")
    }

    private static func trimmed(_ text: UnsafePointer<CChar>?) -> String {
        var text = text.map { String(cString: $0) } ?? ""
        while let last = text.last, last.isWhitespace || last == "." { text.removeLast() }
        return text
    }

    private static func formatName(_ format: Int32) -> String {
        func name(_ code: Int32, _ mask: Int32) -> String {
            var info = SF_FORMAT_INFO()
            info.format = code & mask
            let known =
                sf_command(nil, Int32(SFC_GET_FORMAT_INFO), &info, Int32(MemoryLayout<SF_FORMAT_INFO>.size))
                == 0
            return known && info.name != nil ? String(cString: info.name) : "unknown"
        }
        return name(format, Int32(SF_FORMAT_TYPEMASK)) + ", " + name(format, Int32(SF_FORMAT_SUBMASK))
    }

    /// libsndfile mends a header whose data is cut short and says so only in its log, as "data : 192000
    /// (should be 95978)": WAV at its data, AIFF at SSND, W64 at riff, AU at Data Size, IFF at BODY. Of RF64
    /// the log has the size that the header tells, and the bytes of a frame. A writer that could not go back
    /// leaves the largest number of 32 bits that there is: no fault.
    private static func truncation(_ handle: OpaquePointer, frames: Int64) -> String? {
        var log = [CChar](repeating: 0, count: 8192)
        sf_command(handle, Int32(SFC_GET_LOG_INFO), &log, Int32(log.count))
        // Nearly always it says neither, and nobody reads the rest.
        if strstr(log, "(should be ") == nil, strstr(log, "Data size") == nil { return nil }
        let lines = log.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }.split(separator: "\n")
        // What the 64-bit chunk of an RF64 says, and how many bytes a frame has.
        var (size, frameBytes): (Int64?, Int64?)
        for line in lines {
            guard let (name, number) = said(line) else { continue }
            if name == "Block Align" { frameBytes = number }
            if name == "Data size" { size = number }
            if ["data", "SSND", "riff", "BODY", "Data Size"].contains(name), line.contains("(should be "),
                let real = line.split(separator: " ").last.flatMap({ Int64($0.dropLast()) }),
                real < number, number < 0xffff_ff00 || name == "riff"
            {
                return truncation(from: number, to: real)
            }
        }
        guard let size, let frameBytes, size - frames * frameBytes >= frameBytes else { return nil }
        return truncation(from: size, to: frames * frameBytes)
    }

    private static func truncation(from said: Int64, to real: Int64) -> String {
        "the file is truncated: its header tells of \(said) bytes, \(real) are there"
    }

    /// The name and the number of a line of libsndfile's log.
    private static func said(_ line: Substring) -> (name: String, number: Int64)? {
        let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
        guard parts.count == 2, let number = parts[1].split(separator: " ").first.flatMap({ Int64($0) })
        else { return nil }
        return (String(parts[0].reversed().drop { $0 == " " }.reversed()), number)
    }
}
