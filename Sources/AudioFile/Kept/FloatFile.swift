import CSndfile

/// Writes all of a sound for another program to read: floats in a WAV, which becomes an RF64 where it is too long for one.
enum FloatFile {
    private static let blockFrames = 8192

    /// - Throws: `AudioFileError`: it cannot be read, or not be written.
    static func write(_ source: any SampleSource, to path: String) throws(AudioFileError) {
        var info = SF_INFO(frames: 0, samplerate: source.sampleRate, channels: Int32(source.channels), format: Int32(SF_FORMAT_RF64 | SF_FORMAT_FLOAT), sections: 0, seekable: 0)
        guard let handle = sf_open(path, Int32(SFM_WRITE), &info) else { throw AudioFileError(path: path, reason: "it cannot be written: \(String(cString: sf_strerror(nil)))") }
        defer { sf_close(handle) }
        sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: blockFrames * source.channels)
        defer { memory.deallocate() }
        var place: Int64 = 0
        while place < source.frames {
            let count = try source.read(from: place, count: blockFrames, into: memory)
            if count == 0 { return }
            guard sf_writef_float(handle, memory, sf_count_t(count)) == sf_count_t(count) else { throw AudioFileError(path: path, reason: "it cannot be written: \(String(cString: sf_strerror(handle)))") }
            place += Int64(count)
        }
    }
}
