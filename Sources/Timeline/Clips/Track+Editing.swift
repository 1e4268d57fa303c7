/// Editing a track's clips as segments of a composition, by a ruler that says which frames they lie on.
extension Track {
    /// Places `clip`; one of which nobody knows how long it lasts goes where it is told.
    /// - Parameter push: what lies there and behind makes room, cut where it has to be; behind a crossfade,
    ///   what begins there. Without it an overlap is refused, but for the clip's crossfade.
    /// - Throws: `EditError.overlaps`, `.crossfade`, `.inFade`, `.range`, `.noFrame`; then nothing has
    ///   changed.
    public mutating func insert(_ clip: Clip, push: Bool = false, ruler: ClipRuler) throws(EditError) {
        guard let range = ruler.range(of: clip) else { return place(clip) }
        let frames = try Self.frames(range, ruler)
        if push, clip.crossfade.duration > .zero {
            var edited = self
            try edited.openBehind(clip, frames, ruler)
            try edited.checkFree(frames, range, clip, ruler)
            self = edited
        } else if push {
            try open(frames, ruler)
        } else {
            try checkFree(frames, range, clip, ruler)
        }
        place(clip)
    }

    /// Places `clip` over what lies there, which is cut away; where that was on its way, in a fade, the fade
    /// goes.
    /// - Throws: `EditError.range`, `.noFrame`; then nothing has changed.
    public mutating func overwrite(with clip: Clip, ruler: ClipRuler) throws(EditError) {
        guard let range = ruler.range(of: clip) else { return place(clip) }
        let frames = try Self.frames(range, ruler)
        var kept: [Clip] = []
        var crossed: Range<Int64>?
        for old in clips {
            guard let lies = ruler.frames(of: old), lies.overlaps(frames) || crossed?.overlaps(frames) == true
            else {
                kept.append(old)
                crossed = ruler.frames(of: old)
                continue
            }
            // Where two sound, one crossing over into the other, the earlier ends in front, and the later
            // begins behind.
            let overlap = crossed.map { lies.clamped(to: $0) }
            crossed = lies
            var (head, tail) = ruler.sides(of: old, around: frames)
            if let overlap, overlap.contains(frames.lowerBound) { head = nil }
            if let overlap, overlap.contains(frames.upperBound), let before = kept.last,
                let end = ruler.frames(of: before)?.upperBound, end > frames.upperBound
            {
                kept.removeLast()
            }
            if lies.upperBound <= frames.upperBound { tail = nil }
            kept += [head, tail].compactMap { $0 }
        }
        clips = kept
        place(clip)
        endCrossfades(ruler)
    }

    /// Opens a silence: what lies at its start or behind is moved by its duration, a clip that covers its
    /// start is cut there.
    /// - Throws: `EditError.range`, `.noFrame`, `.inFade`, `.beyondEnd`.
    public mutating func insertSilence(_ range: TimeRange, ruler: ClipRuler) throws(EditError) {
        try open(Self.frames(range, ruler), ruler)
    }

    /// Takes out what lies in `range`; what lies behind closes the gap, or stays where it is.
    /// - Throws: `EditError.range`, `.noFrame`, `.inFade`.
    public mutating func removeRange(
        _ range: TimeRange, keepsGap: Bool = false, ruler: ClipRuler
    ) throws(EditError) {
        let frames = try Self.frames(range, ruler)
        try checkCut(at: frames.lowerBound, ruler)
        try checkCut(at: frames.upperBound, ruler)
        clips = clips.flatMap { clip -> [Clip] in
            let (head, rest) = ruler.cut(clip, at: frames.lowerBound)
            let tail = rest.flatMap { ruler.cut($0, at: frames.upperBound).tail }
            return [head, keepsGap ? tail : tail.map { ruler.shifted($0, by: -Int64(frames.count)) }]
                .compactMap { $0 }
        }
    }

