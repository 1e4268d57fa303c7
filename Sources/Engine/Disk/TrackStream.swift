import AudioFile
import Glibc
import Realtime
import Speakers
import Synchronization

/// The clips of one track as one stream of frames along a route, read ahead into a ring.
///
/// A stream is born at a position, plays forward, and dies: a locate makes new streams, so no sample can be
/// stale. Three threads meet here: the audio thread at `cursor`, one disk thread at a time at `fill`, the
/// control thread at the rest.
package final class TrackStream: @unchecked Sendable {
    // Safe to share: `claimed` below hands the disk side to one thread at a time, where there is more than
    // one; the ring and the atomics are made for it.
    let cursor: UnsafeMutablePointer<StreamCursor>
    let spans: [ClipSpan]
    let route: Route
    private let ring: SampleRing
    private let counters: UnsafeMutablePointer<StreamCounters>
    private let sampleRate: Int32
    private let base: Int64
    /// How many frames behind the playhead it is.
    let lag: Int64
    /// nil: nobody will go anywhere.
    private let cache: PositionCache?
    private let stock: StreamStock?

    /// Guarded by the pool's lock: a disk thread is at work on it.
    var claimed = false
    /// No plan plays it any more.
    let isClosed = Atomic<Bool>(false)
    /// For ThreadSanitizer alone, which does not see that counted references order what disk threads did last
    /// before the memory is given back.
    let isLetGo = Atomic<Bool>(false)

    // The disk side.
    private var readers: [OpenReader] = []
    /// Who reads a clip that is heard alone and as it is, and how far it has come.
    private var going: Going?
    private var spanIndex = 0
    private var retryAt: UInt64 = 0

    /// The first pieces of a stream are short, so that it begins soon and no other runs dry meanwhile: 85 ms
    /// at 48 kHz.
    static let firstPiece = 4096
    private let piece: Int
    /// What is heard live is heard long after it is read.
    private let use: ReadUse
    /// What its ring takes of memory.
    var bytes: Int { ring.capacity * ring.channels * MemoryLayout<Float>.stride }
    /// A file that failed is tried again this often.
    private static let retryNanoseconds: UInt64 = 500_000_000
    /// And one that is being decoded this often.
    private static let pendingNanoseconds: UInt64 = 20_000_000

    /// Where a piece begins of which nothing has to be looked up: the clip goes on.
    private struct Going {
        let reader: ChannelReader
        let spanIndex: Int
        var frame: Int64
        var source: Int64
    }

    /// - Parameters:
    ///   - content: what is given for an index is what is played `lag` frames before it; before a place that
    ///     playing goes to is silence.
    ///   - layout: the channels that it gives, which its clips are heard on.
    ///   - start: where it begins.
    init(
        of content: LineContent, layout: SpeakerLayout, from start: RoutePlace, sampleRate: Int32,
        readAhead: ReadAhead, cache: PositionCache
    ) {
        (piece, stock) = (readAhead.piece, readAhead.stock)
        use = readAhead.isLive ? .later : .now
        self.cache = readAhead.expectsLocates ? cache : nil
        (spans, lag) = (content.spans, content.lag)
        (route, base) = (start.route, start.index)
        self.sampleRate = sampleRate
        ring =
            stock?.takeRing(readAhead.frames, channels: layout.channels)
            ?? SampleRing(
                capacity: readAhead.frames, channels: layout.channels, isLocked: readAhead.isLive)
        counters = LockedMemory.holding(StreamCounters())
        cursor = LockedMemory.holding(StreamCursor(ring: ring, base: base, counters: counters))
    }

    deinit {
        _ = isLetGo.load(ordering: .acquiring)
        if let last = readers.last { stock?.keep(last) }
        LockedMemory.free(cursor)
        counters.deinitialize(count: 1)
        LockedMemory.free(counters)
        if let stock { stock.keep(ring) } else { ring.destroy() }
    }

    // MARK: - Control thread

    /// Before anyone else has the stream: takes what the cache has of its beginning.
    func begin() {
        var done = 1
        while done > 0, ring.written < PositionCache.blockFrames {
            let (index, run) = next(PositionCache.blockFrames)
            done = ring.write(run) { block, count in
                index == nil ? silence(count, block) : remembered(route.frame(at: index!), count, block)
            }
        }
    }

    /// The index of the route that is read next, nil for silence before it, and for how many of `count`
    /// frames that goes on.
    private func next(_ count: Int) -> (index: Int64?, count: Int) {
        let index = base + Int64(ring.written) - lag
        if index < -route.lead { return (nil, Int(min(Int64(count), -route.lead - index))) }
        return (index, Int(min(Int64(count), route.framesUntilTurn(from: index))))
    }

    /// Frames of the timeline from `frame` on, without the disk: 0 if they are not remembered.
    private func remembered(_ frame: Int64, _ count: Int, _ block: Channels) -> Int {
        seekSpan(frame)
        guard spanIndex < spans.count else { return silence(count, block) }
        let span = spans[spanIndex]
        if frame < span.start { return silence(Int(min(Int64(count), span.start - frame)), block) }
        let run = recalled(span, frame, min(count, Int(span.end - frame)), block)
        return span.layers.reduce(run) { run, layer in add(run, block) { recalled(layer, frame, run, $0) } }
    }

    /// What is remembered of a clip from `frame` on.
    private func recalled(_ span: ClipSpan, _ frame: Int64, _ count: Int, _ block: Channels) -> Int {
        if span.place == nil { return silence(count, block) }
        guard let key = span.cacheKey(at: frame), let known = cache?.block(key) else { return 0 }
        let run = min(count, known.frames)
        for channel in 0..<block.count {
            block.channel(channel).update(from: known.channels[channel], count: run)
        }
        span.shape?.apply(frame, run, block)
        return run
    }

    /// Adds up to `count` frames that `read` brings.
    /// - Returns: how many it brought.
    private func add<Failure: Error>(
        _ count: Int, _ block: Channels, _ read: (Channels) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        if count == 0 { return 0 }
        let memory = ChannelMemory(block.count, frames: count)
        let done = try read(memory.channels)
        for channel in 0..<block.count {
            let (sum, samples) = (block.channel(channel), memory.channels.channel(channel))
            for i in 0..<done { sum[i] += samples[i] }
        }
        return done
    }

    /// Before the audio thread has the stream: lets go of what lies before `index` of the route.
    func move(to index: Int64) { ring.consume(upTo: Int(index - base)) }

    /// Before the audio thread has the stream: notes for it how much is read ahead. What was skipped was
    /// never written, so it does not count.
    func noteFill() { cursor.pointee.knownEnd = ring.consumed + ring.available(from: ring.consumed) }

    /// Whether `frames` are read ahead, or nothing will come.
    func isPrimed(_ frames: Int) -> Bool {
        hasFailed || counters.pointee.isPending.load(ordering: .acquiring)
            || ring.available(from: ring.consumed) >= frames
    }

    private var hasFailed: Bool { counters.pointee.silentUntil.load(ordering: .acquiring) > 0 }

    /// Frames read ahead.
    var fill: Int { ring.written - ring.consumed }

    /// Less is read ahead than half of what may be.
    var isShort: Bool { fill < ring.capacity / 2 }

    var health: StreamHealth {
        let lowest = counters.pointee.lowestFill.load(ordering: .relaxed)
        return StreamHealth(
            dropouts: counters.pointee.dropouts.load(ordering: .relaxed),
            lowestFill: min(lowest, ring.capacity))
    }

    // MARK: - Disk thread

    /// Whether a piece fits into the ring, and the stream is not waiting to try a failed file again.
    var wantsData: Bool {
        ring.free >= piece && (retryAt == 0 || monotonicNanoseconds() >= retryAt || isAwaited)
    }

    /// Playing has come to where a failed file is tried again, whatever the time is: in freewheel a song is
    /// over before that. What is played is given back up to a piece later.
    private var isAwaited: Bool {
        hasFailed && ring.consumed + piece >= counters.pointee.silentUntil.load(ordering: .relaxed)
    }

    /// Reads one piece ahead.
    /// - Throws: `AudioFileError` at the first failure of a file; later ones are silent until it has played
    ///   again.
    func readAhead() throws(AudioFileError) {
        catchUp()
        var left = fill < 4 * Self.firstPiece ? min(Self.firstPiece, piece) : piece
        while left > 0 {
            let (index, run) = next(left)
            var failure: AudioFileError?
            let done = ring.write(run) { block, count in
                do throws(AudioFileError) {
                    return index == nil
                        ? silence(count, block) : try produce(route.frame(at: index!), count, block)
                } catch {
                    failure = error
                    return 0
                }
            }
            if let failure { return try fail(failure) }
            if done == 0 { return }
            left -= done
        }
        if retryAt != 0 {
            retryAt = 0
            counters.pointee.isPending.store(false, ordering: .releasing)
            counters.pointee.silentUntil.store(0, ordering: .releasing)
        }
    }

    /// If the audio thread has run past what was written, goes on a little ahead of it.
    private func catchUp() {
        let wanted = ring.consumed
        // A little behind, the next piece brings more than what is late of it.
        if wanted - ring.written > Self.firstPiece / 2 { ring.skip(to: wanted + Self.firstPiece / 2) }
    }

    private func fail(_ error: AudioFileError) throws(AudioFileError) {
        // What is being decoded comes soon: that is a slow disk, no fault.
        if error.kind == .pending {
            retryAt = monotonicNanoseconds() + Self.pendingNanoseconds
            counters.pointee.isPending.store(true, ordering: .releasing)
            counters.pointee.silentUntil.store(0, ordering: .releasing)
            return
        }
        (readers, going) = ([], nil)
        retryAt = monotonicNanoseconds() + Self.retryNanoseconds
        if !hasFailed { throw error }
        markFailed()
    }

    /// To be called once the failure that `readAhead` threw is noted where others find it: who waits for the
    /// stream then looks there.
    func markFailed() {
        let pause = Int(UInt64(sampleRate) * Self.retryNanoseconds / 1_000_000_000)
        let until = max(ring.written, ring.consumed) + max(2 * piece, pause)
        counters.pointee.silentUntil.store(until, ordering: .releasing)
    }

    /// Frames of the timeline from `frame` on: up to `count`, up to the next border of a clip.
    private func produce(_ frame: Int64, _ count: Int, _ block: Channels) throws(AudioFileError) -> Int {
        seekSpan(frame)
        guard spanIndex < spans.count else { return silence(count, block) }
        if let going, going.spanIndex == spanIndex, going.frame == frame, frame != route.loopStart {
            return try goOn(going, count, block)
        }
        // Whatever comes now, another file may be opened for it: what is known holds no more.
        going = nil
        let span = spans[spanIndex]
        if frame < span.start { return silence(Int(min(Int64(count), span.start - frame)), block) }
        let run = Int(min(Int64(count), span.end - frame))
        try readLayers(of: span, frame, run, block)
        let isPlain = span.place != nil && span.shape == nil && span.layers.isEmpty
        if isPlain {
            going = readers.last.map {
                Going(reader: $0.reader, spanIndex: spanIndex, frame: frame + Int64(run), source: $0.next)
            }
        }
        return run
    }

    /// A clip from `frame` on, which it covers, and those that are heard with it.
    private func readLayers(
        of span: ClipSpan, _ frame: Int64, _ count: Int, _ block: Channels
    ) throws(AudioFileError) {
        try read(span, frame, count, block, besides: span.layers.count)
        for layer in span.layers {
            _ = try add(count, block) { block throws(AudioFileError) in
                try read(layer, frame, count, block, besides: span.layers.count)
                return count
            }
        }
    }

    /// The next frames of a clip as most pieces are: what `read` does where there is nothing to choose.
    private func goOn(_ from: Going, _ count: Int, _ block: Channels) throws(AudioFileError) -> Int {
        let run = min(count, Int(spans[spanIndex].end - from.frame))
        try from.reader.read(from: from.source, count: run, into: block, for: use)
        going?.frame += Int64(run)
        going?.source += Int64(run)
        readers[readers.count - 1].next += Int64(run)
        return run
    }

    /// A clip from `frame` on, which it covers.
    private func read(
        _ span: ClipSpan, _ frame: Int64, _ count: Int, _ block: Channels, besides others: Int
    ) throws(AudioFileError) {
        guard let place = span.place else {
            _ = silence(count, block)
            return
        }
        let source = span.sourceFrame(at: frame)
        try open(place, span, at: source, besides: others)
        try readers[readers.count - 1].reader.read(from: source, count: count, into: block)
        readers[readers.count - 1].next = source + Int64(count)
        if let cache, isLikelyStart(frame, span), let key = span.cacheKey(at: frame) {
            cache.keep(key, block, count: count)
        }
        span.shape?.apply(frame, count, block)
    }

    /// Whether playing may begin here again: it began here, a clip does, or the loop.
    private func isLikelyStart(_ frame: Int64, _ span: ClipSpan) -> Bool {
        ring.written == 0 || frame == route.start || frame == span.start || frame == route.loopStart
    }

    /// Makes `spanIndex` the first span that ends after `frame`: mostly it is, or the next one; at a loop's
    /// end it is searched.
    private func seekSpan(_ frame: Int64) {
        if spanIndex > 0, spans[spanIndex - 1].end > frame { spanIndex = 0 }
        if spanIndex < spans.count, spans[spanIndex].end > frame { return }
        var (low, high) = (spanIndex, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].end > frame { high = middle } else { low = middle + 1 }
        }
        spanIndex = low
    }

    /// Makes the last of `readers` one of the clip's file. While clips are heard together each has its own,
    /// which goes on where it was.
    private func open(
        _ place: SoundPlace, _ span: ClipSpan, at source: Int64, besides others: Int
    ) throws(AudioFileError) {
        let key = OpenReader.Key(place: place, channels: span.channels, layout: span.layout)
        if let present = readers.firstIndex(where: { $0.key == key && $0.next == source })
            ?? (readers.count > others ? readers.firstIndex { $0.key == key } : nil)
        {
            if present < readers.count - 1 { readers.append(readers.remove(at: present)) }
            return readers.removeFirst(max(0, readers.count - 1 - others))
        }
        readers.removeFirst(max(0, readers.count - others))
        // What a program gives to be called by has no file that is open.
        if span.callback == nil, let kept = stock?.takeReader(key) { return readers.append(kept) }
        readers.append(OpenReader(key: key, reader: try opened(place, span), next: -1))
    }

    private func opened(_ place: SoundPlace, _ span: ClipSpan) throws(AudioFileError) -> ChannelReader {
        let chosen = span.channels.map { (left: $0.left, right: $0.right) }
        let opened =
            if let callback = span.callback {
                try ChannelReader(
                    callback, name: place.path, channels: chosen, layout: span.layout, sampleRate: sampleRate)
            } else {
                try ChannelReader(
                    at: place, channels: chosen, layout: span.layout, sampleRate: sampleRate, patience: .none)
            }
        guard opened.fileFrames >= span.fileFrames else {
            throw AudioFileError(path: place.path, reason: "the file is shorter than it was")
        }
        return opened
    }

    private func silence(_ count: Int, _ block: Channels) -> Int {
        block.clear(count)
        return count
    }
}
