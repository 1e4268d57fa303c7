import Speakers
import Timeline

/// What a control stands at, or is set to.
public enum ControlValue: Equatable, Sendable {
    case number(Double)
    case flag(Bool)
    case text(String)
    case channels(SpeakerLayout)
    case names([String])
    case time(TimeSpec)
    /// Linear, for each channel.
    case levels(peaks: [Float], rms: [Float])
}

extension ControlValue {
    /// The same as a number, as the timeline has it: a switch is 1 or 0.
    var ofTimeline: Double {
        switch self {
        case .number(let number): number
        case .flag(let flag): flag ? 1 : 0
        default: 0
        }
    }
}