    /// Closes up gaps, of which each has no clip in it: what lies behind one comes earlier by it.
    /// - Parameter gaps: in frames, in their order.
    public mutating func closeUp(_ gaps: [Range<Int64>], ruler: ClipRuler) {
        var (next, distance): (Int, Int64) = (0, 0)
        for index in clips.indices {
            let start = ruler.frame(clips[index].at)
            while next < gaps.count, gaps[next].upperBound <= start {
                distance += Int64(gaps[next].count)
                next += 1
            }
            if distance > 0 { clips[index] = ruler.shifted(clips[index], by: -distance) }
        }
    }

    /// Cuts the clip that covers `time` in two that sound on like the one.
    /// - Throws: `EditError.nothingToSplit` where no clip is, or one begins or ends; `.inFade`.
    public mutating func split(at time: MediaTime, ruler: ClipRuler) throws(EditError) {
        let frame = ruler.frame(time)
        try checkCut(at: frame, ruler)
        for (index, clip) in clips.enumerated() {
            guard let frames = ruler.frames(of: clip), frames.contains(frame) else { continue }
            guard case (let head?, let tail?) = ruler.cut(clip, at: frame) else { break }
            return clips.replaceSubrange(index...index, with: [head, tail])
        }
        throw .nothingToSplit(at: time)
    }

    /// Takes out the clip at `index` of `clips`; what it crossed over into just begins.
    /// - Throws: `EditError.noClip`.
    @discardableResult
    public mutating func removeClip(at index: Int, ruler: ClipRuler) throws(EditError) -> Clip {
        guard clips.indices.contains(index) else { throw .noClip(number: index + 1, count: clips.count) }
        let clip = clips.remove(at: index)
        endCrossfades(ruler)
        return clip
    }

    /// Moves the clip at `index` of `clips` to begin at `time`.
    /// - Parameter crossfade: by how much it is to overlap the clip that it comes behind.
    /// - Throws: `EditError.noClip`, and what inserting throws; then nothing has changed.
    public mutating func moveClip(
        at index: Int, to time: MediaTime, push: Bool = false, crossfade: ClipFade? = nil, ruler: ClipRuler
    ) throws(EditError) {
        try replaceClip(at: index, push: push, ruler) { clip in
            var moved = clip
            moved.at = time
            moved.crossfade = crossfade ?? ClipFade(curve: clip.crossfade.curve)
            return moved
        }
    }

    /// Plays the clip at `index` of `clips` so many times more, each on the frame where the one before ends,
    /// without the crossfade that the first may have.
    /// - Parameter push: what lies behind makes room; what crosses over from the clip then crosses over from
    ///   the last of them. Without it an overlap is refused.
    /// - Throws: `EditError.noClip`, `.noLength`, `.overlaps`, `.noFrame`, `.beyondEnd`; then nothing has
    ///   changed.
    public mutating func repeatClip(
        at index: Int, times: Int, push: Bool = false, ruler: ClipRuler
    ) throws(EditError) {
        guard clips.indices.contains(index) else { throw .noClip(number: index + 1, count: clips.count) }
        guard let range = ruler.range(of: clips[index]) else { throw .noLength(clip: index + 1) }
        let (copies, end) = Self.copies(of: clips[index], after: range, times, ruler)
        guard let first = copies.first else { return }
        if !end.isOnTimeline { throw .beyondEnd(clip: index + 1, at: end) }
        var edited = self
        try edited.makeRoom(
            for: first, over: TimeRange(start: first.at, end: end), behind: push ? index : nil, ruler)
        for copy in copies { edited.place(copy) }
        self = edited
    }

    /// Looks that nothing lies where a clip is to begin, or moves what lies behind another clip.
    private mutating func makeRoom(
        for clip: Clip, over range: TimeRange, behind index: Int?, _ ruler: ClipRuler
    ) throws(EditError) {
        let frames = try Self.frames(range, ruler)
        if let index { return try delay(from: index + 1, by: frames.count, ruler) }
        try checkFree(frames, range, clip, ruler)
    }

