import Timeline

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
    package func clock(at frame: Int64) -> Int64? {
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
