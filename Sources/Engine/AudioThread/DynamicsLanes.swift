/// The numbers of a compressor or a gate that the timeline moves.
struct DynamicsLanes {
    let entries: UnsafePointer<Entry>
    let count: Int

    struct Entry {
        let number: Number
        let value: LaneValue
    }

    enum Number: Equatable {
        case threshold, ratio, knee, makeup, range

        /// By its name in files.
        init?(_ word: String) {
            switch word {
            case "threshold": self = .threshold
            case "ratio": self = .ratio
            case "knee": self = .knee
            case "makeup": self = .makeup
            case "range": self = .range
            default: return nil
            }
        }
    }

    /// A curve as the hand has set it, with what the timeline says in place of that.
    @_noLocks
    func curve(_ hand: DynamicsCurve, at frame: Int64) -> DynamicsCurve {
        var curve = hand
        for i in 0..<count {
            let value = entries[i].value
            switch entries[i].number {
            case .threshold:
                curve.threshold = value.value(at: frame, hand: hand.threshold)
                // The level at which a gate closes goes along.
                curve.close = hand.close + (curve.threshold - hand.threshold)
            case .ratio:
                let ratio = value.value(at: frame, hand: 0)
                curve.slope = ratio > 0 ? slope(ratio) : hand.slope
            case .knee: curve.knee = value.value(at: frame, hand: hand.knee)
            case .makeup: curve.makeup = value.value(at: frame, hand: hand.makeup)
            case .range: curve.range = range(value.value(at: frame, hand: hand.range))
            }
        }
        return curve
    }

    /// Of a ratio; 1000 has no end.
    @_noLocks
    private func slope(_ ratio: Double) -> Double { ratio >= 1000 ? 1 : 1 - 1 / ratio }

    /// 120 dB is all the way.
    @_noLocks
    private func range(_ range: Double) -> Double { range >= 120 ? 144 : range }
}
