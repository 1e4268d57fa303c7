import Realtime
import Timeline

/// What the audio thread plays by: the session in frames, flat and immutable. It is handed over whole and comes back to be freed.
package struct PlanData {
    let route: Route
    /// Of the routes that the audio thread is sent, which it is, round and round: plans of one number play along one route.
    let routeNumber: UInt16
    let entry: Entry
    /// In the order in which they are mixed: tracks, buses, the master.
    let lines: UnsafeMutablePointer<Line>
    let count: Int
    let trackCount: Int
    /// How many lines and sends there are to mix.
    let work: Int
    /// Tracks of the plan before this one that go on in none of its own: their indices there.
    let removed: UnsafeMutablePointer<Int>
    let removedCount: Int
    /// It differs from the plan before in more than single tracks: while that is crossed over from, each of both is mixed by itself.
    let isApart: Bool
    /// Something of it is heard at a standstill too.
    let hasInputs: Bool
    /// The sums of the master and of all buses, `sumFrames` of each side.
    let sums: UnsafeMutablePointer<Float>
    let sumCount: Int
    let dcas: UnsafeMutablePointer<DCALine>
    let dcaCount: Int

    /// The `number`th sum: 0 is the master's.
    @_noLocks
    func sum(_ number: Int) -> StereoPointers {
        let left = sums + 2 * number * MixerScratch.stride()
        return StereoPointers(left, left + MixerScratch.stride())
    }

    @_noLocks
    func master() -> UnsafeMutablePointer<Line> { lines + (count - 1) }

    /// Where playing goes on in this plan.
    enum Entry {
        /// At the start of its route: a locate.
        case start
        /// Where it is: the route has not changed.
        case same
        /// Where it would be had this route been taken when the route before it was at this index: a change of the loop.
        case onward(from: Int64)

        /// The index to begin at, where the plan before has come to `index`.
        @_noLocks
        func index(after index: Int64) -> Int64 {
            switch self {
            case .start: 0
            case .same: index
            case .onward(let first): index - first
            }
        }
    }
}

/// One strip of a plan.
struct Line {
    /// Envelopes that multiply: automation first, then mutes, fades, ducks.
    var envelopes: UnsafePointer<Envelope>
    var envelopeCount: Int
    /// nil: the line has no clips.
    var stream: UnsafeMutablePointer<StreamCursor>?
    /// When what comes in by its ports is heard.
    var input: Track.InputUse
    var strip: UnsafeMutablePointer<LiveStrip>
    /// The same strip's line in the plan before this one, or -1.
    var previous: Int
    /// Sounds just as that line does: nothing to cross over.
    var isUnchanged: Bool
    /// Where the envelopes were last found at rest. The audio thread's own once it has the plan.
    var rest = Rest()
    /// nil: its sound goes to the master and nowhere else, and nothing but the envelopes changes it.
    var ways: UnsafeMutablePointer<LineWays>?
}

/// What a line has beside its envelopes, if it has any of it.
struct LineWays {
    /// Which sum is its source; 0 for a track.
    let source: Int
    /// The sum that it is added to; -1: none.
    let output: Int
    /// In the order of their slots.
    let sends: UnsafeMutablePointer<SendLine>
    let sendCount: Int
    /// The slots of its sends; the last `unslotted` have none, and are always looked at.
    let slots: UInt64
    /// Of these, the sends that leave before the strip's gains.
    let preSlots: UInt64
    let unslotted: Int
    /// Envelopes of the gains of left and right, in place of what the hand says; nil: none.
    let pan: UnsafePointer<Envelope>?
    let trims: UnsafePointer<Envelope>
    let trimCount: Int
    /// A bit for each DCA of the plan that multiplies its fader.
    let dcas: UInt64

    /// The send of the first of some slots, which is taken from them.
    @_noLocks
    func takeFirst(of open: inout UInt64) -> UnsafeMutablePointer<SendLine> {
        let below = (open & (0 &- open)) &- 1
        open &= open &- 1
        return sends + (slots & below).nonzeroBitCount
    }
}

/// A way from a line into a bus beside its output.
struct SendLine {
    let strip: UnsafeMutablePointer<LiveStrip>
    let sum: Int
    let isPre: Bool
    let envelopes: UnsafePointer<Envelope>
    let envelopeCount: Int
    let pan: UnsafePointer<Envelope>?
}

/// A fader that others hang on, and its gain in the present block.
struct DCALine {
    let strip: UnsafeMutablePointer<LiveStrip>
    let envelopes: UnsafePointer<Envelope>
    let envelopeCount: Int
    var gain: GainBlock
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
    init(of line: Line, at frame: Int64) {
        (start, end) = (.min, .max)
        for i in 0..<line.envelopeCount {
            let envelope = line.envelopes[i]
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
    func covers(_ frame: Int64, _ count: Int) -> Bool { frame >= start && frame < end && end - frame >= Int64(count) }
}

/// The audio thread's side of a stream: one line of the processor's cache.
struct StreamCursor {
    let ring: SampleRing
    /// The index of the route at which the stream's first frame is played.
    let base: Int64
    /// How much of the stream is let through while data is short: 1 all, 0 none.
    var underrunGate: Float = 1
    /// Data is short: that gate is closing, closed, or waits for enough to open.
    var isStarved = false
    /// As far as the audio thread knows, frames are there up to here: looking again means fetching what the disk thread has written.
    var knownEnd = 0
    /// The fewest frames that were found read ahead.
    var lowestFill = Int.max
    let counters: UnsafeMutablePointer<StreamCounters>

    /// Whether frames up to `index` of the route are there, or will not come.
    func isReady(upTo index: Int64) -> Bool {
        ring.written >= Int(index - base) || counters.pointee.hasFailed.load(ordering: .acquiring)
    }
}
