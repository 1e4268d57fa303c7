import Realtime

/// The levels that a line's gate and compressor go by in a block; nil: its own.
struct KeySide {
    let gate: UnsafePointer<Float>?
    let compressor: UnsafePointer<Float>?

    /// - Parameter isPast: those of what was played before, while that is crossed over from.
    @_noLocks
    init(_ levels: UnsafeMutablePointer<LineLevels>?, isPast: Bool) {
        gate = Self.levels(levels?.pointee.gate, isPast)
        compressor = Self.levels(levels?.pointee.compressor, isPast)
    }

    @_noLocks
    private static func levels(_ key: KeyLevels?, _ isPast: Bool) -> UnsafePointer<Float>? {
        guard let key else { return nil }
        return UnsafePointer(key.levels(isBefore: isPast))
    }
}
