/// What the transport is doing, and what there is only then. Audio thread only; wait-free.
enum Motion {
    /// Stands still. Playing begins at full level, or with a fade where a stop had faded out.
    case standing(resumesWithFade: Bool)
    case rolling(Playing)
    /// Fades out; stands within 5 ms.
    case stopping(Playing)

    /// What there is while something is heard.
    struct Playing {
        /// 1; on its way down to 0 after a stop, and up again when play resumes where a stop had faded out.
        var level: Glide
        var crossfade: Crossfade?

        // Written out: what the compiler would write is not seen by its own check of real-time code in a debug build.
        @_noLocks
        init(level: Glide, crossfade: Crossfade?) {
            self.level = level
            self.crossfade = crossfade
        }
    }

    @_noLocks
    func isStanding() -> Bool { if case .standing = self { true } else { false } }

    @_noLocks
    func isRolling() -> Bool { if case .rolling = self { true } else { false } }

    @_noLocks
    func isStopping() -> Bool { if case .stopping = self { true } else { false } }

    @_noLocks
    func playing() -> Playing? {
        switch self {
        case .standing: nil
        case .rolling(let playing), .stopping(let playing): playing
        }
    }

    /// What is crossed over from, while that lasts.
    @_noLocks
    func crossfade() -> Crossfade? { playing()?.crossfade }

    /// Puts another crossfade in the place of the one there is; nothing at a standstill.
    @_noLocks
    mutating func setCrossfade(_ crossfade: Crossfade?) {
        switch self {
        case .standing: return
        case .rolling(var playing):
            playing.crossfade = crossfade
            self = .rolling(playing)
        case .stopping(var playing):
            playing.crossfade = crossfade
            self = .stopping(playing)
        }
    }
}

/// The plan that was played before, while it is crossed over from: it plays on, ever softer.
struct Crossfade {
    let plan: UnsafeMutablePointer<PlanData>
    /// How far along its route it is.
    var index: Int64
    /// How many frames of the crossfade are done.
    var done = 0

    @_noLocks
    init(from plan: UnsafeMutablePointer<PlanData>, at index: Int64) { (self.plan, self.index) = (plan, index) }

    @_noLocks
    func advanced(by count: Int) -> Crossfade {
        var next = self
        next.index += Int64(count)
        next.done += count
        return next
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
