import Realtime
import Timeline

/// What the audio thread plays by: the session in frames, flat and immutable. It is handed over whole and comes back to be freed.
package struct PlanData {
    let route: Route
    /// Of the routes that the audio thread is sent, which it is, round and round: plans of one number play along one route.
    let routeNumber: UInt16
    let entry: Entry
    let lines: UnsafeMutablePointer<TrackLine>
    let count: Int
    /// Lines of the plan before this one that go on in none of its own: their indices there.
    let removed: UnsafeMutablePointer<Int>
    let removedCount: Int

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

/// One track of a plan.
struct TrackLine {
    /// Envelopes that multiply: automation first, then fades, then ducks.
    var envelopes: UnsafePointer<Envelope>
    var envelopeCount: Int
    /// nil: the track has no clips.
    var stream: UnsafeMutablePointer<StreamCursor>?
    var strip: UnsafeMutablePointer<Strip>
    /// The same strip's line in the plan before this one, or -1.
    var previous: Int
    /// Sounds just as that line does: nothing to cross over.
    var isUnchanged: Bool
    /// Where the envelopes were last found at rest. The audio thread's own once it has the plan.
    var rest = Rest()
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
    init(of line: TrackLine, at frame: Int64) {
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

/// What is to be played: tracks with their scores and strips along a route. Control thread.
struct PlanDraft {
    var route: Route
    var entry: PlanData.Entry
    var ids: [TrackID] = []
    var scores: [TrackScore] = []
    var strips: [StripHandle] = []
    /// The streams that the plan before it does not have.
    var fresh: [TrackStream] = []
    /// What it takes of memory that the plan before it does not: streams, envelopes, lines.
    var ownBytes = 0
}

/// Owns a plan's memory, and through its scores and strips all that the plan points to. Control thread.
final class RenderPlan {
    let data: UnsafeMutablePointer<PlanData>
    let draft: PlanDraft
    var route: Route { draft.route }

    /// - Parameter previous: the plan that is played before this one.
    init(_ draft: PlanDraft, previous: RenderPlan?) {
        self.draft = draft
        let (scores, strips) = (draft.scores, draft.strips)
        let lines = LockedMemory.allocate(TrackLine.self, scores.count)
        var earlier: [ObjectIdentifier: Int] = [:]
        for (index, strip) in (previous?.draft.strips ?? []).enumerated() { earlier[ObjectIdentifier(strip)] = index }
        for (index, score) in scores.enumerated() {
            let before = earlier[ObjectIdentifier(strips[index])] ?? -1
            (lines + index).initialize(to: TrackLine(
                envelopes: score.envelopes, envelopeCount: score.envelopeCount, stream: score.stream?.cursor,
                strip: strips[index].strip, previous: before,
                isUnchanged: before >= 0 && previous!.draft.scores[before] === score))
        }
        let staying = Set(strips.map(ObjectIdentifier.init))
        let gone = earlier.filter { !staying.contains($0.key) }.map(\.value).sorted()
        let removed = LockedMemory.allocate(Int.self, gone.count)
        removed.initialize(from: gone, count: gone.count)
        data = LockedMemory.allocate(PlanData.self)
        data.initialize(to: PlanData(
            route: draft.route, routeNumber: Self.number(draft.route, after: previous), entry: draft.entry, lines: lines, count: scores.count, removed: removed, removedCount: gone.count))
    }

    private static func number(_ route: Route, after previous: RenderPlan?) -> UInt16 {
        guard let previous else { return 0 }
        return previous.route.number == route.number ? previous.data.pointee.routeNumber : previous.data.pointee.routeNumber &+ 1
    }

    /// Looks up what the audio thread would have to look up in the first block, for all tracks at once: the gains at `frame`, which is played first. With 512 tracks that block took 0.5 ms, now 0.28. Before the audio thread has the plan.
    func settle(at frame: Int64) {
        for index in draft.scores.indices { data.pointee.lines[index].rest = Rest(of: data.pointee.lines[index], at: frame) }
    }

    deinit {
        LockedMemory.free(data.pointee.lines, data.pointee.count)
        LockedMemory.free(data.pointee.removed, data.pointee.removedCount)
        LockedMemory.free(data)
    }
}

/// What one track plays: its envelopes and its stream. Plans share the scores of tracks that an edit left alone. Control thread.
final class TrackScore {
    let content: TrackContent
    let lease: StreamLease?
    let envelopes: UnsafeMutablePointer<Envelope>
    let envelopeCount: Int

    var stream: TrackStream? { lease?.stream }
    /// What its envelopes take of memory.
    var envelopeBytes: Int { (0..<envelopeCount).reduce(0) { $0 + envelopes[$1].count * MemoryLayout<GainSegment>.stride } }

    init(content: TrackContent, lease: StreamLease?) {
        self.content = content
        self.lease = lease
        envelopeCount = content.envelopes.count
        envelopes = LockedMemory.allocate(Envelope.self, envelopeCount)
        for (index, builder) in content.envelopes.enumerated() {
            let segments = LockedMemory.allocate(GainSegment.self, builder.segments.count)
            segments.initialize(from: builder.segments, count: builder.segments.count)
            let last = LockedMemory.allocate(Int.self)
            last.initialize(to: 0)
            (envelopes + index).initialize(to: Envelope(segments: segments, count: builder.segments.count, last: last))
        }
    }

    deinit {
        for index in 0..<envelopeCount {
            LockedMemory.free(UnsafeMutablePointer(mutating: envelopes[index].segments), envelopes[index].count)
            LockedMemory.free(envelopes[index].last)
        }
        LockedMemory.free(envelopes, envelopeCount)
    }
}

/// Keeps a stream read ahead for as long as any score plays it. Control thread.
final class StreamLease {
    let stream: TrackStream

    init(_ stream: TrackStream) { self.stream = stream }

    deinit { stream.isClosed.store(true, ordering: .releasing) }
}
