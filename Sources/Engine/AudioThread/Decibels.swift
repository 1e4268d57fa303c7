import CVector

/// Gains and levels in dB and back: this program's own series (`CVector`), so that they are the same on every
/// processor.
enum Decibels {
    /// Of a level above 0, in dB.
    static func of(_ level: Double) -> Double {
        var value = level
        levels_to_decibels(&value, 1)
        return value
    }

    /// 10^(decibels / 20), for -6000 to 6000 dB.
    static func gain(_ decibels: Double) -> Double {
        var value = decibels
        decibels_to_gains(&value, 1)
        return value
    }
}
