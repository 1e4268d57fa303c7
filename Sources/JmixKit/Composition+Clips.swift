import AudioFile
import Engine
import Files
import Timeline

/// Clips on tracks.
extension Composition {
    /// A stretch of a track's timeline: from a file, or silent.
    public struct Segment: Equatable, Sendable {
        /// Where it lies on the timeline.
        public let target: TimeRange
        /// The file, and what of it; nil: silence.
        public let source: (file: String, range: TimeRange)?
        /// Whether it is silence.
        public var isEmpty: Bool { source == nil }

        /// A stretch of the timeline and where it comes from; nil for silence.
        public init(target: TimeRange, source: (file: String, range: TimeRange)?) {
            (self.target, self.source) = (target, source)
        }

        public static func == (a: Segment, b: Segment) -> Bool {
            a.target == b.target && a.source?.range == b.source?.range
                && a.source.map { FilePath($0.file) } == b.source.map { FilePath($0.file) }
        }
    }

    /// A track from zero to the end of its last clip, gapless: clips, and the silence between them.
    public func segments(of id: StripID) throws(CompositionError) -> [Segment] {
        var segments: [Segment] = []
        var place = MediaTime.zero
        let ruler = ruler
        for clip in try track(id).clips {
            guard let range = ruler.range(of: clip) else { continue }
            if range.start > place {
                segments.append(Segment(target: TimeRange(start: place, end: range.start), source: nil))
            }
            segments.append(
                Segment(
                    target: range,
                    source: (
                        clip.file.text, TimeRange(start: clip.from, duration: clip.ofFile(range.duration))
                    )))
            place = range.end
        }
        return segments
    }

    /// Inserts a range of an asset at a time.
    /// - Parameters:
    ///   - range: of the asset; nil is all of it.
    ///   - asset: the file.
    ///   - time: where on the timeline its first frame is heard.
    ///   - id: the track.
    ///   - push: what lies there and behind makes room; without it an overlap is refused.
    ///   - channels: which channels are left and right; needed where the asset has more than the track.
    /// - Throws: `.range` if the asset has not so much; `.edit` for an overlap.
    public mutating func insert(
        _ range: TimeRange? = nil, of asset: Asset, at time: MediaTime, on id: StripID, push: Bool = false,
        channels: ChannelPair? = nil
    ) throws(CompositionError) {
        let range = range ?? asset.timeRange
        guard range.isValid, range.duration > .zero, asset.timeRange.contains(range) else {
            throw .range(range, of: asset)
        }
        var clip = Clip(file: Path.name(of: asset.path, from: folder))
        (clip.at, clip.from, clip.duration, clip.channels) = (time, range.start, range.duration, channels)
        try check(channels, of: asset, on: try track(id).layout)
        let placed = clip
        try edit(id) { track, ruler throws(EditError) in try track.insert(placed, push: push, ruler: ruler) }
    }

    private func check(
        _ channels: ChannelPair?, of asset: Asset, on layout: SpeakerLayout
    ) throws(CompositionError) {
        do throws(ChannelChoice.Problem) {
            _ = try ChannelChoice(channels.map { ($0.left, $0.right) }, of: asset.channels, on: layout)
        } catch {
            throw .refused("\(asset.path): \(error)")
        }
    }

    /// Inserts a range of an asset where the track ends.
    /// - Returns: where it lies.
    @discardableResult
    public mutating func append(
        _ range: TimeRange? = nil, of asset: Asset, on id: StripID
    ) throws(CompositionError) -> TimeRange {
        let start = try track(id).end(ruler: ruler)
        try insert(range, of: asset, at: start, on: id)
        return TimeRange(start: start, duration: (range ?? asset.timeRange).duration)
    }

    /// Opens a silence; what lies behind its start moves back.
    public mutating func insertSilence(_ range: TimeRange, on id: StripID) throws(CompositionError) {
        try edit(id) { track, ruler throws(EditError) in try track.insertSilence(range, ruler: ruler) }
    }

    /// Takes out a range; what lies behind closes the gap, unless that is kept.
    public mutating func remove(
        _ range: TimeRange, from id: StripID, keepsGap: Bool = false
    ) throws(CompositionError) {
        try edit(id) { track, ruler throws(EditError) in
            try track.removeRange(range, keepsGap: keepsGap, ruler: ruler)
        }
    }

