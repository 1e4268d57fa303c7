import Timeline

/// Where a hand had a control over a stretch of the timeline without a jump.
package struct HandStretch: Equatable, Sendable {
    package struct Point: Equatable, Sendable {
        package let frame: Int64
        package let value: Double

        package init(_ frame: Int64, _ value: Double) { (self.frame, self.value) = (frame, value) }
    }

    /// In order; between two the value goes along a line. The last is where the stretch ends.
    package private(set) var points: [Point]
    package var start: Int64 { points[0].frame }
    package var end: Int64 { points[points.count - 1].frame }

    /// - Parameter points: two at the least, the last behind the first.
    package init(_ points: [Point]) { self.points = points }

    /// Where it was at one of its frames.
    package func value(at frame: Int64) -> Double {
        let next = points.firstPlace { $0.frame > frame }
        if next == 0 { return points[0].value }
        if next == points.count { return points[next - 1].value }
        let (a, b) = (points[next - 1], points[next])
        return a.value + (b.value - a.value) * Double(frame - a.frame) / Double(b.frame - a.frame)
    }

    /// The same between two of its frames.
    func part(from start: Int64, to end: Int64) -> HandStretch {
        let inner = points[points.firstPlace { $0.frame > start }..<points.firstPlace { $0.frame >= end }]
        return HandStretch([Point(start, value(at: start))] + inner + [Point(end, value(at: end))])
    }
}

/// What a hand did to a control, on the clock of the mixer: one glide after another, as the audio thread
/// carries them out.
package struct HandPath: Sendable {
    private var moves: [GainSegment] = []
    private var ends: [Int64] = []
    private var targets: [Double] = []
    private let first: Double

    /// - Parameter value: where it was before the first move.
    package init(value: Double) { first = value }

    /// Where it is when all has been done.
    package var target: Double { targets.last ?? first }

    /// It glides to a value over some frames from a frame of the clock on.
    package mutating func move(to target: Double, over frames: Int64, curve: Curve, at clock: Int64) {
        let present = value(at: clock)
        let moves = frames > 0 && present != target
        self.moves.append(
            moves
                ? GainSegment(
                    start: clock, lead: 0, length: Double(frames), from: present, to: target,
                    curve: GainCurve(curve).possible(from: present, to: target))
                : GainSegment(start: clock, value: target))
        ends.append(moves ? clock + frames : clock)
        targets.append(target)
    }

    /// Where it was at a frame of the clock.
    package func value(at clock: Int64) -> Double {
        let index = moves.firstPlace { $0.start > clock } - 1
        if index < 0 { return first }
        return clock >= ends[index] ? targets[index] : moves[index].value(at: clock)
    }

    /// From one frame of the clock to another, along lines: a bent glide in so many parts that none is off by
    /// a thousandth of its way.
    private func points(from start: Int64, to end: Int64) -> [HandStretch.Point] {
        var clocks: Set<Int64> = [start, end]
        let begun = moves.firstPlace { $0.start > start } - 1
        for index in max(0, begun)..<max(max(0, begun), moves.firstPlace { $0.start > end }) {
            let move = moves[index]
            let stop = index + 1 < moves.count ? min(ends[index], moves[index + 1].start) : ends[index]
            clocks.formUnion([move.start, stop])
            // A step is one from a frame to the next.
            if stop == move.start { clocks.insert(stop - 1) }
            if move.shape == .hold || move.shape == .linear { continue }
            let parts = min(64, max(1, ends[index] - move.start))
            for part in 1..<parts { clocks.insert(move.start + (ends[index] - move.start) * part / parts) }
        }
        return clocks.sorted().filter { $0 >= start && $0 <= end }.map {
            HandStretch.Point($0, value(at: $0))
        }
    }

    /// On the timeline.
    /// - Parameters:
    ///   - way: where the playhead went.
    ///   - lag: how far behind it the timeline is read.
    package func stretches(
        _ way: PlayheadWay, from start: Int64, to end: Int64, lag: Int64
    ) -> [HandStretch] {
        way.rolled(from: start, to: end).compactMap { part in
            let shift = part.frame - part.start - lag
            let first = max(part.start, -shift)
            if part.end <= first { return nil }
            return HandStretch(
                points(from: first, to: part.end).map { HandStretch.Point($0.frame + shift, $0.value) })
        }
    }
}

/// Where the playhead went, on the clock of the mixer.
package struct PlayheadWay: Sendable {
    /// From a frame of the clock on it rolls from a frame of the timeline, or stands.
    private var turns: [(clock: Int64, frame: Int64?)] = []

    package init() {}

    /// It rolls, as far as is known.
    package var isRolling: Bool { turns.last?.frame != nil }

    package mutating func rolls(from frame: Int64, at clock: Int64) { turns.append((clock, frame)) }

    package mutating func stands(at clock: Int64) { turns.append((clock, nil)) }

    /// When it comes to a frame of the timeline, if it rolls towards that.
    package func turn(to frame: Int64) -> Int64? {
        guard let last = turns.last, let from = last.frame, from < frame else { return nil }
        return last.clock + frame - from
    }

    /// Nobody asks for what was before a frame of the clock.
    package mutating func forget(before clock: Int64) {
        guard let last = turns.lastIndex(where: { $0.clock <= clock }), last > 0 else { return }
        turns.removeFirst(last)
    }

    /// The parts of a stretch of the clock over which it rolled, each with the frame where it began.
    func rolled(from start: Int64, to end: Int64) -> [(start: Int64, end: Int64, frame: Int64)] {
        turns.indices.compactMap { index in
            guard let frame = turns[index].frame else { return nil }
            let first = max(start, turns[index].clock)
            let last = min(end, index + 1 < turns.count ? turns[index + 1].clock : .max)
            return first < last ? (first, last, frame + first - turns[index].clock) : nil
        }
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first of those, behind which all are such; the end if there is none.
    func firstPlace(_ isBeyond: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
