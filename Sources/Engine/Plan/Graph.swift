import Realtime
import Timeline

/// Lines in the order in which they are mixed, and the edges between them: what the audio thread walks once
/// for each block.
struct Graph {
    /// Tracks; buses, and tracks that go by another's level, behind all that lead to them; those that are
    /// mixed behind the master; the master.
    let lines: UnsafeMutablePointer<Line>
    let count: Int
    /// How many are tracks before the first that is none.
    let trackCount: Int
    /// How many lines, sends and keys there are to mix.
    let work: Int
    /// Where what goes to a bus is added up, each with the channels of its bus; what goes to the master is
    /// where the mix is wanted.
    let sums: UnsafeMutablePointer<Channels>
    let sumCount: Int
    /// How many are mixed behind the master.
    let behindCount: Int

    /// Those are the lines from here on.
    @_noLocks
    func firstBehind() -> Int { count - 1 - behindCount }

    @_noLocks
    func master() -> UnsafeMutablePointer<Line> { lines + (count - 1) }
}

/// A strip in a graph.
struct Line {
    /// What it plays, and what the timeline says of it.
    var sound: LineSound
    let strip: UnsafeMutablePointer<LiveStrip>
    /// What it was in the plan before, while that is crossed over from; nil: the same.
    let before: UnsafeMutablePointer<LineSound>?
    /// nil: its sound goes to the master and nowhere else.
    let edges: UnsafeMutablePointer<LineEdges>?
    /// nil: it goes by no other's level, and no other by its own.
    let levels: UnsafeMutablePointer<LineLevels>?
    /// nil: it shares with no others.
    let share: UnsafeMutablePointer<ShareEdge>?
    /// nil: nothing of it is held back on its way.
    let waits: UnsafeMutablePointer<LineWaits>?
    /// The places for its samples on their way.
    let blocks: LineBlocks
    /// Whether the plan before has it, and this one.
    let gate: EdgeGate
    /// What comes in by ports is heard in it: at a standstill too.
    let hearsInputs: Bool
}

extension Line {
    /// Its processors, where the timeline moves them, or did.
    @_noLocks
    func bank() -> UnsafeMutablePointer<ProcessorBank>? {
        if let controls = sound.controls, let bank = controls.pointee.bank { return bank }
        guard let before, let controls = before.pointee.controls else { return nil }
        return controls.pointee.bank
    }
}

/// What a line plays and what the timeline says of it: all that an edit or a locate changes at once.
struct LineSound {
    /// nil: the line has no clips.
    let stream: UnsafeMutablePointer<StreamCursor>?
    /// When what comes in by its ports is heard.
    let input: Track.InputUse
    /// For so many frames that is held back.
    let inputWait: Int
    /// Envelopes that multiply: automation first, then mutes, fades, ducks.
    let envelopes: UnsafePointer<Envelope>
    let envelopeCount: Int
    /// Where the envelopes were last found at rest. The audio thread's own once it has the plan.
    var rest = Rest()
    /// nil: nothing of it.
    let controls: UnsafeMutablePointer<LineControls>?
    /// Which of its plan's moments it is read at.
    let moment: Int

    /// What the timeline says of its processors.
    @_noLocks
    func lanes() -> UnsafePointer<LineLanes>? {
        guard let controls else { return nil }
        return controls.pointee.lanes
    }

    /// What the timeline says of its balance.
    @_noLocks
    func pan() -> UnsafePointer<Envelope>? {
        guard let controls else { return nil }
        return controls.pointee.pan
    }
}

/// What few lines have beside their envelopes.
struct LineControls {
    let trims: UnsafePointer<Envelope>
    let trimCount: Int
    /// Envelopes of the gains of left and right, in place of what the hand says; nil: none.
    let pan: UnsafePointer<Envelope>?
    /// What the timeline says of its processors, and these; nil: nothing.
    let lanes: UnsafePointer<LineLanes>?
    let bank: UnsafeMutablePointer<ProcessorBank>?
    /// A bit for each DCA of the plan that multiplies its fader.
    let dcas: UInt64
}

/// Which of two plans has a line or an edge, and how much of it is heard while the one gives way to the
/// other.
enum EdgeGate {
    /// Both have it.
    case open
    /// The new one has it: it opens.
    case opens
    /// The same, and it leads to what opens: all of it is heard there.
    case comes
    /// The one before has it: it closes.
    case closes
    /// The same, and it leads to what closes.
    case goes

    /// It is of the plan before alone.
    @_noLocks
    func isPast() -> Bool {
        switch self {
        case .closes, .goes: true
        case .open, .opens, .comes: false
        }
    }
}

