import Remote
import Timeline

/// A meter as the eye follows it: the peak falls by 20 dB a second, the highest is held for a moment.
package struct WatchedMeter {
    package private(set) var rms = 0.0
    package private(set) var peak = 0.0
    package private(set) var held = 0.0
    /// What was told last; it stands until something else is.
    private var level = 0.0
    private var heldAt: UInt64 = 0
    private var movedAt: UInt64 = 0

    private static let hold: UInt64 = 1_500_000_000
    private static let fall = 20.0

    mutating func receive(peak: Double, rms: Double) {
        (level, self.rms) = (peak, rms)
    }

    /// To be called before each picture.
    mutating func move(to now: UInt64) {
        let fallen = peak * Volume.gain(level: -Self.fall * Double(now - movedAt) / 1e9)
        peak = max(level, fallen)
        movedAt = now
        if peak >= held || now - heldAt > Self.hold { (held, heldAt) = (peak, now) }
    }
}
