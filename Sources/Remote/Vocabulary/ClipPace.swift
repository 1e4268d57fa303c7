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
        case .pitch: "the pitch of clip i, from 1: -24 to 24 semitones above its file; a tape has none"
        case .tape: "1: the pitch of clip i, from 1, follows its speed; refused while its pitch is not 0"
        case .reverse: "1: clip i, from 1, plays its part of the file backwards"
        case .stretcher:
            """
            what changes speed and pitch of clip i, from 1: soundtouch, or rubberband, which is better and \
            slow
            """
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
