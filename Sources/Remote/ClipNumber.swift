import Timeline

/// What of a clip is a number, which steps move.
public enum ClipNumber: String, CaseIterable, Sendable {
    case gain, speed, pitch

    /// What it is set to.
    var kind: Control.Kind { pace?.kind ?? .volume }

    private var pace: ClipPace? { ClipPace(rawValue: rawValue) }

    private func present(of clip: Clip) -> Double {
        switch self {
        case .gain: clip.gain
        case .speed: clip.speed
        case .pitch: clip.pitch
        }
    }

    /// What sets it to where `step` leads from where it stands, to the end of its range at the most.
    /// - Parameter number: of the clip, from 1.
    public func command(moving clip: Clip, _ number: Int, by step: Step) -> ClipCommand {
        let present = present(of: clip)
        guard let pace, case .number(let range) = pace.kind else {
            return .gain(number, min(Volume.range.upperBound, step.applied(toGain: present)))
        }
        let moved = min(range.upperBound, max(range.lowerBound, step.applied(to: present)))
        return .pace(number, pace, .number(moved))
    }
}
