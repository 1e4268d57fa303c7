import Timeline

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
