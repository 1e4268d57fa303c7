import OSC
import Speakers
import Timeline

/// What counts as a pause: what stays below a linear level for at least so long, but for a little on either
/// side.
public struct StripSilence: Equatable, Sendable {
    public let threshold: Double
    public let minimum: TimeSpec
    public let pad: TimeSpec
    /// What lies behind a pause closes up.
    public let closes: Bool

    /// -40 dB, half a second and 50 ms where it is not told.
    public init(threshold: Double?, minimum: TimeSpec?, pad: TimeSpec?, closes: Bool = false) {
        self.closes = closes
        self.threshold = threshold ?? 0.01
        self.minimum = minimum ?? .time(.milliseconds(500))
        self.pad = pad ?? .time(.milliseconds(50))
    }
}
