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

/// The plan that was played before, while it is crossed over from: it plays on, ever softer.
struct Crossfade {
    let plan: UnsafeMutablePointer<PlanData>
    /// How far along its route it is.
    var index: Int64
    /// Playing has been sent elsewhere: what remembers begins anew.
    let isElsewhere: Bool
    /// How many frames of the crossfade are done; below zero, so many before it begins.
    var done: Int
    /// Playing began at a standstill meanwhile: what inputs are heard in goes on crossing over, all else was
    /// silent and begins as it is.
    var isOfInputs = false

    /// - Parameter warmUp: so many frames before it begins.
    @_noLocks
    init(from plan: UnsafeMutablePointer<PlanData>, at index: Int64, isElsewhere: Bool, warmUp: Int) {
        (self.plan, self.index, self.isElsewhere, done) = (plan, index, isElsewhere, -warmUp)
    }
}

/// The transport as other threads read it.
public enum TransportState: Int32, Sendable {
    /// Stands still.
    case stopped
    /// Plays.
    case rolling
    /// Fading out; stopped within 5 ms.
    case stopping

    /// As a number that other threads may read.
    @_noLocks
    static func code(of motion: Motion) -> Int32 {
        switch motion {
        case .standing: 0
        case .rolling: 1
        case .stopping: 2
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
