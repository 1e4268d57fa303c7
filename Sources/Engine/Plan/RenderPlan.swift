import Realtime
import Timeline

/// What is to be played: strips with their scores along a route. Control thread.
struct PlanDraft {
    var route: Route
    var entry: PlanData.Entry
    var parts: [Part] = []
    var trackCount = 0
    var dcas: [DCA] = []
    /// The streams that the plan before it does not have.
    var fresh: [TrackStream] = []
    /// What it takes of memory that the plan before it does not: streams, envelopes, lines.
    var ownBytes = 0

    /// Something of it is heard at a standstill too.
    var hasInputs: Bool { parts.contains { $0.score.content.input != .never } }

    /// A line in the making.
    struct Part {
        let id: StripID
        let score: Score
        let ways: WaysScore
        let strip: StripHandle
        /// Those of its sends, in the order of its paths.
        let sends: [StripHandle]
    }

    struct DCA {
        let id: StripID
        let strip: StripHandle
        let builders: [EnvelopeBuilder]
        let envelopes: Envelopes
    }
}

/// Owns a plan's memory, and through its scores and strips all that the plan points to. Control thread.
final class RenderPlan {
    let data: UnsafeMutablePointer<PlanData>
    let draft: PlanDraft
    var route: Route { draft.route }
    private let sums: Sums
    private let gains: UnsafeMutablePointer<Float>
    private var ways: [WaysMemory] = []

    /// - Parameter previous: the plan that is played before this one.
    init(_ draft: PlanDraft, previous: RenderPlan?) {
        self.draft = draft
        let parts = draft.parts
        let lines = LockedMemory.allocate(Line.self, parts.count)
        var earlier: [ObjectIdentifier: Int] = [:]
        for (index, part) in (previous?.draft.parts ?? []).enumerated() { earlier[ObjectIdentifier(part.strip)] = index }
        let buses = parts.dropFirst(draft.trackCount)
        let earlierBuses = previous?.draft.parts.dropFirst(previous!.draft.trackCount)
        var isApart = previous != nil && earlierBuses!.map { ObjectIdentifier($0.strip) } != buses.map { ObjectIdentifier($0.strip) }
        // The master's sum is the first, those of the buses follow in the order in which they are mixed.
        var sumIndex: [StripID: Int] = [.master: 0]
        for (index, bus) in buses.dropLast().enumerated() { sumIndex[bus.id] = index + 1 }
        // What the timeline says of balances and sends stands elsewhere there.
        if let previous, previous.route.number != draft.route.number, (parts + previous.draft.parts).contains(where: \.ways.isTimed) { isApart = true }
        let dcaIndex = Dictionary(uniqueKeysWithValues: draft.dcas.enumerated().map { ($1.id, $0) })
        let dcasBefore = Dictionary(uniqueKeysWithValues: (previous?.draft.dcas ?? []).map { ($0.id, $0) })
        let changedDCAs = Set(draft.dcas.filter { $0.envelopes !== dcasBefore[$0.id]?.envelopes || $0.strip !== dcasBefore[$0.id]?.strip }.map(\.id))
        for (index, part) in parts.enumerated() {
            let before = earlier[ObjectIdentifier(part.strip)] ?? -1
            let old = before >= 0 ? previous!.draft.parts[before] : nil
            if let old, old.ways !== part.ways && old.ways.paths != part.ways.paths || zip(old.sends, part.sends).contains(where: { $0 !== $1 }) { isApart = true }
            let isUnchanged = old?.score === part.score && part.score.content.dcas.allSatisfy { !changedDCAs.contains($0) }
            // Of a track the sound is crossed over, of a bus what it makes of its sound.
            if let old, index >= draft.trackCount, !isUnchanged, old.score.shapes || part.score.shapes { isApart = true }
            let ways = WaysMemory(part, isTrack: index < draft.trackCount, sumIndex, dcaIndex)
            if let ways { self.ways.append(ways) }
            (lines + index).initialize(to: Line(
                envelopes: part.score.envelopes.pointer, envelopeCount: part.score.envelopes.count, stream: part.score.stream?.cursor, input: part.score.content.input,
                strip: part.strip.strip, previous: before, isUnchanged: isUnchanged, ways: ways?.data))
        }
        let staying = Set(parts.map { ObjectIdentifier($0.strip) })
        let gone = earlier.filter { !staying.contains($0.key) && $0.value < previous!.draft.trackCount }.map(\.value).sorted()
        let removed = LockedMemory.allocate(Int.self, gone.count)
        removed.initialize(from: gone, count: gone.count)
        sums = previous.flatMap { isApart || $0.sums.count != sumIndex.count ? nil : $0.sums } ?? Sums(sumIndex.count)
        let stride = MixerScratch.stride()
        let dcas = LockedMemory.allocate(DCALine.self, draft.dcas.count)
        gains = LockedMemory.allocate(Float.self, draft.dcas.count * stride)
        for (index, dca) in draft.dcas.enumerated() {
            (dcas + index).initialize(to: DCALine(
                strip: dca.strip.strip, envelopes: dca.envelopes.pointer, envelopeCount: dca.envelopes.count, gain: GainBlock(scratch: gains + index * stride)))
        }
        data = LockedMemory.allocate(PlanData.self)
        data.initialize(to: PlanData(
            route: draft.route, routeNumber: Self.number(draft.route, after: previous), entry: draft.entry, lines: lines, count: parts.count, trackCount: draft.trackCount,
            work: parts.reduce(parts.count) { $0 + $1.sends.count },
            removed: removed, removedCount: gone.count, isApart: isApart, hasInputs: draft.hasInputs, sums: sums.samples, sumCount: sums.count, dcas: dcas, dcaCount: draft.dcas.count))
    }

