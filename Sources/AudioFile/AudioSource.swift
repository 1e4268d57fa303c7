/// Opens whatever holds sound.
public enum AudioSource {
    /// How long a reader waits for what is not ready yet: decoded, or made longer or higher.
    public enum Patience: Sendable {
        /// As long as it takes.
        case endless
        /// Not at all: others wait for who reads.
        case none

        var milliseconds: Int? { if case .none = self { 0 } else { nil } }
    }

    /// A file by libsndfile, or, where that does not know its kind, as ffmpeg decodes it; and what is made of it.
    /// - Throws: `AudioFileError`: it cannot be used.
    public static func open(_ place: SoundPlace, patience: Patience = .endless) throws(AudioFileError) -> any SampleSource {
        if place.stretch == nil, let file = try soundFile(place) { return place.isReversed ? ReversedSource(file) : file }
        let sound = try KeptSounds.shared.sound(at: place)
        guard place.isReversed else { return KeptReader(sound, patience: patience.milliseconds) }
        // Where its end is has to be known.
        if case .endless = patience { sound.wait() }
        if sound.progress != nil { throw sound.isNotReady }
        return ReversedSource(KeptReader(sound, patience: patience.milliseconds))
    }

    /// What is played there; where it does not wait, as far as is known by now: `KeptSounds` says whether it is still being made ready.
    /// - Throws: `AudioFileError`: it cannot be used.
    public static func info(of place: SoundPlace, patience: Patience = .none) throws(AudioFileError) -> MediaInfo {
        if place.stretch == nil, let file = try soundFile(place) { return file.info }
        let sound = try KeptSounds.shared.sound(at: place)
        if case .endless = patience { sound.wait() }
        if let failure = sound.failure { throw failure }
        return sound.info
    }

    /// Whether there is any sound in a file, without decoding it.
    /// - Throws: `AudioFileError`: there is none.
    public static func check(_ path: String) throws(AudioFileError) {
        if try soundFile(SoundPlace(path)) == nil, try MediaContent(of: path).sounds.isEmpty { throw AudioFileError(path: path, reason: "there is no sound in it") }
    }

    /// nil: libsndfile does not read it, and another might.
    static func soundFile(_ place: SoundPlace) throws(AudioFileError) -> SoundFile? {
        do throws(AudioFileError) {
            let file = try SoundFile(path: place.path)
            if place.stream > 1 { throw AudioFileError(path: place.path, reason: "stream \(place.stream) was asked for: it has one") }
            return file
        } catch {
            guard error.kind == .unknownFormat, MediaKind.isKnown(place.path) else { throw error }
            return nil
        }
    }
}
