/// What a number of a control counts, in OSCQuery's words.
public enum ControlUnit: String, Sendable {
    case linearGain = "gain.linear"
    case decibels = "gain.db"
    case hertz = "time.hz"
    case milliseconds = "time.ms"
}

extension Control {
    /// nil: a number of its own, as a balance or a quality; or no number.
    public var unit: ControlUnit? {
        switch self {
        case .volume, .trim, .send(_, .volume), .automix(.gain), .automix(.weight): .linearGain
        case .volumeLevel, .send(_, .volumeLevel): .decibels
        case .eq(let control): control.unit
        case .dynamics(let control): control.unit
        case .automix(.attack), .automix(.release): .milliseconds
        default: nil
        }
    }
}

extension EqualiserControl {
    fileprivate var unit: ControlUnit? {
        switch self {
        case .highPass, .lowPass, .frequency: .hertz
        case .gain: .decibels
        case .on, .highSlope, .lowSlope, .quality, .type: nil
        }
    }
}

extension DynamicsControl {
    fileprivate var unit: ControlUnit? {
        switch part {
        case .reduction: .decibels
        case .parameter("ratio"), .on, .key: nil
        case .parameter("attack"), .parameter("hold"), .parameter("release"): .milliseconds
        // Levels, and how far from them.
        case .parameter: .decibels
        }
    }
}

extension MonitorControl {
    /// As that of a strip's controls.
    public var unit: ControlUnit? {
        switch self {
        case .level: .linearGain
        case .dimming: .decibels
        case .source, .dim, .mono, .mute: nil
        }
    }
}
