/// Where clips lie on the frames of a session. It owns the rounding of every edit.
///
/// An edit falls between two frames: the times that it is given are taken to the nearest frame of the
/// session, and what is cut or moved keeps all its samples, one frame after another. So no edit makes clips
/// overlap, cuts off a part of a frame, or opens a seam.
public struct ClipRuler {
    /// Frames per second of the session.
    public let rate: Int32
    private let lengthOfSound: (Clip) -> MediaTime?

    /// - Parameters:
    ///   - rate: frames per second of the session.
    ///   - lengthOfSound: how long all of the sound of a clip is heard, at the clip's speed; nil where that
    ///     cannot be known.
    public init(rate: Int32, lengthOfSound: @escaping (Clip) -> MediaTime?) {
        (self.rate, self.lengthOfSound) = (rate, lengthOfSound)
    }

    /// Where a clip lies on the timeline; nil if it lasts as long as a file of which nothing is known.
    public func range(of clip: Clip) -> TimeRange? { clip.range(ofSoundLasting: lengthOfSound) }

    /// The frame of its sound, as it is heard, that a clip begins with; nil if that cannot be known.
    public func soundFrame(of clip: Clip) -> Int64? {
        clip.soundStart(ofSoundLasting: clip.isReversed ? lengthOfSound(clip) : nil).map(frame)
    }

    /// The frames that a clip is heard in; empty for one that lasts less than a frame and meets none.
    public func frames(of clip: Clip) -> Range<Int64>? { range(of: clip).map(frames) }

    /// The frames of a range that ends after it begins.
    public func frames(_ range: TimeRange) -> Range<Int64> {
        let start = frame(range.start)
        return start..<max(start, frame(range.end))
    }

    func frame(_ time: MediaTime) -> Int64 { time.frame(atRate: rate) }

    /// Why a clip cannot rise over its crossfade while the one before it falls, or nil. It overlaps that by
    /// the crossfade exactly; both go on beside it.
    /// - Parameter before: the clips of its track that begin before it. Where nobody knows how long the last
    ///   of them lasts, nobody can say.
    public func crossfadeProblem(_ clip: Clip, behind before: some BidirectionalCollection<Clip>) -> String? {
        if clip.crossfade.duration == .zero { return nil }
        guard let own = range(of: clip) else { return nil }
        guard let before = before.last(where: { range(of: $0).map { !self.frames($0).isEmpty } ?? true })
        else { return "no clip lies before it" }
        guard let last = range(of: before) else { return nil }
        let (frames, crossed) = (
            frames(own), self.frames(TimeRange(start: own.start, duration: clip.crossfade.duration))
        )
        let end = frame(last.end)
        if crossed.isEmpty { return "it holds no frame" }
        let ends = "the clip before it ends at \(last.end.readable)"
        if end <= frames.lowerBound { return "\(ends), where this one begins at \(own.start.readable)" }
        if end != crossed.upperBound {
            let (duration, start) = (clip.crossfade.duration.readable, own.start.readable)
            return "\(ends), which is not \(duration) after \(start), where this one begins"
        }
        if let problem = rising(before, last, frames) { return problem }
        return frames.upperBound < end ? "the clip lasts \(own.duration.readable)" : nil
    }

    /// Why the clip before is not there yet where the next begins; nil: it is.
    private func rising(
        _ before: Clip, _ last: TimeRange, _ frames: Range<Int64>
    ) -> String? {
        // What is left of the one before once it has risen itself.
        let risen = frame(last.start + before.crossfade.duration)
        guard frames.lowerBound < risen || frames.lowerBound == frame(last.start) else { return nil }
        return
            """
            the clip before it begins at \(last.start.readable) and is on its way up until \
            \((last.start + before.crossfade.duration).readable)
            """
    }

    /// The frames of a clip in which it does not fade by itself.
    public func plainFrames(of clip: Clip) -> Range<Int64>? {
        guard let range = range(of: clip) else { return nil }
        let (first, last) = (
            frame(range.start + clip.fadeIn.duration), frame(range.end - clip.fadeOut.duration)
        )
        return first < last ? first..<last : nil
    }

