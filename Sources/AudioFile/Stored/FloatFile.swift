import CSndfile

/// Writes all of a sound for another program to read.
enum FloatFile {
    private static let blockFrames = 8192

    /// Writes it so quiet that nothing that is made of it reaches full level, where some programs cut.
    /// - Returns: what it was multiplied by, a power of two, so that nothing is lost.
    /// - Throws: `AudioFileError`: it cannot be read, or not be written.
    static func write(_ source: any SampleSource, to path: String) throws(AudioFileError) -> Float {
        let scale = try headroom(source)
        let handle = try FloatWAV.create(path, channels: source.channels, sampleRate: source.sampleRate)
        defer { sf_close(handle) }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames * source.channels)
        defer { memory.deallocate() }
        var place: Int64 = 0
        while place < source.frames {
            let count = try source.read(from: place, count: blockFrames, into: memory)
            if count == 0 { break }
            for n in 0..<count * source.channels { memory[n] *= scale }
            guard sf_writef_float(handle, memory, sf_count_t(count)) == sf_count_t(count) else {
                throw AudioFileError(
                    path: path, reason: "it cannot be written: \(String(cString: sf_strerror(handle)))")
            }
            place += Int64(count)
        }
        return scale
    }

    /// A quarter of full level, or less, for the loudest.
    private static func headroom(_ source: any SampleSource) throws(AudioFileError) -> Float {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames * source.channels)
        defer { memory.deallocate() }
        var (place, peak): (Int64, Float) = (0, 0.25)
        while place < source.frames {
            let count = try source.read(from: place, count: blockFrames, into: memory)
            if count == 0 { break }
            for n in 0..<count * source.channels where abs(memory[n]) > peak && memory[n].isFinite {
                peak = abs(memory[n])
            }
            place += Int64(count)
        }
        return Float(sign: .plus, exponent: -3 - min(100, (peak / 0.25).exponent), significand: 1)
    }
}
