import CSndfile
import Files
import Glibc
import Realtime

/// Writes a file under a temporary name and gives it its own when it is whole. For one thread at a time.
public final class SoundFileWriter {
    /// The name that it will have.
    public let path: String
    private let temporary: String
    private let format: OutputFormat
    private var handle: OpaquePointer?
    /// It is complete, and has not got its name yet.
    private var isWaiting = false
    /// What `handle` writes to, as long as there is one.
    private let descriptor: Int32
    private var framesOnTheirWay: Int64 = 0
    private var interleaver = Interleaver()
    private var whole: [Int32] = []
    /// Samples that were beyond full level and had to be cut to it; floats are never cut.
    public private(set) var clippedSamples = 0
    /// The highest absolute sample, before any cut.
    public var peak: Float { interleaver.peak }

    private let labels: FileLabels
    private let picture: MoviePicture?
    private let sampleRate: Int32
    private var frames: Int64 = 0
    /// The chunks of a WAV that name its chapters: libsndfile wants them to stay until the file is closed.
    private var chunks: [UnsafeMutableRawBufferPointer] = []
    /// Tags that the format does not hold.
    public private(set) var unwrittenTags: [FileLabels.Tag] = []

    /// - Parameters:
    ///   - labels: what it says of itself; chapters and a cover only where `format` holds them.
    ///   - picture: what is seen beside it, where `format` holds movies.
    /// - Throws: `AudioFileError` if the file cannot be created there.
    public init(
        path: String, format: OutputFormat, sampleRate: Int32, labels: FileLabels = FileLabels(),
        picture: MoviePicture? = nil
    ) throws(AudioFileError) {
        self.path = path
        self.format = format
        (self.labels, self.sampleRate, self.picture) = (labels, sampleRate, picture)
        if let cover = labels.cover { _ = try Cover(cover) }
        if format.mux != nil { _ = try FFmpeg.program("ffmpeg", for: path, isWriting: true) }
        temporary = AtomicFile.temporaryPath(for: path)
        descriptor = try Self.create(temporary, for: path)
        handle = try Self.handle(descriptor, temporary, for: path, format, sampleRate)
        // It has the time of its making in it: the same mix shall be the same file. An RF64 has none, and
        // would get one by this.
        if Int(format.code) & SF_FORMAT_TYPEMASK != SF_FORMAT_RF64 {
            sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
        }
        format.layout.describe(handle)
        compress()
        label()
    }

