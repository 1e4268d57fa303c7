import Timeline

extension MediaTime {
    /// The frame of this time, between the ends of what the engine counts in: an infinity is one of them.
    /// What comes from people and files was checked long before; a composition in Swift may hold any time,
    /// and none may trap in the audio thread.
    func timelineFrame(atRate rate: Int32, rounding: RoundingRule = .nearest) -> Int64 {
        guard isNumeric else {
            return self > .zero ? Route.positions.upperBound : -Route.positions.upperBound
        }
        return frame(atRate: rate, rounding: rounding).clamped(
            to: -Route.positions.upperBound...Route.positions.upperBound)
    }
}

extension Comparable {
    /// The nearest of `range`.
    func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}