    /// A clip so many times more, each where the one before ends, and where the last does.
    private static func copies(
        of clip: Clip, after range: TimeRange, _ times: Int, _ ruler: ClipRuler
    ) -> (copies: [Clip], end: MediaTime) {
        var copy = clip
        copy.crossfade = ClipFade(curve: copy.crossfade.curve)
        var (copies, end) = ([Clip](), range.end)
        for _ in 0..<times {
            copy.at = MediaTime(frame: ruler.frame(end), rate: ruler.rate)
            copies.append(copy)
            end = copy.at + range.duration
        }
        return (copies, end)
    }

    /// Has the clip at `index` of `clips` begin and end elsewhere; what is heard in between stays where it
    /// is, and what comes in addition is what its file holds there.
    /// - Throws: `EditError.noClip`, `.beyondFile`, and what inserting throws; then nothing has changed.
    public mutating func trimClip(at index: Int, to range: TimeRange, ruler: ClipRuler) throws(EditError) {
        try replaceClip(at: index, push: false, ruler) { clip throws(EditError) in
            guard let trimmed = ruler.trimmed(clip, to: try Self.frames(range, ruler)) else {
                throw .beyondFile(clip: index + 1, range)
            }
            return trimmed
        }
    }

    /// Has the clip at `index` of `clips` play its file as `paced` does, which is the same clip at another
    /// speed, pitch or in the other direction. It begins where it did, and lasts as long as that takes.
    /// - Throws: `EditError.noClip`, and what inserting throws; then nothing has changed.
    public mutating func setPace(ofClipAt index: Int, as paced: Clip, ruler: ClipRuler) throws(EditError) {
        guard clips.indices.contains(index), ruler.range(of: clips[index]) == ruler.range(of: paced) else {
            return try replaceClip(at: index, push: false, ruler) { _ in paced }
        }
        clips[index] = paced
    }

    /// Changes how loud the clip at `index` of `clips` is, or its fades.
    /// - Throws: `EditError.noClip`.
    public mutating func shapeClip(at index: Int, _ change: (inout Clip) -> Void) throws(EditError) {
        guard clips.indices.contains(index) else { throw .noClip(number: index + 1, count: clips.count) }
        change(&clips[index])
    }

    /// Takes the clip at `index` of `clips` out, and puts what `change` makes of it in.
    private mutating func replaceClip(
        at index: Int, push: Bool, _ ruler: ClipRuler, _ change: (Clip) throws(EditError) -> Clip
    ) throws(EditError) {
        var edited = self
        let clip = try edited.removeClip(at: index, ruler: ruler)
        do throws(EditError) { try edited.insert(change(clip), push: push, ruler: ruler) } catch {
            // The others are counted with it.
            guard case .overlaps(let asked, let number, let existing) = error, number > index else {
                throw error
            }
            throw .overlaps(asked: asked, clip: number + 1, existing: existing)
        }
        self = edited
    }

    /// Where the last clip ends; zero without clips. An append goes here.
    public func end(ruler: ClipRuler) -> MediaTime {
        clips.compactMap { ruler.range(of: $0)?.end }.max() ?? .zero
    }

    /// Moves all that lies at the first of `frames` or behind by their count.
    private mutating func open(_ frames: Range<Int64>, _ ruler: ClipRuler) throws(EditError) {
        try checkCut(at: frames.lowerBound, ruler)
        let opened = clips.flatMap { clip -> [Clip] in
            let (head, tail) = ruler.cut(clip, at: frames.lowerBound)
            return [head, tail.map { ruler.shifted($0, by: Int64(frames.count)) }].compactMap { $0 }
        }
        if let last = opened.last, !last.at.isOnTimeline { throw .beyondEnd(clip: opened.count, at: last.at) }
        clips = opened
    }

