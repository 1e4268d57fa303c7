import AudioFile
import Files
import Timeline

extension MediaInfo {
    /// The length, exact, or nil as long as that is not known; of what never ends as long as a timeline.
    public var duration: MediaTime? { length.known.map(time) }

    /// The length as far as it is known.
    public var presumedDuration: MediaTime { time(length.presumed) }

    private func time(_ frames: Int64) -> MediaTime {
        min(MediaTime(frame: frames, rate: sampleRate), .latest)
    }
}

extension SoundPlace {
    /// What a clip plays, its file named from `folder`.
    public init(of clip: Clip, in folder: String) {
        let method: Stretch.Method =
            clip.isTape ? .tape : clip.stretcher == .rubberband ? .rubberBand : .soundTouch
        self.init(
            Path.join(folder, clip.file.text), stream: clip.stream,
            stretch: Stretch(millionths: clip.millionths, pitch: clip.pitch, method),
            isReversed: clip.isReversed)
    }
}

/// Looks files up for clips, and remembers what it found until the file changes. Control thread.
public final class MediaLibrary {
    /// The folder that the paths of clips start from.
    public let folder: String
    /// What has been looked at.
    public private(set) var known: [SoundPlace: MediaFinding]
    /// What is not a file, by the name that clips have for it.
    private let sources: [FilePath: CallbackSource]
    /// Grows when something is found.
    private(set) var generation = 0

    /// What has been looked at is not looked at again: another watches whether files change (`MediaWatch`,
    /// `adopt`), so that nobody here waits for a disk.
    public var trustsWhatItKnows: Bool

    /// Of files named from `folder`, of which some are known, and of sources that clips name as if they were
    /// files.
    public init(
        folder: String, known: [SoundPlace: MediaFinding] = [:], sources: [FilePath: CallbackSource] = [:],
        trustsWhatItKnows: Bool = false
    ) {
        (self.folder, self.known, self.sources, self.trustsWhatItKnows) = (
            folder, known, sources, trustsWhatItKnows
        )
    }

    func source(of file: FilePath) -> CallbackSource? { sources[file] }

    /// Where a clip's file is on the disk.
    public func path(of file: FilePath) -> String { Path.join(folder, file.text) }

    /// Which sound a clip plays.
    public func place(of clip: Clip) -> SoundPlace { SoundPlace(of: clip, in: folder) }

    /// What the file of a clip holds; or why it cannot be used.
    public func info(of clip: Clip) -> Result<MediaInfo, AudioFileError> { finding(of: clip).info }

    /// The same, with the state of the file that it is told of.
    ///
    /// A file that has gone is what it was: who plays it has it open.
    func finding(of clip: Clip) -> MediaFinding {
        if let source = sources[clip.file] { return MediaFinding(source, name: clip.file.text) }
        let place = place(of: clip)
        if trustsWhatItKnows, let finding = known[place] { return finding }
        let stamp = FileStamp(place.path)
        if let finding = known[place], finding.stamp == stamp || stamp == nil, !finding.isOutdated {
            return finding
        }
        let finding = MediaFinding(place)
        known[place] = finding
        generation += 1
        return finding
    }

    /// What is known of the sound of a clip is but a guess of its length, which will be known.
    public func isGuessed(_ clip: Clip) -> Bool {
        guard let info = try? known[place(of: clip)]?.info.get() else { return false }
        return info.length.known == nil
    }

    /// Has all that must be decoded or stretched for a session be made, and knows it as it is then. What
    /// changes meanwhile is begun anew, a few times.
    /// - Parameter progress: is told the share that is done; it returns false to give up.
    public func makeReady(_ session: Session, _ progress: (Double) -> Bool = { _ in true }) {
        for _ in 0..<3 {
            for clip in session.tracks.flatMap(\.clips) { _ = info(of: clip) }
            // Each holds its sound until it is looked at again.
            let before = known.filter { $0.value.isOnItsWay }
            if before.isEmpty { return }
            StoredSounds.shared.wait(progress)
            for place in before.keys { known[place] = MediaFinding(place) }
            generation += before.count
        }
    }

    /// To go to a place of some of what it knows takes much longer than to read on.
    var isSoughtSlowly: Bool { known.values.contains { (try? $0.info.get())?.isSoughtSlowly == true } }

    /// Forgets what it knows of what nobody plays any more.
    public func forget(except places: Set<SoundPlace>) {
        known = known.filter { places.contains($0.key) }
        generation += 1
    }

    /// Takes what another has found.
    public func adopt(_ findings: [MediaFinding]) {
        for finding in findings { known[finding.place] = finding }
        generation += findings.count
    }
}
