import Timeline

/// What can be said of how a clip plays its file.
public enum ClipPace: String, CaseIterable, Sendable {
    case speed, pitch, tape, reverse, stretcher

    /// What it is set to.
    var kind: Control.Kind {
        switch self {
        case .speed: .number(Clip.speeds)
        case .pitch: .number(Clip.pitches)
        case .tape, .reverse: .flag
        case .stretcher: .choice(Stretcher.allCases.map(\.rawValue))
        }
    }

    var summary: String {
        switch self {
        case .speed:
            """
            how fast the clip of that number, from 1, plays its file, 0.25 to 4; its pitch stays unless it \
            is a tape
            """
        case .pitch: "by how many semitones it is higher than its file, -24 to 24"
        case .tape: "its pitch goes with its speed"
        case .reverse: "it plays its stretch of the file from the end to the beginning"
        case .stretcher:
            "what changes its speed and pitch: soundtouch, or rubberband, which is better and slow"
        }
    }

    /// Sets it.
    /// - Throws: `CommandError`: a tape has no pitch of its own.
    public func set(_ value: ControlValue, of clip: inout Clip) throws(CommandError) {
        switch (self, value) {
        case (.speed, .number(let speed)): clip.setSpeed(speed)
        case (.pitch, .number(let pitch)): clip.pitch = pitch
        case (.tape, .flag(let flag)): clip.isTape = flag
        case (.reverse, .flag(let flag)): clip.isReversed = flag
        case (.stretcher, .text(let word)): clip.stretcher = Stretcher(rawValue: word) ?? .soundtouch
        default: throw CommandError("\(rawValue) cannot be set to that")
        }
        if clip.isTape, clip.pitch != 0 {
            throw CommandError("a tape's pitch goes with its speed: it has no other; pitch 0, or tape off")
        }
    }
}
