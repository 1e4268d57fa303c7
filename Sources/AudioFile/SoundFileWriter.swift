import CSndfile
import Files
import Glibc

/// Writes a stereo file under a temporary name and gives it its own when it is whole. For one thread at a time.
public final class SoundFileWriter {
    /// The name that it will have.
    public let path: String
    private let temporary: String
    private let format: OutputFormat
    private var handle: OpaquePointer?
    private var interleaved: [Float] = []
    private var whole: [Int32] = []
    /// Samples that were beyond full level and had to be cut to it; floats are never cut.
    public private(set) var clippedSamples = 0
    /// The highest absolute sample, before any cut.
    public private(set) var peak: Float = 0

    /// - Throws: `AudioFileError` if the file cannot be created there.
    public init(path: String, format: OutputFormat, sampleRate: Int32) throws(AudioFileError) {
        self.path = path
        self.format = format
        temporary = AtomicFile.temporaryPath(for: path)
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw AudioFileError(path: path, reason: "it cannot be written: \(String(cString: strerror(errno)))") }
        close(descriptor)
        var info = SF_INFO(frames: 0, samplerate: sampleRate, channels: 2, format: format.code, sections: 0, seekable: 0)
        handle = sf_open(temporary, Int32(SFM_WRITE), &info)
        guard handle != nil else {
            unlink(temporary)
            throw AudioFileError(path: path, reason: "it cannot be written: \(String(cString: sf_strerror(nil)))")
        }
        // Of lossy formats the better half of what the encoder offers; without effect on others.
        var quality = 0.8
        sf_command(handle, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, Int32(MemoryLayout<Double>.size))
        // Lossy formats are cut at full level by libsndfile instead of wrapping around.
        sf_command(handle, Int32(SFC_SET_CLIPPING), nil, 1)
    }

    deinit { discard() }

    /// Appends `count` frames.
    /// - Throws: `AudioFileError` if the disk is full or gone.
    public func write(left: UnsafePointer<Float>, right: UnsafePointer<Float>, count: Int) throws(AudioFileError) {
        if interleaved.count < 2 * count {
            interleaved = [Float](repeating: 0, count: 2 * count)
            whole = [Int32](repeating: 0, count: 2 * count)
        }
        for i in 0..<count {
            interleaved[2 * i] = left[i]
            interleaved[2 * i + 1] = right[i]
            peak = max(peak, abs(left[i]), abs(right[i]))
        }
        let done: sf_count_t
        if let scale = format.samples.fullScale {
            for i in 0..<2 * count { whole[i] = wholeSample(interleaved[i], scale) }
            done = sf_writef_int(handle, whole, sf_count_t(count))
        } else {
            done = sf_writef_float(handle, interleaved, sf_count_t(count))
        }
        guard done == count else { throw AudioFileError(path: path, reason: "it cannot be written: \(String(cString: sf_strerror(handle)))") }
    }

    /// The sample as the top bits of 32: libsndfile's own conversion scales by 32767 and would not give back the samples of a 16-bit file.
    private func wholeSample(_ sample: Float, _ scale: Float) -> Int32 {
        let scaled = (sample * scale).rounded()
        if scaled > scale - 1 || scaled < -scale { clippedSamples += 1 }
        let cut = scaled.isNaN ? 0 : Int32(max(-scale, min(scale - 1, scaled)))
        return cut << (scale == 0x1p15 ? 16 : 8)
    }

    /// Closes the file and gives it its name, in place of whatever had it.
    /// - Parameter isUnique: takes nobody's name: where it is taken, the next free one of `name-1`, `name-2`.
    /// - Returns: the name.
    /// - Throws: `AudioFileError` if it cannot be completed; then nothing is left of it.
    @discardableResult
    public func finish(isUnique: Bool = false) throws(AudioFileError) -> String {
        guard let handle else { return path }
        let status = sf_close(handle)
        self.handle = nil
        do throws(FileError) {
            guard status == 0 else { throw FileError(path: path, action: "write", reason: String(cString: sf_error_number(status))) }
            // Only now: libsndfile writes the header's last word as it closes.
            try AtomicFile.sync(temporary)
            if isUnique { return try AtomicFile.publishUnique(temporary, as: path) }
            try AtomicFile.publish(temporary, as: path)
            return path
        } catch {
            unlink(temporary)
            throw AudioFileError(path: path, reason: error.reason)
        }
    }

    /// Leaves nothing of a file that was not finished.
    public func discard() {
        guard let handle else { return }
        sf_close(handle)
        self.handle = nil
        unlink(temporary)
    }
}