    /// Cuts the clip that covers `time` in two.
    public mutating func split(_ id: StripID, at time: MediaTime) throws(CompositionError) {
        try edit(id) { track, ruler throws(EditError) in try track.split(at: time, ruler: ruler) }
    }

    /// Moves the clip at `index` of the track's `clips`.
    public mutating func moveClip(
        _ index: Int, of id: StripID, to time: MediaTime, push: Bool = false
    ) throws(CompositionError) {
        try edit(id) { track, ruler throws(EditError) in
            try track.moveClip(at: index, to: time, push: push, ruler: ruler)
        }
    }

    /// Has what lies in `range` last as long as `duration`: it is played slower or faster, a quarter of its
    /// speed to four times; what lies behind moves.
    /// - Throws: `.edit` where a clip would be beyond that, or is cut in a fade.
    public mutating func scale(
        _ range: TimeRange, to duration: MediaTime, on id: StripID
    ) throws(CompositionError) {
        for clip in try track(id).clips.indices { _ = try trackOfFile(clip, id) }
        try edit(id) { track, ruler throws(EditError) in
            try track.scaleRange(range, to: duration, ruler: ruler)
        }
    }

    /// What becomes of the pitch of what is played slower or faster.
    public enum AudioTimePitchAlgorithm: Sendable {
        /// As `timeDomain`: all of it is made ahead, so none has less latency.
        case lowQualityZeroLatency
        /// It stays: SoundTouch.
        case timeDomain
        /// It stays: Rubber Band's finer engine, which has to be installed, and takes some fifty times as
        /// long.
        case spectral
        /// It goes with the speed, as a tape's does.
        case varispeed
    }

    /// Says so for all clips of a track; as long as nobody does it is `timeDomain`.
    public mutating func setAudioTimePitchAlgorithm(
        _ algorithm: AudioTimePitchAlgorithm, of id: StripID
    ) throws(CompositionError) {
        let index = try index(id)
        for clip in session.tracks[index].clips.indices {
            session.tracks[index].clips[clip].isTape = algorithm == .varispeed
            session.tracks[index].clips[clip].stretcher = algorithm == .spectral ? .rubberband : .soundtouch
            if algorithm == .varispeed { session.tracks[index].clips[clip].pitch = 0 }
        }
    }

    /// Has the clip at `index` of the track's `clips` sound so many semitones higher, -24 to 24.
    /// - Throws: `.refused` for a pitch beyond that, or of a tape.
    public mutating func setPitch(
        _ semitones: Double, ofClip clip: Int, on id: StripID
    ) throws(CompositionError) {
        let index = try trackOfFile(clip, id)
        guard Clip.pitches.contains(semitones), semitones == 0 || !session.tracks[index].clips[clip].isTape
        else {
            throw .refused(
                """
                \(semitones) semitones: a pitch goes from \(Clip.pitches.lowerBound) to \
                \(Clip.pitches.upperBound), and a tape has none of its own
                """
            )
        }
        session.tracks[index].clips[clip].pitch = semitones
    }

    /// Has the clip at `index` of the track's `clips` play what it plays from the end to the beginning, or as
    /// it is.
    public mutating func setReversed(_ flag: Bool, ofClip clip: Int, on id: StripID) throws(CompositionError)
    {
        let index = try trackOfFile(clip, id)
        session.tracks[index].clips[clip].isReversed = flag
    }

    /// The track, if the clip plays a file: what a closure computes plays at its own speed, forwards.
    func trackOfFile(_ clip: Int, _ id: StripID) throws(CompositionError) -> Int {
        let index = try index(id)
        let clips = session.tracks[index].clips
        guard clips.indices.contains(clip) else {
            throw .edit(
                .noClip(number: clip + 1, count: clips.count), place: "\(StripPlace.track(index + 1))")
        }
        if sources[clips[clip].file] != nil {
            throw .refused("a clip of a callback's sound plays at its own speed and pitch, forwards")
        }
        return index
    }

    mutating func edit(
        _ id: StripID, _ change: (inout Track, ClipRuler) throws(EditError) -> Void
    ) throws(CompositionError) {
        let index = try index(id)
        var track = session.tracks[index]
        do throws(EditError) { try change(&track, ruler) } catch {
            throw .edit(error, place: "\(StripPlace.track(index + 1))")
        }
        session.tracks[index] = track
    }
}
