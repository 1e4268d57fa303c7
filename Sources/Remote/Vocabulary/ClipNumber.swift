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
        let moved = step.applied(to: present, of: kind) ?? present
        return pace.map { .pace(number, $0, .number(moved)) } ?? .gain(number, moved)
    }
}
