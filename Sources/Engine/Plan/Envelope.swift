import Timeline

/// A gain over the whole timeline, as segments in order of their starts. Owned by `Envelopes`; read by the
/// audio thread.
struct Envelope {
    let segments: UnsafePointer<GainSegment>
    let count: Int
    /// Where the audio thread was last: it mostly goes on from there, however many segments there are. Its
    /// own.
    let last: UnsafeMutablePointer<Int>

    /// The same as `index(at:)`, looked for where it was last. Audio thread only; wait-free.
    @_noLocks
    func nextIndex(at frame: Int64) -> Int {
        var index = last.pointee
        // A block or two further on; from farther away it is searched.
        var steps = 0
        while steps < 4, segments[index].start <= frame {
            if frame < end(of: index) {
                last.pointee = index
                return index
            }
            index += 1
            steps += 1
        }
        index = self.index(at: frame)
        last.pointee = index
        return index
    }

    /// The index of the segment that governs `frame`. The first segment starts at `Int64.min`.
    @_noLocks
    func index(at frame: Int64) -> Int {
        var low = 0
        var high = count
        while high - low > 1 {
            let middle = (low + high) / 2
            if segments[middle].start <= frame { low = middle } else { high = middle }
        }
        return low
    }

    /// Where the segment at `index` ends.
    @_noLocks
    func end(of index: Int) -> Int64 { index + 1 < count ? segments[index + 1].start : .max }

    @_noLocks
    func value(at frame: Int64) -> Double { segments[index(at: frame)].value(at: frame) }
}