    /// What is left of a clip without these frames of the timeline, which are in order and lie in it.
    public func parts(of clip: Clip, without ranges: [Range<Int64>]) -> [Clip] {
        var parts: [Clip] = []
        var rest: Clip? = clip
        for range in ranges {
            guard let present = rest else { break }
            let (head, tail) = cut(present, at: range.lowerBound)
            if let head { parts.append(head) }
            rest = tail.flatMap { cut($0, at: range.upperBound).tail }
        }
        return parts + (rest.map { [$0] } ?? [])
    }

    /// What of a clip lies before a frame, and what from it on: nil for a side where nothing is. A fade stays
    /// with the side that it begins or ends.
    func cut(_ clip: Clip, at frame: Int64) -> (head: Clip?, tail: Clip?) {
        let start = self.frame(clip.at)
        let end = frames(of: clip)?.upperBound ?? start
        if start >= frame { return (nil, clip) }
        if end <= frame { return (clip, nil) }
        let (head, tail) = parts(of: clip, firstLasting: MediaTime(frame: frame - start, rate: rate))
        let first = soundFrame(of: clip)
        return (
            fitted(head, to: start..<frame, from: first),
            fitted(tail, to: frame..<end, from: first.map { $0 + frame - start })
        )
    }

    /// Both parts of a clip, the first of which is heard for so long, by their own times.
    private func parts(of clip: Clip, firstLasting length: MediaTime) -> (head: Clip, tail: Clip) {
        var (head, tail) = (clip, clip)
        let duration = clip.ofFile(length)
        head.duration = duration
        // Where the head ends by its own times: so they touch at every rate.
        tail.at = clip.at + clip.heard(duration)
        if clip.isReversed {
            // What is heard first lies behind in the file.
            let rest = (fileEnd(of: clip) ?? clip.from) - clip.from - duration
            (tail.duration, head.from) = (rest, clip.from + rest)
        } else {
            tail.from = clip.from + duration
            tail.duration = clip.duration.map { $0 - duration }
        }
        head.fadeOut.duration = .zero
        (tail.fadeIn.duration, tail.crossfade.duration) = (.zero, .zero)
        return (head, tail)
    }

    /// The clip with these frames of the timeline, each of its file where it was; nil where the file does not
    /// hold them.
    func trimmed(_ clip: Clip, to frames: Range<Int64>) -> Clip? {
        let (start, count) = (frame(clip.at), Int64(frames.count))
        guard let first = soundFrame(of: clip).map({ $0 + frames.lowerBound - start }), first >= 0 else {
            return nil
        }
        if let length = lengthOfSound(clip), frame(length) - first < count { return nil }
        let later = MediaTime(frame: frames.lowerBound - start, rate: rate)
        guard var trimmed = shortened(clip, by: later, to: MediaTime(frame: count, rate: rate)) else {
            return nil
        }
        if frames.lowerBound != start {
            (trimmed.at, trimmed.crossfade.duration) = (
                MediaTime(frame: frames.lowerBound, rate: rate), .zero
            )
        }
        return fitted(trimmed, to: frames, from: first)
    }

    /// A clip that begins so much later in its file and lasts so long; nil where nobody knows how long that
    /// is.
    private func shortened(_ clip: Clip, by later: MediaTime, to length: MediaTime) -> Clip? {
        var shortened = clip
        let duration = clip.ofFile(length)
        shortened.duration = duration
        if clip.isReversed {
            guard let end = fileEnd(of: clip) else { return nil }
            shortened.from = end - clip.ofFile(later) - duration
        } else if later != .zero {
            shortened.from = clip.from + clip.ofFile(later)
        }
        return shortened
    }

    /// Where in its file ends what a clip plays of it; nil if that cannot be known.
    private func fileEnd(of clip: Clip) -> MediaTime? {
        clip.duration.map { clip.from + $0 } ?? lengthOfSound(clip).map(clip.ofFile)
    }

    /// The clip without a fade that is on its way at a frame.
    func withoutFades(_ clip: Clip, at frame: Int64) -> Clip {
        guard let range = range(of: clip), frames(range).contains(frame) else { return clip }
        var plain = clip
        if frame < self.frame(range.start + clip.fadeIn.duration) { plain.fadeIn.duration = .zero }
        if frame > self.frame(range.end - clip.fadeOut.duration) { plain.fadeOut.duration = .zero }
        return plain
    }