    private static func number(_ route: Route, after previous: RenderPlan?) -> UInt16 {
        guard let previous else { return 0 }
        return previous.route.number == route.number ? previous.data.pointee.routeNumber : previous.data.pointee.routeNumber &+ 1
    }

    /// Looks up what the audio thread would have to look up in the first block, for all tracks at once: the gains at `frame`, which is played first. With 512 tracks that block took 0.5 ms, now 0.28. Before the audio thread has the plan.
    func settle(at frame: Int64) {
        for index in draft.parts.indices { data.pointee.lines[index].rest = Rest(of: data.pointee.lines[index], at: frame) }
    }

    deinit {
        LockedMemory.free(data.pointee.lines, data.pointee.count)
        LockedMemory.free(data.pointee.removed, data.pointee.removedCount)
        LockedMemory.free(data.pointee.dcas, data.pointee.dcaCount)
        LockedMemory.free(gains, data.pointee.dcaCount * MixerScratch.stride())
        LockedMemory.free(data)
    }
}

/// The memory of a plan's sums, shared by plans in which sound goes the same ways.
final class Sums {
    let samples: UnsafeMutablePointer<Float>
    let count: Int

    init(_ count: Int) {
        self.count = count
        samples = LockedMemory.allocate(Float.self, 2 * count * MixerScratch.stride())
    }

    deinit { LockedMemory.free(samples, 2 * count * MixerScratch.stride()) }
}

/// Owns what a line has beside its envelopes.
private final class WaysMemory {
    let data: UnsafeMutablePointer<LineWays>

    /// nil where it has nothing of it.
    init?(_ part: PlanDraft.Part, isTrack: Bool, _ sumIndex: [StripID: Int], _ dcaIndex: [StripID: Int]) {
        let (score, paths) = (part.score, part.ways.paths)
        if isTrack, paths == .toMaster, score.trims.count == 0, score.content.dcas.isEmpty { return nil }
        let ordered = paths.sends.indices.sorted { (part.sends[$0].slot ?? .max, $0) < (part.sends[$1].slot ?? .max, $1) }
        let sends = LockedMemory.allocate(SendLine.self, ordered.count)
        for (place, index) in ordered.enumerated() {
            let path = paths.sends[index]
            let (envelopes, pan) = part.ways.sends[index]
            (sends + place).initialize(to: SendLine(
                strip: part.sends[index].strip, sum: sumIndex[path.bus] ?? 0, isPre: path.isPre, envelopes: envelopes.pointer, envelopeCount: envelopes.count, pan: pan?.pointer))
        }
        let slots = part.sends.compactMap(\.slot)
        let preSlots = part.sends.indices.compactMap { paths.sends[$0].isPre ? part.sends[$0].slot : nil }
        data = LockedMemory.allocate(LineWays.self)
        data.initialize(to: LineWays(
            source: isTrack ? 0 : sumIndex[part.id] ?? 0, output: paths.output.flatMap { sumIndex[$0] } ?? -1, sends: sends, sendCount: ordered.count,
            slots: slots.reduce(0) { $0 | 1 << UInt64($1) }, preSlots: preSlots.reduce(0) { $0 | 1 << UInt64($1) }, unslotted: ordered.count - slots.count, pan: part.ways.pan?.pointer,
            trims: score.trims.pointer, trimCount: score.trims.count, dcas: score.content.dcas.compactMap { dcaIndex[$0] }.reduce(0) { $0 | 1 << UInt64($1) }))
    }

