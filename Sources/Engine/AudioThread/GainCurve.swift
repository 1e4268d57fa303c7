import Timeline

/// `Curve` as a number that may cross to the audio thread.
package enum GainCurve: Int32 {
    case linear, scurve, equalpower, exponential

    init(_ curve: Curve) {
        self =
            switch curve {
            case .linear: .linear
            case .scurve: .scurve
            case .equalpower: .equalpower
            case .exponential: .exponential
            }
    }

    /// From the number that crossed.
    @_noLocks
    init(code: Int32) {
        switch code {
        case 1: self = .scurve
        case 2: self = .equalpower
        case 3: self = .exponential
        default: self = .linear
        }
    }

    /// Between volumes of which one is silence no exponential exists: there the line stands in.
    @_noLocks
    func possible(from first: Double, to last: Double) -> GainCurve {
        if case .exponential = self, first <= 0 || last <= 0 { return .linear }
        return self
    }
}
