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
    ///   - entry: over so many frames it comes from what was before, if that is elsewhere.
    ///   - exit: over so many it goes back behind its end.
    init(
        _ automation: Automation, _ region: HandStretch, _ relation: HandRelation, cameFrom: HandStretch?,
        entry: Int64, exit: Int64, _ sampleRate: Int32
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
        self.entry = min(entry, region.end - region.start)
        self.exit = exit
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

/// How far what is written may be from what was heard.
struct Tolerance {
    /// As a factor; and beside that, as a number.
    private let factor: Double
    private let number: Double

    /// 0.05 dB for what multiplies, and nothing that is below -120 dB counts; 0.005 for a balance; of a
    /// processor's settings 0.1 % of the range, or of the value where that is a frequency or a ratio.
    init(of control: Automation.Control) {
        switch control {
        case .volume, .trim: (factor, number) = (Volume.gain(level: 0.04), 1e-6)
        case .pan: (factor, number) = (1, 0.004)
        case .mute: (factor, number) = (1, 0)
        case .highPass, .lowPass, .frequency1, .frequency2, .frequency3, .frequency4, .quality1, .quality2,
            .quality3, .quality4, .compressorRatio:
            (factor, number) = (1.0008, 0)
        default: (factor, number) = (1, 0.0008 * (control.range.upperBound - control.range.lowerBound))
        }
    }

    /// A part of it.
    private init(factor: Double, number: Double) { (self.factor, self.number) = (factor, number) }

    func tenth() -> Tolerance { Tolerance(factor: 1 + (factor - 1) / 10, number: number / 10) }

    /// What may stand in place of a value.
    func range(_ value: Double) -> ClosedRange<Double> {
        let (a, b) = (value / factor, value * factor)
        return min(a, b, value - number)...max(a, b, value + number)
    }

    /// As few of the points as leave none of the others further from the lines between them than is allowed:
    /// each line goes as far as it can.
    func thinned(_ points: [HandStretch.Point]) -> [HandStretch.Point] {
        var kept = [points[0]]
        var (low, high) = (-Double.infinity, Double.infinity)
        for index in points.indices.dropFirst() {
            let start = kept[kept.count - 1]
            let next = points[index]
            let slope = (next.value - start.value) / Double(next.frame - start.frame)
            if slope < low || slope > high {
                kept.append(points[index - 1])
                (low, high) = (-.infinity, .infinity)
            }
            let (from, allowed) = (kept[kept.count - 1], range(next.value))
            let length = Double(next.frame - from.frame)
            low = max(low, (allowed.lowerBound - from.value) / length)
            high = min(high, (allowed.upperBound - from.value) / length)
        }
        if points.count > 1 { kept.append(points[points.count - 1]) }
        return kept
    }
}

/// Lines in place of a curve, a tenth of the tolerance from it at the most.
struct Straightening {
    private let tolerance: Tolerance

    init(_ tolerance: Tolerance) { self.tolerance = tolerance.tenth() }

    /// The corners from one frame to another, both included.
    func points(from start: Int64, to end: Int64, _ value: (Int64) -> Double) -> [HandStretch.Point] {
        let (a, b) = (HandStretch.Point(start, value(start)), HandStretch.Point(end, value(end)))
        let isStraight = [Int64(1), 2, 3].allSatisfy { part in
            let frame = start + (end - start) * part / 4
            let share = Double(frame - start) / Double(max(1, end - start))
            return tolerance.range(value(frame)).contains(a.value + (b.value - a.value) * share)
        }
        if isStraight || end - start < 2 { return [a, b] }
        let middle = start + (end - start) / 2
        return points(from: start, to: middle, value) + points(from: middle, to: end, value).dropFirst()
    }
}
