/// Editing a track's clips as segments of a composition. What a clip covers is found by `covers`, for only its file says how long a clip
/// without a duration lasts; nil where that cannot be known.
///
/// Cuts fall on whole frames of the clip they cut, so that a clip that was only cut sounds on without a seam.
extension Track {
    /// Places `clip`, which lasts `duration`.
    /// - Parameter push: what lies there and behind makes room, cut where it has to be; without it an overlap is refused.
    /// - Throws: `EditError.overlaps`, `.range`; then nothing has changed.
    public mutating func insert(
        _ clip: Clip, lasting duration: MediaTime, push: Bool = false, rate: Int32, covers: (Clip) -> TimeRange?
    ) throws(EditError) {
        let range = TimeRange(start: clip.at, duration: duration)
        if push {
            try insertSilence(range, rate: rate, covers: covers)
        } else {
            try Self.check(range)
            // They are in order and do not overlap: only the last that begins before can be in the way, and those that begin inside.
            var index = index(behind: clip.at)
            if let before = clips[..<index].lastIndex(where: { covers($0) != nil }) { index = before }
            while index < clips.count, clips[index].at < range.end {
                if let existing = covers(clips[index]), existing.overlaps(range) { throw .overlaps(asked: range, clip: index + 1, existing: existing) }
                index += 1
            }
        }
        place(clip)
    }

    /// Opens a silence: what lies at its start or behind is moved by its duration, a clip that covers its start is cut there.
    /// - Throws: `EditError.range`.
    public mutating func insertSilence(_ range: TimeRange, rate: Int32, covers: (Clip) -> TimeRange?) throws(EditError) {
        try Self.check(range)
        let opened = clips.flatMap { clip -> [Clip] in
            var (head, tail) = clip.cut(at: range.start, rate: rate, rounding: .down, covers: covers)
            if let at = tail?.at { tail!.at = max(at, range.start) + range.duration }
            if tail == nil, clip.at >= range.start {
                head?.at = clip.at + range.duration
            }
            return [head, tail].compactMap { $0 }
        }
        if let last = opened.last, !last.at.isOnTimeline { throw .beyondEnd(clip: opened.count, at: last.at) }
        clips = opened
    }

    /// Takes out what lies in `range`; what lies behind closes the gap, or stays where it is.
    /// - Throws: `EditError.range`.
    public mutating func removeRange(_ range: TimeRange, keepsGap: Bool = false, rate: Int32, covers: (Clip) -> TimeRange?) throws(EditError) {
        try Self.check(range)
        let shift = keepsGap ? .zero : range.duration
        clips = clips.flatMap { clip -> [Clip] in
            let head = clip.at < range.start ? clip.cut(at: range.start, rate: rate, rounding: .down, covers: covers).head : nil
            guard (covers(clip)?.end ?? clip.at) > range.end || clip.at >= range.end else { return [head].compactMap { $0 } }
            var tail: Clip? = clip
            if clip.at < range.end { tail = clip.cut(at: range.end, rate: rate, rounding: .up, covers: covers).tail }
            if let at = tail?.at { tail!.at = at - shift }
            return [head, tail].compactMap { $0 }
        }
    }

    /// Cuts the clip that covers `time` in two that sound on like the one.
    /// - Throws: `EditError.nothingToSplit` where no clip is, or one begins or ends.
    public mutating func split(at time: MediaTime, rate: Int32, covers: (Clip) -> TimeRange?) throws(EditError) {
        for (index, clip) in clips.enumerated() {
            guard let range = covers(clip), range.contains(time) else { continue }
            guard case (let head?, let tail?) = clip.cut(at: time, rate: rate, rounding: .nearest, covers: covers) else { break }
            return clips.replaceSubrange(index...index, with: [head, tail])
        }
        throw .nothingToSplit(at: time)
    }

    /// Takes out the clip at `index` of `clips`.
    /// - Throws: `EditError.noClip`.
    @discardableResult
    public mutating func removeClip(at index: Int) throws(EditError) -> Clip {
        guard clips.indices.contains(index) else { throw .noClip(number: index + 1, count: clips.count) }
        return clips.remove(at: index)
    }

    /// Moves the clip at `index` of `clips` to begin at `time`.
    /// - Throws: `EditError.noClip`, `.overlaps`; then nothing has changed.
    public mutating func moveClip(at index: Int, to time: MediaTime, push: Bool = false, rate: Int32, covers: (Clip) -> TimeRange?) throws(EditError) {
        var edited = self
        var clip = try edited.removeClip(at: index)
        let duration = covers(clip)?.duration
        clip.at = time
        if let duration {
            try edited.insert(clip, lasting: duration, push: push, rate: rate, covers: covers)
        } else {
            edited.place(clip)
        }
        self = edited
    }

    /// Where the last clip ends; zero without clips. An append goes here.
    public func end(covers: (Clip) -> TimeRange?) -> MediaTime { clips.compactMap { covers($0)?.end }.max() ?? .zero }

    private mutating func place(_ clip: Clip) {
        clips.insert(clip, at: index(behind: clip.at))
    }

    /// The first clip that begins after `time`.
    private func index(behind time: MediaTime) -> Int {
        var (low, high) = (0, clips.count)
        while low < high {
            let middle = (low + high) / 2
            if clips[middle].at > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private static func check(_ range: TimeRange) throws(EditError) {
        guard range.start.isOnTimeline, range.duration.isOnTimeline, range.duration > .zero else { throw .range(range) }
    }
}

extension Clip {
    /// What lies before `time` and what from it on, cut between two frames of the clip; nil for a side that holds no frame.
    fileprivate func cut(at time: MediaTime, rate: Int32, rounding: RoundingRule, covers: (Clip) -> TimeRange?) -> (head: Clip?, tail: Clip?) {
        guard let range = covers(self) else { return (self, nil) }
        let offset = MediaTime(frame: (time - range.start).frame(atRate: rate, rounding: rounding), rate: rate)
        if offset >= range.duration { return (self, nil) }
        if offset <= .zero { return time <= range.start ? (self, nil) : (nil, self) }
        var (head, tail) = (self, self)
        head.duration = offset
        tail.at = at + offset
        tail.from = from + offset
        if duration != nil { tail.duration = range.duration - offset }
        return (head, tail)
    }
}

/// Why clips cannot be edited so.
public enum EditError: Error, Equatable, Sendable {
    /// Without `push`, a clip is in the way.
    case overlaps(asked: TimeRange, clip: Int, existing: TimeRange)
    /// Clips count from 1.
    case noClip(number: Int, count: Int)
    /// No clip is there, or one begins or ends.
    case nothingToSplit(at: MediaTime)
    /// Empty, before zero, beyond `MediaTime.latest`, or no numbers.
    case range(TimeRange)
    /// The clip would be moved beyond `MediaTime.latest`.
    case beyondEnd(clip: Int, at: MediaTime)

    /// The sentence for people; `place` says which track, as in "track 2".
    public func message(place: String) -> String {
        switch self {
        case .overlaps(let asked, let clip, let existing):
            "the clip overlaps another (\(place): \(asked) overlaps clip \(clip), \(existing)): --push makes room"
        case .noClip(let number, let count): "\(place) has no clip \(number): it has \(count)"
        case .nothingToSplit(let time): "\(place) has no clip to split at \(time)"
        case .beyondEnd(let clip, let time): "clip \(clip) of \(place) would begin at \(time), and a timeline ends at \(MediaTime.latest)"
        case .range(let range): "\(range) is no range of the timeline (\(place)): it begins at 0 or later and lasts longer than 0"
        }
    }
}
