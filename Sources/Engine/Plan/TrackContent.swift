import AudioFile
import Timeline

/// A clip in frames: which stretch of the timeline comes from where in which file.
struct ClipSpan {
    var start: Int64
    var end: Int64
    /// nil: the file is missing, the stretch is silent.
    var path: String?
    /// In place of the file.
    var callback: CallbackSource?
    /// The frame of the file, at the mixer's rate, that is heard at `start`.
    var sourceStart: Int64
    /// How long the file was when this was compiled, at its own rate: one that is shorter when it is read has been cut.
    var fileFrames: Int64
    /// Which file it was.
    var stamp: FileStamp?
    var channels: ChannelPair?
    /// nil: its samples are heard as they are.
    var shape: ClipShape?
    /// What is heard with it: the clip that rises while this one falls.
    var layers: [ClipSpan] = []
}

extension ClipSpan: Equatable {
    static func == (a: ClipSpan, b: ClipSpan) -> Bool {
        a.start == b.start && a.end == b.end && a.path == b.path && a.callback === b.callback && a.sourceStart == b.sourceStart
            && a.fileFrames == b.fileFrames && a.stamp == b.stamp && a.channels == b.channels && a.shape == b.shape && a.layers == b.layers
    }
}

extension ClipSpan {
    /// The position in its file that is heard at `frame`; nil where there is no file.
    func cacheKey(at frame: Int64) -> PositionCache.Key? {
        if callback != nil { return nil }
        return path.map { PositionCache.Key(path: $0, stamp: stamp, channels: channels, frame: sourceFrame(at: frame)) }
    }

    /// The frame of its file that is heard at `frame`.
    func sourceFrame(at frame: Int64) -> Int64 { sourceStart + frame - start }

    /// What of it lies from `start` to `end`.
    fileprivate func part(from start: Int64, to end: Int64) -> ClipSpan {
        var part = self
        (part.start, part.end, part.sourceStart) = (start, end, sourceFrame(at: start))
        return part
    }
}

/// A track compiled: what it plays and how loud, all in frames at the mixer's rate.
struct TrackContent: Equatable {
    var spans: [ClipSpan] = []
    /// Automation first, then fades, then ducks: they multiply in this order.
    var envelopes: [EnvelopeBuilder] = []

    /// The span that is heard at `frame`, if any.
    func span(at frame: Int64) -> ClipSpan? {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].end > frame { high = middle } else { low = middle + 1 }
        }
        return low < spans.count && spans[low].start <= frame ? spans[low] : nil
    }
}

extension Arrangement {
    /// What automation, fades and ducks of a track come to at `frame`: the very value that is played. 1 for a track that is not there.
    public func volume(of id: TrackID, at frame: Int64) -> Double { curve(of: id)(frame) }

    /// The same for many frames.
    public func curve(of id: TrackID) -> (Int64) -> Double {
        let envelopes = lines.first { $0.id == id }?.content.envelopes ?? []
        return { frame in
            let frame = frame.clamped(to: Route.positions)
            return envelopes.reduce(1) { $0 * $1.value(at: frame) }
        }
    }
}

/// A session compiled for one sample rate: what the engine plays.
public struct Arrangement {
    struct Line {
        let id: TrackID
        let content: TrackContent
    }

    let lines: [Line]
    /// Frames per second that it is compiled for.
    public let sampleRate: Int32
    /// The frame after the last clip.
    public let end: Int64

    /// Compiles `session`, its files looked up in `library`. What cannot be used is silent; `SessionCheck` says what and why.
    public init(_ session: Session, library: MediaLibrary, sampleRate: Int32) {
        // Each look-up asks the disk whether the file has changed: once for each clip is enough.
        let placed = session.tracks.map { $0.clips.compactMap { library.place($0) } }
        var ranges: [TrackID: [TimeRange]] = [:]
        for (track, clips) in zip(session.tracks, placed) { ranges[track.id] = clips.map(\.range) }
        lines = zip(session.tracks, placed).map { track, clips in
            var content = TrackContent(spans: Self.spans(clips, library, sampleRate))
            content.envelopes = Self.envelopes(track, session, ranges, sampleRate)
            return Line(id: track.id, content: content)
        }
        self.sampleRate = sampleRate
        end = lines.compactMap { $0.content.spans.last?.end }.max() ?? 0
    }

    private static func spans(_ clips: [PlacedClip], _ library: MediaLibrary, _ sampleRate: Int32) -> [ClipSpan] {
        var spans: [ClipSpan] = []
        for (index, placed) in clips.enumerated() {
            let (clip, range) = (placed.clip, placed.range)
            let next = index + 1 < clips.count ? clips[index + 1].clip : nil
            var span = ClipSpan(
                start: range.start.timelineFrame(atRate: sampleRate), end: range.end.timelineFrame(atRate: sampleRate),
                path: placed.isUsable ? library.path(of: clip.file) : nil, callback: library.source(of: clip.file),
                sourceStart: clip.from.timelineFrame(atRate: sampleRate), fileFrames: placed.info?.frames ?? 0,
                stamp: placed.stamp, channels: clip.channels, shape: ClipShape(clip, range, next: next, sampleRate: sampleRate))
            if let last = spans.last, last.end > span.start {
                // Clips that touch between two frames: the later one has the frame.
                spans[spans.count - 1].end = span.start
                if clip.crossfade.duration > .zero, last.layers.isEmpty, last.end <= span.end {
                    var both = last.part(from: span.start, to: last.end)
                    both.layers = [span.part(from: span.start, to: last.end)]
                    spans.append(both)
                    span = span.part(from: last.end, to: span.end)
                }
            }
            if span.end > span.start { spans.append(span) }
        }
        return spans
    }

    private static func envelopes(
        _ track: Track, _ session: Session, _ ranges: [TrackID: [TimeRange]], _ sampleRate: Int32
    ) -> [EnvelopeBuilder] {
        var envelopes: [EnvelopeBuilder] = []
        if !track.automation.events.isEmpty { envelopes.append(.automation(track.automation, sampleRate: sampleRate)) }
        let own = ranges[track.id] ?? []
        if let first = own.first, track.fadeIn > .zero {
            envelopes.append(.fadeIn(track.fadeIn, from: first.start, sampleRate: sampleRate))
        }
        if let end = own.map(\.end).max(), track.fadeOut > .zero {
            envelopes.append(.fadeOut(track.fadeOut, to: end, sampleRate: sampleRate))
        }
        for duck in session.ducks where duck.track == track.id {
            if let under = ranges[duck.under], !under.isEmpty { envelopes.append(.duck(duck, under: under, sampleRate: sampleRate)) }
        }
        return envelopes
    }
}

/// A clip with what its file is found to be.
struct PlacedClip {
    let clip: Clip
    /// Where it lies on the timeline.
    let range: TimeRange
    /// nil: the file is missing or no audio.
    let info: MediaInfo?
    let stamp: FileStamp?
    /// The file has the channels that the clip wants.
    let isUsable: Bool
}

extension MediaLibrary {
    /// What says where clips of these files lie in a session of this rate.
    public func ruler(atRate rate: Int32) -> ClipRuler { ClipRuler(rate: rate) { try? self.info(of: $0.file).get().duration } }

    func place(_ clip: Clip) -> PlacedClip? {
        let finding = finding(of: clip.file)
        let info = try? finding.info.get()
        let isUsable = info.map { channelProblem(clip, $0) == nil } ?? false
        return clip.range(ofFileLasting: { _ in info?.duration }).map { PlacedClip(clip: clip, range: $0, info: info, stamp: finding.stamp, isUsable: isUsable) }
    }
}
