import CVector
import Realtime

/// How much a compressor or a gate lowers at which level: what glides when a hand moves it. The formulas
/// stand at `Compressor` and `Gate`.
package struct DynamicsCurve: Equatable {
    /// In dB: where a compressor begins to lower, or a gate opens.
    var threshold = 0.0
    /// In dB: below it a gate closes.
    var close = 0.0
    /// 1 - 1 / ratio of a compressor.
    var slope = 0.0
    /// In dB: how wide the curve is bent about the threshold.
    var knee = 0.0
    /// In dB: what a closed gate goes to.
    var range = 0.0
    /// In dB.
    var makeup = 0.0
    /// How much of all that is heard: 0 while it is off.
    var amount = 1.0

    @_noLocks
    init() {}

    /// The same, of which nothing is heard.
    @_noLocks
    func off() -> DynamicsCurve {
        var curve = self
        curve.amount = 0
        return curve
    }

    /// What lies between `other` and this, at `share` of the way.
    @_noLocks
    func mixed(from other: DynamicsCurve, _ share: Double) -> DynamicsCurve {
        var mixed = self
        mixed.threshold = other.threshold + (threshold - other.threshold) * share
        mixed.close = other.close + (close - other.close) * share
        mixed.slope = other.slope + (slope - other.slope) * share
        mixed.knee = other.knee + (knee - other.knee) * share
        mixed.range = other.range + (range - other.range) * share
        mixed.makeup = other.makeup + (makeup - other.makeup) * share
        mixed.amount = other.amount + (amount - other.amount) * share
        return mixed
    }

    /// By how many dB a compressor lowers a level in dB, once it has had its time.
    @_noLocks @inline(__always)
    func reduction(at level: Double) -> Double {
        let excess = level - threshold
        if 2 * excess <= -knee { return 0 }
        if 2 * excess >= knee { return slope * excess }
        let bent = excess + knee / 2
        return slope * bent * bent / (2 * knee)
    }
}
