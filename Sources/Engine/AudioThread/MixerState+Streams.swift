import CRealtime
import Realtime
import Synchronization

extension MixerState {
    /// The samples of what a sound's player plays of it, in the ring itself where they lie in one piece; nil
    /// for silence.
    ///
    /// While more than a fade's length is read ahead they come whole. With less, the stream fades out over
    /// what is left, counts a dropout, stays silent, and fades in where it should be by then once enough has
    /// come.
    ///
    /// Mutating, though nothing of the state changes: what is not is given a copy of all of it, for every
    /// line.
    @_noLocks
    mutating func fetch(
        _ sound: UnsafeMutablePointer<LineSound>, isBefore: Bool, _ count: Int, _ block: Channels,
        _ gain: inout GainBlock
    ) -> Channels? {
        guard let stream = sound.pointee.stream else { return nil }
        let player = players[sound.pointee.player]
        let index = isBefore ? player.pointee.indexBefore : player.pointee.index
        let offset = Int(index - stream.pointee.base)
        let ring = stream.pointee.ring
        if stream.pointee.isStarved || stream.pointee.knownEnd - offset < count + fadeFrames {
            measureFill(stream, offset)
        }
        let available = stream.pointee.knownEnd - offset
        if available >= count + fadeFrames, !stream.pointee.isStarved {
            if ring.contiguous(from: offset) >= count { return ring.samples(from: offset) }
            copy(ring, offset, block, count)
            return block
        }
        return fetchStarved(stream, offset, available, count, block, &gain)
    }

    /// Measures how much is read ahead, and notes the least.
    @_noLocks
    private mutating func measureFill(_ stream: UnsafeMutablePointer<StreamCursor>, _ offset: Int) {
        let available = stream.pointee.ring.available(from: offset)
        stream.pointee.knownEnd = offset + available
        guard available < stream.pointee.lowestFill else { return }
        stream.pointee.lowestFill = available
        stream.pointee.counters.pointee.lowestFill.store(available, ordering: .relaxed)
    }

    /// Lets the disk threads have the room of what has been played: that of each stream once in a piece's
    /// time, some with every block, so that no block pays for all. With 512 tracks at once it took as long as
    /// mixing a block of them.
    @_noLocks
    mutating func releasePlayed(_ count: Int) {
        framesSinceWakeUp = min(framesSinceWakeUp + count, wakeUpFrames)
        released = release(plan.pointee.graph, from: released, isBefore: false)
        // What was played before may sound on for longer than is read ahead.
        if let crossfade, crossfade.done < 0 {
            releasedBefore = release(crossfade.plan.pointee.graph, from: releasedBefore, isBefore: true)
        }
        if framesSinceWakeUp == wakeUpFrames {
            (framesSinceWakeUp, released, releasedBefore) = (0, 0, 0)
            diskWakeUp.signal()
        }
    }

    /// Has as many lines of a graph release what has been played as are due by now.
    /// - Parameter first: so many have.
    /// - Returns: how many have then.
    @_noLocks
    private mutating func release(
        _ graph: UnsafeMutablePointer<Graph>, from first: Int, isBefore: Bool
    ) -> Int {
        let due = graph.pointee.count * framesSinceWakeUp / wakeUpFrames
        if first >= due { return first }
        for i in first..<due { release(graph.pointee.lines + i, isBefore: isBefore) }
        return due
    }

    @_noLocks
    private mutating func release(_ line: UnsafeMutablePointer<Line>, isBefore: Bool) {
        let sound = line.sound()
        guard let stream = sound.pointee.stream else { return }
        let player = players[sound.pointee.player]
        let index = isBefore ? player.pointee.indexBefore : player.pointee.index
        let offset = Int(index - stream.pointee.base)
        measureFill(stream, offset)
        stream.pointee.ring.consume(upTo: offset)
    }

