/// Opens whatever holds sound.
public enum AudioSource {
    /// How long a reader waits for what is not decoded yet.
    public enum Patience: Sendable {
        /// As long as it takes.
        case endless
        /// Hardly: others wait for who reads.
        case short

        var milliseconds: Int? { if case .short = self { 20 } else { nil } }
    }

    /// A file by libsndfile, or, where that does not know its kind, as ffmpeg decodes it.
    /// - Throws: `AudioFileError`: it cannot be used.
    public static func open(_ path: String, patience: Patience = .endless) throws(AudioFileError) -> any SampleSource {
        if let file = try soundFile(path) { return file }
        return DecodedReader(try DecodedSounds.shared.sound(of: path), patience: patience.milliseconds)
    }

    /// What a file holds; where it does not wait, as far as is known by now: `DecodedSounds` says whether it is still being decoded.
    /// - Throws: `AudioFileError`: it cannot be used.
    public static func info(of path: String, patience: Patience = .short) throws(AudioFileError) -> MediaInfo {
        if let file = try soundFile(path) { return file.info }
        let sound = try DecodedSounds.shared.sound(of: path)
        if case .endless = patience { sound.wait() }
        if let failure = sound.failure { throw failure }
        return sound.info
    }

    /// nil: libsndfile does not read it, and another might.
    private static func soundFile(_ path: String) throws(AudioFileError) -> SoundFile? {
        do throws(AudioFileError) { return try SoundFile(path: path) } catch {
            guard error.kind == .unknownFormat, MediaKind.isKnown(path) else { throw error }
            return nil
        }
    }
}
