import CSndfile

/// Floats in a WAV, which becomes an RF64 beyond 4 GiB (EBU Tech 3306): as long as it is short enough it has
/// room for what an RF64 says.
enum FloatWAV {
    /// Makes the file, or empties one that is there.
    /// - Returns: what libsndfile writes it by; whoever gets it closes it.
    /// - Throws: `AudioFileError`: it cannot be written.
    static func create(
        _ path: String, channels: Int, sampleRate: Int32
    ) throws(AudioFileError) -> OpaquePointer {
        var info = SF_INFO(
            frames: 0, samplerate: sampleRate, channels: Int32(channels),
            format: Int32(SF_FORMAT_RF64 | SF_FORMAT_FLOAT), sections: 0, seekable: 0)
        guard let handle = sf_open(path, Int32(SFM_WRITE), &info) else {
            throw AudioFileError(
                path: path, reason: "it cannot be written: \(String(cString: sf_strerror(nil)))")
        }
        sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1)
        return handle
    }
}
