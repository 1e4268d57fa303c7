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
