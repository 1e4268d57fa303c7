import Timeline

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
