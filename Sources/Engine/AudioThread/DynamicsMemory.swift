import CVector
import Realtime

/// What a compressor or a gate remembers. Audio thread only.
struct DynamicsMemory {
    /// In dB.
    var reduction = 0.0
    /// For how many frames an open gate has heard nothing that keeps it open; nil: it is closed.
    private var quiet: Int64?

    @_noLocks
    init() {}

    @_noLocks
    mutating func pass(_ page: inout MemoryPage) {
        page.pass(&reduction, atLeast: 0, atMost: 1000)
        page.pass(&quiet)
    }

    /// By how many dB the next frame is changed.
    /// - Parameter decibels: the level that it goes by.
    @_noLocks @inline(__always)
    mutating func next(_ decibels: Double, _ setting: DynamicsSetting, _ curve: DynamicsCurve) -> Double {
        let target = setting.isGate ? gate(decibels, setting.hold, curve) : curve.reduction(at: decibels)
        let rest = target > reduction ? setting.growth : setting.decay
        reduction = rest * reduction + (1 - rest) * target
        // So that it comes back to where nothing is changed.
        if target == 0, reduction < 1e-9 { reduction = 0 }
        if setting.isGate, reduction >= 120, curve.amount == 1 { return Self.silence() }
        return curve.amount * (curve.makeup - reduction)
    }

    /// In dB: what no sample is heard after.
    @_noLocks
    private static func silence() -> Double { -6000 }

    /// What the reduction of a gate goes to.
    @_noLocks @inline(__always)
    private mutating func gate(_ decibels: Double, _ hold: Int64, _ curve: DynamicsCurve) -> Double {
        if decibels >= curve.threshold {
            quiet = 0
        } else if let frames = quiet {
            quiet = decibels >= curve.close ? 0 : frames + 1 > hold ? nil : frames + 1
        }
        return quiet == nil ? curve.range : 0
    }
}