    @_noLocks
    private mutating func fetchStarved(
        _ stream: UnsafeMutablePointer<StreamCursor>, _ offset: Int, _ available: Int, _ count: Int,
        _ block: Channels, _ gain: inout GainBlock
    ) -> Channels? {
        if !stream.pointee.isStarved {
            stream.pointee.isStarved = true
            stream.pointee.counters.pointee.dropouts.add(1, ordering: .relaxed)
            shared.pointee.dropouts.add(1, ordering: .relaxed)
        }
        // Opens again only with some to spare, so that it does not flutter.
        let opens = available >= count + 4 * fadeFrames
        if stream.pointee.underrunGate == 0, !opens { return nil }
        let there = min(count, available)
        copy(stream.pointee.ring, offset, block, there)
        block.clear(from: there, to: count)
        // Over 5 ms, or what is left if that is less.
        let step = 1 / Float(fadeFrames)
        let closing = max(step, stream.pointee.underrunGate / Float(max(1, available)))
        moveUnderrunGate(of: stream, by: opens ? step : -closing, there, &gain, count)
        if stream.pointee.underrunGate == 1 { stream.pointee.isStarved = false }
        return block
    }

    /// Multiplies by a starved stream's gate, which opens or closes by a step a frame; behind the frames that
    /// are there is silence.
    @_noLocks
    private mutating func moveUnderrunGate(
        of stream: UnsafeMutablePointer<StreamCursor>, by step: Float, _ there: Int, _ gain: inout GainBlock,
        _ count: Int
    ) {
        gain.spread(count)
        for i in 0..<count {
            stream.pointee.underrunGate = min(1, max(0, stream.pointee.underrunGate + step))
            gain.values[i] *= i < there ? stream.pointee.underrunGate : 0
        }
        if there < count { stream.pointee.underrunGate = 0 }
    }

    /// Has the processor fetch what the tracks after the `i`th are about to read.
    ///
    /// Each ring is read a little at a time, seldom enough that nothing of it is in a cache: with 512 tracks
    /// at 64 frames, waiting for memory was half of the callback's time.
    @_noLocks
    mutating func fetchAhead(_ i: Int, _ count: Int) {
        let (lineAhead, cursorAhead, samplesAhead) = (18, 12, 6)
        let graph = present.graph
        if i + lineAhead < graph.pointee.count {
            fetchAhead(graph.pointee.lines + i + lineAhead, MemoryLayout<Line>.stride)
        }
        if i + cursorAhead < graph.pointee.count {
            let line = graph.pointee.lines + i + cursorAhead
            if let cursor = line.pointee.sound.stream { rt_prefetch(cursor) }
            if crossfade != nil, let cursor = line.pointee.before?.pointee.stream { rt_prefetch(cursor) }
        }
        guard i + samplesAhead < graph.pointee.count else { return }
        let line = graph.pointee.lines + i + samplesAhead
        // A strip's fields up to the glides: one at rest that sends nothing needs no more.
        fetchAhead(line.pointee.strip, 128)
        let player = players[line.pointee.sound.player]
        if let cursor = line.pointee.sound.stream { fetchAhead(cursor, player.pointee.index, count) }
        if crossfade != nil, let cursor = line.pointee.before?.pointee.stream {
            fetchAhead(cursor, player.pointee.indexBefore, count)
        }
    }

    @_noLocks
    private mutating func fetchAhead(_ memory: UnsafeRawPointer, _ bytes: Int) {
        let cacheLine = 64
        var offset = 0
        while offset < bytes {
            rt_prefetch(memory + offset)
            offset += cacheLine
        }
    }

    @_noLocks
    private mutating func fetchAhead(
        _ cursor: UnsafeMutablePointer<StreamCursor>, _ index: Int64, _ count: Int
    ) {
        let samples = cursor.pointee.ring.samples(from: Int(index - cursor.pointee.base))
        // Of 256 frames all: with half of them the callback of 2048 tracks took 1.1 ms instead of 0.8.
        // Further on the processor sees by itself where it leads.
        let bytes = min(count, 256) * MemoryLayout<Float>.stride
        fetchAhead(samples.channel(0), bytes)
        if samples.count > 1 { fetchAhead(samples.channel(samples.count - 1), bytes) }
        if samples.count > 2 { fetchAheadBetween(samples) }
    }

    /// The beginning of the channels between the first and the last.
    @_noLocks
    private mutating func fetchAheadBetween(_ samples: Channels) {
        for channel in 1..<samples.count - 1 { rt_prefetch(samples.channel(channel)) }
    }

    @_noLocks
    private mutating func copy(_ ring: SampleRing, _ offset: Int, _ block: Channels, _ count: Int) {
        let first = min(count, ring.contiguous(from: offset))
        if first > 0 { block.copy(ring.samples(from: offset), first) }
        if first < count { block.from(first).copy(ring.samples(from: offset + first), count - first) }
    }
}
