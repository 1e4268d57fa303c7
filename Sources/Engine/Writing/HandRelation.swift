import Timeline

/// How what a hand did becomes automation.
package enum HandRelation: Equatable {
    /// What the timeline said is multiplied by where the hand was, divided by where it goes back to. That is
    /// another place than where it came from (`base`) if it came from silence, or if the quotient would be
    /// out of range: then what the timeline said elsewhere is multiplied by `base / back`, so that it sounds
    /// as before.
    case ratio(base: Double, back: Double)
    /// What the hand said stands in place of what the timeline said, which before its first event is where
    /// the hand goes back to.
    case value(base: Double)
}

extension HandRelation {
    /// That of a control that multiplies.
    /// - Parameters:
    ///   - base: where the hand came from.
    ///   - old: what the timeline said.
    package static func ratio(
        base: Double, _ old: Automation, _ stretches: [HandStretch], sampleRate: Int32
    ) -> HandRelation {
        let values = stretches.flatMap { $0.points.map(\.value) }
        guard let highest = values.max(), highest > base else { return .ratio(base: base, back: base) }
        if base == 0 { return .ratio(base: 0, back: 1) }
        // A ramp begins with one of these and ends with the next.
        let said = EnvelopeBuilder.automation(old, sampleRate: sampleRate).segments.map(\.base).max() ?? 1
        let isInRange = said * highest / base <= old.control.range.upperBound
        return .ratio(base: base, back: isInRange ? base : highest)
    }
}
