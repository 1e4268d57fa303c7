/// What the transport is doing, and what there is only then. Audio thread only; wait-free.
enum Motion {
    /// Stands still. Playing begins at full level, or with a fade where a stop had faded out.
    case standing(resumesWithFade: Bool)
    /// Plays, at a level of 1, or on its way there where a stop had faded out.
    case rolling(Glide)
    /// Fades out; stands within 5 ms.
    case stopping(Glide)

    @_noLocks
    func isStanding() -> Bool { if case .standing = self { true } else { false } }

    @_noLocks
    func isRolling() -> Bool { if case .rolling = self { true } else { false } }

    @_noLocks
    func isStopping() -> Bool { if case .stopping = self { true } else { false } }

    /// What all clips are multiplied by; nil while none is played.
    @_noLocks
    func level() -> Glide? {
        switch self {
        case .standing: nil
        case .rolling(let level), .stopping(let level): level
        }
    }
}

/// Where the playhead is when a block begins: it rolls on from there, or stands there for all of it.
struct Playhead {
    let frame: Int64
    let rolls: Bool

    @_noLocks
    init(_ frame: Int64, rolls: Bool) { (self.frame, self.rolls) = (frame, rolls) }
}
