/// A stretch of a track that is to last longer or shorter.
extension Track {
    /// Has what lies in `range` last as long as `duration`: its clips play slower or faster, with their
    /// fades; what lies behind moves.
    /// - Throws: `EditError.range`, `.noFrame`, `.inFade`, `.speed`, `.beyondEnd`; then nothing has changed.
    public mutating func scaleRange(
        _ range: TimeRange, to duration: MediaTime, ruler: ClipRuler
    ) throws(EditError) {
        let (frames, scaled) = try cutFrames(range, lasting: duration, ruler)
        var edited: [Clip] = []
        for (index, clip) in clips.enumerated() {
            let (head, rest) = ruler.cut(clip, at: frames.lowerBound)
            if let head { edited.append(head) }
            guard let rest else { continue }
            let (inside, behind) = ruler.cut(rest, at: frames.upperBound)
            if let inside {
                edited += try Self.scaled(inside, number: index + 1, from: frames, to: scaled, ruler)
            }
            if let behind {
                edited.append(try Self.moved(behind, number: index + 1, scaled.count - frames.count, ruler))
            }
        }
        clips = edited
        endCrossfades(ruler)
    }

    /// The frames of a range, whose ends can be cut, and those that it is to lie in.
    private func cutFrames(
        _ range: TimeRange, lasting duration: MediaTime, _ ruler: ClipRuler
    ) throws(EditError) -> (frames: Range<Int64>, scaled: Range<Int64>) {
        let (frames, scaled) = (
            try Self.frames(range, ruler),
            try Self.frames(TimeRange(start: range.start, duration: duration), ruler)
        )
        try checkCut(at: frames.lowerBound, ruler)
        try checkCut(at: frames.upperBound, ruler)
        return (frames, scaled)
    }

    private static func moved(
        _ clip: Clip, number: Int, _ frames: Int, _ ruler: ClipRuler
    ) throws(EditError) -> Clip {
        let moved = ruler.shifted(clip, by: Int64(frames))
        if !moved.at.isOnTimeline { throw .beyondEnd(clip: number, at: moved.at) }
        return moved
    }

    /// A clip that lies in some frames, as fast as it lies in others; none where nobody knows how long it is.
    private static func scaled(
        _ clip: Clip, number: Int, from frames: Range<Int64>, to scaled: Range<Int64>, _ ruler: ClipRuler
    ) throws(EditError) -> [Clip] {
        guard let lies = ruler.frames(of: clip) else { return [] }
        let speed = clip.speed * Double(frames.count) / Double(scaled.count)
        guard Clip.speeds.contains(speed) else { throw .speed(speed, clip: number) }
        return [ruler.paced(clip, at: speed, over: place(lies, of: frames, in: scaled))]
    }

    /// Where a part of a range lies once that is as long as another.
    private static func place(
        _ part: Range<Int64>, of range: Range<Int64>, in scaled: Range<Int64>
    ) -> Range<Int64> {
        func place(_ frame: Int64) -> Int64 {
            let offset = Int128(frame - range.lowerBound) * Int128(scaled.count)
            return scaled.lowerBound + Int64(RoundingRule.nearest.divide(offset, by: Int128(range.count)))
        }
        return place(part.lowerBound)..<place(part.upperBound)
    }
}
