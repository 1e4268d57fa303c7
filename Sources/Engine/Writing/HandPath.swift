import Timeline

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
