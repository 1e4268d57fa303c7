/// Opens whatever holds sound.
public enum AudioSource {
    /// How long a reader waits for what is not ready yet: decoded, or made longer or higher.
    public enum Patience: Sendable {
        /// As long as it takes.
        case endless
        /// Not at all: others wait for who reads.
        case none
    }

    /// A file by libsndfile, or, where that does not know its kind, as ffmpeg decodes it; and what is made of
    /// it.
    /// - Throws: `AudioFileError`: it cannot be used.
    public static func open(
        _ place: SoundPlace, patience: Patience = .endless
    ) throws(AudioFileError) -> any SampleSource {
        if place.stretch == nil, let file = try soundFile(place) {
            return place.isReversed ? ReversedSource(file) : file
        }
        let sound = try StoredSounds.shared.sound(at: place)
        if case .endless = patience {
            sound.wait()
            if let failure = sound.failure { throw failure }
        }
        guard place.isReversed else { return StoredReader(sound) }
        // Where its end is has to be known.
        if sound.progress != nil { throw sound.isNotReady }
        return ReversedSource(StoredReader(sound))
    }

    /// What is played there; of what has to be made ready, it waits until that is done.
    /// - Throws: `AudioFileError`: it cannot be used.
    public static func info(of place: SoundPlace) throws(AudioFileError) -> MediaInfo {
        let (info, sound) = try inspect(place)
        guard let sound else { return info }
        sound.wait()
        if let failure = sound.failure { throw failure }
        return sound.info
    }

    /// What is played there as far as is known by now, without waiting, and the sound if it has to be made
    /// ready: it is made as long as somebody holds it.
    /// - Throws: `AudioFileError`: it cannot be used.
    public static func inspect(
        _ place: SoundPlace
    ) throws(AudioFileError) -> (info: MediaInfo, sound: StoredSound?) {
        if place.stretch == nil, let file = try soundFile(place) { return (file.info, nil) }
        let sound = try StoredSounds.shared.sound(at: place)
        if let failure = sound.failure { throw failure }
        return (sound.info, sound)
    }

    /// Whether there is any sound in a file, without decoding it.
    /// - Throws: `AudioFileError`: there is none.
    public static func check(_ path: String) throws(AudioFileError) {
        if try soundFile(SoundPlace(path)) == nil, try MediaContent(of: path).sounds.isEmpty {
            throw AudioFileError(path: path, reason: "there is no sound in it")
        }
    }

    /// nil: libsndfile does not read it, and another might.
    static func soundFile(_ place: SoundPlace) throws(AudioFileError) -> SoundFile? {
        do throws(AudioFileError) {
            let file = try SoundFile(path: place.path)
            if place.stream > 1 {
                throw AudioFileError(
                    path: place.path, reason: "stream \(place.stream) was asked for: it has one")
            }
            return file.dependsOnPlace && FFmpeg.isThere && MediaKind.isKnown(place.path) ? nil : file
        } catch {
            guard error.kind == .unknownFormat, MediaKind.isKnown(place.path) else { throw error }
            return nil
        }
    }
}