    deinit {
        LockedMemory.free(data.pointee.sends, data.pointee.sendCount)
        LockedMemory.free(data)
    }
}

/// Envelopes in the memory of the audio thread. Control thread.
final class Envelopes {
    let pointer: UnsafeMutablePointer<Envelope>
    let count: Int
    /// What they take of memory.
    var bytes: Int { (0..<count).reduce(0) { $0 + pointer[$1].count * MemoryLayout<GainSegment>.stride } }

    init(_ builders: [EnvelopeBuilder]) {
        count = builders.count
        pointer = LockedMemory.allocate(Envelope.self, count)
        for (index, builder) in builders.enumerated() {
            let segments = LockedMemory.allocate(GainSegment.self, builder.segments.count)
            segments.initialize(from: builder.segments, count: builder.segments.count)
            let last = LockedMemory.allocate(Int.self)
            last.initialize(to: 0)
            (pointer + index).initialize(to: Envelope(segments: segments, count: builder.segments.count, last: last))
        }
    }

    deinit {
        for index in 0..<count {
            LockedMemory.free(UnsafeMutablePointer(mutating: pointer[index].segments), pointer[index].count)
            LockedMemory.free(pointer[index].last)
        }
        LockedMemory.free(pointer, count)
    }
}

/// What one line plays: its envelopes and its stream. Plans share the scores of strips that an edit left alone. Control thread.
final class Score {
    let content: LineContent
    let lease: StreamLease?
    let envelopes: Envelopes
    let trims: Envelopes

    var stream: TrackStream? { lease?.stream }
    /// What its envelopes take of memory.
    var envelopeBytes: Int { envelopes.bytes + trims.bytes }
    /// It makes something of its sound, beside what hands do.
    var shapes: Bool { envelopes.count > 0 || trims.count > 0 || !content.dcas.isEmpty }

    init(content: LineContent, lease: StreamLease?) {
        (self.content, self.lease) = (content, lease)
        (envelopes, trims) = (Envelopes(content.envelopes), Envelopes(content.trims))
    }
}

/// Where one line's sound goes, and what the timeline says of that. Shared in the same way. Control thread.
final class WaysScore {
    let paths: LinePaths
    let pan: Envelopes?
    let sends: [(envelopes: Envelopes, pan: Envelopes?)]
    /// It is not the same everywhere on the timeline.
    var isTimed: Bool { pan != nil || sends.contains { $0.envelopes.count > 0 || $0.pan != nil } }
    /// What its envelopes take of memory.
    var bytes: Int { sends.reduce(pan?.bytes ?? 0) { $0 + $1.envelopes.bytes + ($1.pan?.bytes ?? 0) } }

    init(_ paths: LinePaths) {
        self.paths = paths
        pan = paths.pan.map { Envelopes($0) }
        sends = paths.sends.map { (Envelopes($0.envelopes), $0.pan.map { Envelopes($0) }) }
    }
}

extension LinePaths {
    /// To the master and nowhere else.
    static let toMaster = LinePaths(output: .master)
}

/// Keeps a stream read ahead for as long as any score plays it. Control thread.
final class StreamLease {
    let stream: TrackStream

    init(_ stream: TrackStream) { self.stream = stream }

    deinit { stream.isClosed.store(true, ordering: .releasing) }
}