/// Where a line's sound comes from and goes to.
struct LineEdges {
    /// Which sum is its source, from 1; 0 for a track.
    let source: Int
    /// One at most, and one more that closes.
    let outputs: UnsafeMutablePointer<OutputEdge>
    let outputCount: Int
    /// In the order of their slots.
    let sends: UnsafeMutablePointer<SendEdge>
    let sendCount: Int
    /// The slots of its sends; the last `unslotted` have none, and are always looked at.
    let slots: UInt64
    /// Of these, the sends that leave before the strip's gains.
    let preSlots: UInt64
    let unslotted: Int

    /// The send of the first of some slots, which is taken from them.
    @_noLocks
    func takeFirst(of open: inout UInt64) -> UnsafeMutablePointer<SendEdge> {
        let below = (open & (0 &- open)) &- 1
        open &= open &- 1
        return sends + (slots & below).nonzeroBitCount
    }
}

/// Whose levels a line goes by, and where its own lies for those that go by it.
struct LineLevels {
    /// nil: nobody goes by its own.
    let own: KeyLevels?
    /// nil: its gate goes by its own.
    let gate: KeyLevels?
    let compressor: KeyLevels?
    let ducks: UnsafeMutablePointer<DuckEdge>
    let duckCount: Int
    /// The levels among these that come later than they are noted.
    let waits: UnsafeMutablePointer<LevelWait>
    let waitCount: Int
}

/// A level that is held back on its way to one that goes by it.
struct LevelWait {
    let levels: KeyLevels
    let memory: UnsafeMutablePointer<LevelDelay>
    /// What comes in by ports is heard in it.
    let isLive: Bool
}

/// What holds back what comes in for a line, and what leaves it, before its gains and behind them; nil:
/// nothing there.
struct LineWaits {
    let input: UnsafeMutablePointer<WaitRing>?
    let pre: UnsafeMutablePointer<WaitRing>?
    let post: UnsafeMutablePointer<WaitRing>?
    /// Of the plan before, where that has others.
    let inputBefore: UnsafeMutablePointer<WaitRing>?
    let preBefore: UnsafeMutablePointer<WaitRing>?
    let postBefore: UnsafeMutablePointer<WaitRing>?

    /// - Parameter isPast: for an edge that only the plan before has.
    @_noLocks
    func ring(isPre: Bool, isPast: Bool) -> UnsafeMutablePointer<WaitRing>? {
        if isPast, let before = isPre ? preBefore : postBefore { return before }
        return isPre ? pre : post
    }
}

/// A duck by signal of a line.
struct DuckEdge {
    let duck: SignalDuck
    let levels: KeyLevels
    let memory: UnsafeMutablePointer<DuckMemory>
    /// What comes in by ports is heard in its key.
    let isLive: Bool
    /// The new plan has it, and the one before.
    let isPresent: Bool
    let isPast: Bool
}

/// An edge from a line to the sum that it goes to.
struct OutputEdge {
    /// 0 is the master's.
    let sum: Int
    let gate: EdgeGate
    /// For so many frames it is held back.
    let wait: Int
}

/// An edge from a line into a bus beside its output.
struct SendEdge {
    let strip: UnsafeMutablePointer<LiveStrip>
    let sum: Int
    let gate: EdgeGate
    let isPre: Bool
    /// For so many frames it is held back.
    let wait: Int
    let sound: SendSound
    /// What the timeline said of it in the plan before, while that is crossed over from; nil: the same.
    let before: UnsafeMutablePointer<SendSound>?
}

/// What the timeline says of a send.
struct SendSound {
    let envelopes: UnsafePointer<Envelope>
    let envelopeCount: Int
    let pan: UnsafePointer<Envelope>?
    /// nil: the one between the two layouts.
    let matrix: Matrix?
    /// Which of its plan's moments it is read at.
    let moment: Int
}

/// Frames of the timeline over which a line's gain is one number.
struct Rest {
    var start: Int64 = 0
    var end: Int64 = 0
    var gain: Float = 1

    /// None.
    @_noLocks
    init() {}

    /// Around `frame`; none if an envelope moves there.
    @_noLocks
    init(of sound: LineSound, at frame: Int64) {
        (start, end) = (.min, .max)
        for i in 0..<sound.envelopeCount {
            let envelope = sound.envelopes[i]
            let index = envelope.index(at: frame)
            guard case .hold = envelope.segments[index].shape else {
                self = Rest()
                return
            }
            start = max(start, envelope.segments[index].start)
            end = min(end, envelope.end(of: index))
            gain *= Float(envelope.segments[index].base)
        }
    }

    @_noLocks
    func covers(_ frame: Int64, _ count: Int) -> Bool { frame >= start && frame + Int64(count) <= end }
}