    /// Moves the clips from one on later.
    private mutating func delay(from first: Int, by count: Int, _ ruler: ClipRuler) throws(EditError) {
        for index in first..<max(first, clips.count) {
            clips[index] = ruler.shifted(clips[index], by: Int64(count))
            if !clips[index].at.isOnTimeline { throw .beyondEnd(clip: index + 1, at: clips[index].at) }
        }
    }

    /// Moves what begins behind the clip that `clip` crosses over from, so that it begins where `clip` ends.
    /// A clip that goes on beyond the crossfade is cut at its end.
    private mutating func openBehind(
        _ clip: Clip, _ frames: Range<Int64>, _ ruler: ClipRuler
    ) throws(EditError) {
        let cut = ruler.frame(clip.at + clip.crossfade.duration)
        let goesOn = clips.contains { other in
            ruler.frames(of: other).map { $0.lowerBound < cut && cut < $0.upperBound } ?? false
        }
        if goesOn { try split(at: MediaTime(frame: cut, rate: ruler.rate), ruler: ruler) }
        let first = index(behind: clip.at)
        guard clips.indices.contains(first) else { return }
        let distance = frames.upperBound - ruler.frame(clips[first].at)
        if distance <= 0 { return }
        try delay(from: first, by: Int(distance), ruler)
        endCrossfades(ruler)
    }

    private func checkFree(
        _ frames: Range<Int64>, _ range: TimeRange, _ clip: Clip, _ ruler: ClipRuler
    ) throws(EditError) {
        // They are in order, and each ends behind all before it: only the last that begins before can be in
        // the way, and those that begin inside.
        var index = index(behind: range.start)
        let before = clips[..<index].lastIndex { ruler.frames(of: $0)?.isEmpty == false }
        if let problem = ruler.crossfadeProblem(clip, behind: clips[..<index]) {
            throw .crossfade(clip.crossfade.duration, problem)
        }
        if let before, clip.crossfade.duration == .zero { index = before }
        if let other = firstOverlap(of: frames, from: index, ruler) {
            throw .overlaps(asked: range, clip: other + 1, existing: ruler.range(of: clips[other])!)
        }
    }

    private func firstOverlap(of frames: Range<Int64>, from index: Int, _ ruler: ClipRuler) -> Int? {
        let begun = clips[index...].indices.prefix { ruler.frame(clips[$0].at) < frames.upperBound }
        return begun.first { ruler.frames(of: clips[$0])?.overlaps(frames) == true }
    }

    /// Refuses to cut a clip where it is on its way: neither side could sound on like it.
    func checkCut(at frame: Int64, _ ruler: ClipRuler) throws(EditError) {
        var before: Range<Int64>?
        for (index, clip) in clips.enumerated() {
            guard let range = ruler.range(of: clip) else { continue }
            let frames = ruler.frames(range)
            let isInside = frames.lowerBound < frame && frame < frames.upperBound
            let isFading =
                frame < ruler.frame(range.start + clip.fadeIn.duration)
                || frame > ruler.frame(range.end - clip.fadeOut.duration)
            let isCrossed = frames.contains(frame) && frame < before?.upperBound ?? .min
            if isCrossed || isInside && isFading {
                throw .inFade(at: MediaTime(frame: frame, rate: ruler.rate), clip: index + 1)
            }
            before = frames
        }
    }

    /// Clips that no longer overlap the one before them have no crossfade.
    mutating func endCrossfades(_ ruler: ClipRuler) {
        for index in clips.indices where clips[index].crossfade.duration != .zero {
            if ruler.crossfadeProblem(clips[index], behind: clips[..<index]) != nil {
                clips[index].crossfade.duration = .zero
            }
        }
    }

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

    /// The frames of a range that an edit may have.
    static func frames(_ range: TimeRange, _ ruler: ClipRuler) throws(EditError) -> Range<Int64> {
        guard range.start.isOnTimeline, range.duration.isOnTimeline, range.duration > .zero else {
            throw .range(range)
        }
        let frames = ruler.frames(range)
        if frames.isEmpty { throw .noFrame(range, rate: ruler.rate) }
        return frames
    }
}
