import Timeline

/// What is written of one stretch, along lines: what the timeline said and what the hand did, and the ways in
/// and out.
struct WrittenLine {
    private let old: EnvelopeBuilder
    /// What is said where no hand was.
    private let others: EnvelopeBuilder
    private let region: HandStretch
    private let relation: HandRelation
    private let control: Automation.Control
    /// What the hand did in the stretch that this one follows without a gap.
    private let cameFrom: HandStretch?
    private let entry: Int64
    private let exit: Int64

    /// - Parameters:
    ///   - fades: over so many frames it comes from what was before, if that is elsewhere, and goes back
    ///     after its end.
    init(
        _ automation: Automation, _ region: HandStretch, _ relation: HandRelation, cameFrom: HandStretch?,
        fades: (entry: Int64, exit: Int64), _ sampleRate: Int32
    ) {
        let standard: Double =
            switch relation {
            case .ratio: 1
            case .value(let base): base
            }
        old = .automation(automation, startingAt: standard, sampleRate: sampleRate)
        others = .automation(automation.around(relation), startingAt: standard, sampleRate: sampleRate)
        (self.region, self.relation, control, self.cameFrom) = (
            region, relation, automation.control, cameFrom
        )
        entry = min(fades.entry, region.end - region.start)
        exit = fades.exit
    }

    /// What is heard where the hand is there.
    private func heard(_ hand: Double, at frame: Int64) -> Double {
        let value: Double =
            switch relation {
            case .ratio(_, let back): old.value(at: frame) * hand / back
            case .value: hand
            }
        return min(control.range.upperBound, max(control.range.lowerBound, value))
    }

    /// What is heard where no hand is.
    private func around(_ frame: Int64) -> Double { others.value(at: frame) }

    /// But for rounding.
    private func isSame(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-9 * max(abs(a), abs(b)) }

    /// What was heard before its first frame.
    private var earlier: Double {
        cameFrom.map { heard($0.value(at: region.start), at: region.start) } ?? around(region.start)
    }

    private func value(at frame: Int64) -> Double {
        if frame > region.end {
            let share = exit == 0 ? 1 : Double(frame - region.end) / Double(exit)
            let from = heard(region.value(at: region.end), at: frame)
            return from + (around(frame) - from) * min(1, share)
        }
        let value = heard(region.value(at: frame), at: frame)
        let done = Double(frame - region.start)
        if entry == 0 || done >= Double(entry)
            || isSame(earlier, heard(region.value(at: region.start), at: region.start))
        {
            return value
        }
        return earlier + (value - earlier) * done / Double(entry)
    }

    /// The corners of its lines, as few as its tolerance allows.
    var vertices: [HandStretch.Point] {
        let goesBack = !isSame(value(at: region.end), around(region.end))
        let end = goesBack ? region.end + exit : region.end
        var frames = Set(region.points.map(\.frame) + [region.start + entry, region.end, end])
        // A step of the timeline is one from a frame to the next.
        for start in old.starts(from: region.start, to: end) { frames.formUnion([start - 1, start]) }
        let corners = frames.filter { $0 >= region.start && $0 <= end }.sorted()
        let tolerance = Tolerance(of: control)
        let straightening = Straightening(tolerance)
        var points = [HandStretch.Point(corners[0], value(at: corners[0]))]
        for (a, b) in zip(corners, corners.dropFirst()) {
            points += straightening.points(from: a, to: b, value).dropFirst()
        }
        return tolerance.thinned(points)
    }
}