    /// What of a clip lies before some frames and what behind them, without fades that are cut.
    func sides(of clip: Clip, around frames: Range<Int64>) -> (head: Clip?, tail: Clip?) {
        (
            cut(withoutFades(clip, at: frames.lowerBound), at: frames.lowerBound).head,
            cut(withoutFades(clip, at: frames.upperBound), at: frames.upperBound).tail
        )
    }

    /// The clip playing what it plays at another speed, with its fades, over these frames.
    func paced(_ clip: Clip, at speed: Double, over frames: Range<Int64>) -> Clip {
        var paced = clip
        if paced.duration == nil { paced.duration = fileEnd(of: clip).map { $0 - clip.from } }
        // Not faster by a part of a millionth: its file would not be long enough.
        paced.setSpeed((speed * 1_000_000).rounded(.down) / 1_000_000)
        paced.at = MediaTime(frame: frames.lowerBound, rate: rate)
        paced.crossfade.duration = clip.crossfade.duration.multiplied(
            by: clip.millionths, over: paced.millionths
        ).converted(to: rate)
        return fitted(paced, to: frames, from: soundFrame(of: paced))
    }

    /// The clip, so many frames later.
    func shifted(_ clip: Clip, by count: Int64) -> Clip {
        var shifted = clip
        shifted.at = offset(clip.at, by: count)
        guard let frames = frames(of: clip) else { return shifted }
        let later = frames.lowerBound + count..<frames.upperBound + count
        return fitted(shifted, to: later, from: soundFrame(of: clip))
    }

    /// So many frames after `time`, as near as a timescale can say it; that frame itself where rounding led
    /// to another.
    private func offset(_ time: MediaTime, by count: Int64) -> MediaTime {
        let sum = time + MediaTime(frame: count, rate: rate)
        let target = frame(time) + count
        return sum < .zero || frame(sum) != target ? MediaTime(frame: target, rate: rate) : sum
    }

    /// The clip with times that say these frames of the timeline, and the frame of its sound that it begins
    /// with: as they are where they do. Exact sums need not, where they had to be rounded or lie between two
    /// frames.
    private func fitted(_ clip: Clip, to frames: Range<Int64>, from first: Int64?) -> Clip {
        func isFitted(_ clip: Clip) -> Bool {
            self.frames(of: clip) == frames && clip.from >= .zero
                && (first == nil || soundFrame(of: clip) == first)
        }
        var fitted = clip
        if isFitted(fitted) { return fitted }
        fitted.at = MediaTime(frame: frames.lowerBound, rate: rate)
        if isFitted(fitted) { return fitted }
        fitted.duration = clip.ofFile(MediaTime(frame: Int64(frames.count), rate: rate))
        if let first { fitted.from = start(of: fitted, hearing: MediaTime(frame: first, rate: rate)) }
        if fitted.from >= .zero { return fitted }
        // Its sound ends within its last frame.
        fitted.duration = fitted.duration! + fitted.from
        fitted.from = .zero
        if isFitted(fitted) { return fitted }
        // By half a frame, give or take a rounding: a little later it ends where that frame does, and begins
        // in the same.
        fitted.at = MediaTime(value: 4 * frames.lowerBound + 1, timescale: 4 * rate)
        return fitted
    }

    /// Where in its file a clip begins that lasts as long as it says and hears this place of its sound first.
    private func start(of clip: Clip, hearing place: MediaTime) -> MediaTime {
        guard clip.isReversed else { return clip.ofFile(place) }
        guard let length = lengthOfSound(clip), let duration = clip.duration else { return clip.from }
        return clip.ofFile(length - place) - duration
    }
}

extension Clip {
    /// Where it lies on the timeline, if `length` tells how long all of its sound is heard where that
    /// matters.
    public func range(ofSoundLasting length: (Clip) -> MediaTime?) -> TimeRange? {
        heardDuration(ofSoundLasting: duration == nil ? length(self) : nil).map {
            TimeRange(start: at, duration: $0)
        }
    }
}