    /// libsndfile's, which closes the file from here on, also where it refuses.
    private static func handle(
        _ descriptor: Int32, _ temporary: String, for path: String, _ format: OutputFormat,
        _ sampleRate: Int32
    ) throws(AudioFileError) -> OpaquePointer {
        var info = SF_INFO(
            frames: 0, samplerate: sampleRate, channels: Int32(format.layout.channels), format: format.code,
            sections: 0, seekable: 0)
        if let handle = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, 1) { return handle }
        unlink(temporary)
        throw AudioFileError(path: path, reason: "it cannot be written: \(String(cString: sf_strerror(nil)))")
    }

    /// An empty file that nobody has yet.
    private static func create(_ temporary: String, for path: String) throws(AudioFileError) -> Int32 {
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if descriptor >= 0 { return descriptor }
        throw AudioFileError(path: path, reason: "it cannot be written: \(String(cString: strerror(errno)))")
    }

    deinit {
        discard()
        for chunk in chunks { chunk.deallocate() }
    }

    private func compress() {
        var (quality, mode) = (0.8, Int32(SF_BITRATE_MODE_VARIABLE))
        switch format.compression {
        case .standard: break
        case .quality(let value):
            quality = value
            sf_command(handle, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
        case .constant(var level):
            mode = Int32(SF_BITRATE_MODE_CONSTANT)
            if format.labels == .id3 {
                sf_command(handle, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
            }
            sf_command(handle, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
            return
        }
        // Without effect on what keeps all.
        sf_command(handle, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, Int32(MemoryLayout<Double>.size))
    }

    /// What has to be said before the first sample.
    private func label() {
        // Those get all of it when they are whole.
        if format.labels == .id3 || format.labels == .muxed { return }
        for (tag, text) in labels.tags where !holds(tag) || sf_set_string(handle, tag.code, text) != 0 {
            unwrittenTags.append(tag)
        }
        if format.labels == .wave, !labels.chapters.isEmpty { cue() }
    }

    /// libsndfile takes any tag, and leaves out what the format has no place for.
    private func holds(_ tag: FileLabels.Tag) -> Bool {
        switch Path.fileExtension(of: temporary) {
        case "aiff", "aif": [.title, .artist, .comment, .copyright].contains(tag)
        case "w64": false
        default: true
        }
    }

    /// A cue point for each chapter, and their names in a list beside them ("cue ", "LIST" of type "adtl":
    /// Microsoft's Multimedia Programming Interface 1.0).
    private func cue() {
        func bytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        var (cues, names) = (bytes(labels.chapters.count), Array("adtl".utf8))
        for (index, chapter) in labels.chapters.enumerated() {
            let frame = Int(UInt32(clamping: chapter.frame))
            cues += bytes(index + 1) + bytes(frame) + Array("data".utf8) + bytes(0) + bytes(0) + bytes(frame)
            let text = Array(chapter.name.utf8) + [0]
            names +=
                Array("labl".utf8) + bytes(4 + text.count) + bytes(index + 1) + text
                + (text.count % 2 == 1 ? [0] : [])
        }
        // libsndfile fills a chunk up to four bytes, which readers take for the beginning of one more name:
        // an empty note fills it.
        if names.count % 4 == 2 { names += Array("note".utf8) + bytes(6) + bytes(1) + [0, 0] }
        addChunk("cue ", cues)
        addChunk("LIST", names)
    }

    /// libsndfile reads the content when it writes the header.
    private func addChunk(_ name: String, _ content: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: content.count, alignment: 4)
        memory.copyBytes(from: content)
        chunks.append(memory)
        var chunk = SF_CHUNK_INFO()
        withUnsafeMutableBytes(of: &chunk.id) { $0.copyBytes(from: Array(name.utf8)) }
        (chunk.id_size, chunk.datalen, chunk.data) = (4, UInt32(content.count), memory.baseAddress)
        sf_set_chunk(handle, &chunk)
    }

    /// Appends `count` frames of as many channels as the format has.
    /// - Throws: `AudioFileError` if the disk is full or gone.
    public func write(_ block: Channels, count: Int) throws(AudioFileError) {
        frames += Int64(count)
        let interleaved = interleaver.lay(block, count)
        let done: sf_count_t
        if let scale = format.samples.fullScale {
            if whole.count < block.count * count { whole = [Int32](repeating: 0, count: block.count * count) }
            for i in 0..<block.count * count { whole[i] = wholeSample(interleaved[i], scale) }
            done = sf_writef_int(handle, whole, sf_count_t(count))
        } else {
            done = sf_writef_float(handle, interleaved, sf_count_t(count))
        }
        guard done == count else {
            throw AudioFileError(
                path: path, reason: "it cannot be written: \(String(cString: sf_strerror(handle)))")
        }
        // At the end it waits until all is on the disk: that may go on meanwhile.
        if frames - framesOnTheirWay >= Self.framesAtOnce {
            AtomicFile.send(descriptor)
            framesOnTheirWay = frames
        }
    }

    /// So often it is sent on: 2 MiB of floats.
    private static let framesAtOnce: Int64 = 1 << 18

    /// The sample as the top bits of 32: libsndfile's own conversion scales by 32767 and would not give back
    /// the samples of a 16-bit file.
    private func wholeSample(_ sample: Float, _ scale: Float) -> Int32 {
        let scaled = (sample * scale).rounded()
        if scaled > scale - 1 || scaled < -scale { clippedSamples += 1 }
        let cut = scaled.isNaN ? 0 : Int32(max(-scale, min(scale - 1, scaled)))
        return cut << (scale == 0x1p15 ? 16 : 8)
    }

    /// Closes the file and gives it its name.
    /// - Parameters:
    ///   - taken: what becomes of whatever has it.
    ///   - goesOn: called while another program works on it; false gives up.
    /// - Returns: the name.
    /// - Throws: `AudioFileError` if it cannot be completed; then nothing is left of it.
    @discardableResult
    public func finish(
        taken: TakenName = .isReplaced, goesOn: () -> Bool = { true }
    ) throws(AudioFileError) -> String {
        try complete(goesOn: goesOn)
        var publication = Publication()
        defer { publication.finish() }
        return try publish(taken: taken, in: &publication)
    }

    /// Closes the file, whole and on the disk, under its temporary name.
    /// - Throws: `AudioFileError` if it cannot be completed; then nothing is left of it.
    public func complete(goesOn: () -> Bool = { true }) throws(AudioFileError) {
        guard let handle else { return }
        let status = sf_close(handle)
        self.handle = nil
        let muxer = Muxer(
            format: format, labels: labels, picture: picture, sampleRate: sampleRate, frames: frames)
        if status == 0, muxer.isNeeded { try mux(muxer, goesOn) }
        do throws(FileError) {
            guard status == 0 else {
                throw FileError(path: path, action: "write", reason: String(cString: sf_error_number(status)))
            }
            // Only now: libsndfile writes the header's last word as it closes.
            if format.labels == .id3, labels != FileLabels() {
                try AtomicFile.copy(
                    temporary, to: temporary, behind: ID3.tag(labels, frames: frames, sampleRate: sampleRate))
            }
            try AtomicFile.sync(temporary)
            isWaiting = true
        } catch {
            unlink(temporary)
            throw AudioFileError(path: path, reason: error.reason)
        }
    }

    /// Gives a file that is complete its name, together with others.
    /// - Parameter taken: as of `finish`.
    /// - Returns: the name.
    public func publish(
        taken: TakenName, in publication: inout Publication
    ) throws(AudioFileError) -> String {
        guard isWaiting else { return path }
        isWaiting = false
        do throws(FileError) { return try publication.publish(temporary, as: path, taken) } catch {
            throw AudioFileError(path: path, reason: error.reason)
        }
    }

    /// In place of what libsndfile has written.
    private func mux(_ muxer: Muxer, _ goesOn: () -> Bool) throws(AudioFileError) {
        let muxed = AtomicFile.temporaryPath(for: path)
        do throws(AudioFileError) { try muxer.write(temporary, to: muxed, named: path, goesOn: goesOn) } catch
        {
            unlink(muxed)
            unlink(temporary)
            throw error
        }
        guard rename(muxed, temporary) == 0 else {
            let error = AudioFileError(
                path: path, reason: "it cannot be written: \(String(cString: strerror(errno)))")
            unlink(muxed)
            unlink(temporary)
            throw error
        }
    }

    /// Leaves nothing of a file that was not finished.
    public func discard() {
        if let handle { sf_close(handle) } else if !isWaiting { return }
        (handle, isWaiting) = (nil, false)
        unlink(temporary)
    }
}
