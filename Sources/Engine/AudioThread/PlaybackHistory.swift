import Realtime

/// Where playback was, as far back as anything may come in late: what comes in now was played to then. Audio
/// thread only; wait-free.
struct PlaybackHistory {
    /// From a frame of the clock on, until the next stretch begins.
    struct Stretch {
        let clock: Int64
        /// The frame of the timeline that was played first.
        let frame: Int64
        /// Of what is recorded which go it is; 0: nothing is.
        let pass: Int
        /// Which of its frames are recorded.
        let punch: Punch

        @_noLocks
        init(clock: Int64, frame: Int64, pass: Int, punch: Punch) {
            (self.clock, self.frame, self.pass, self.punch) = (clock, frame, pass, punch)
        }
    }

    private let stretches: UnsafeMutablePointer<Stretch>
    private var written = 0

    /// The shortest loop, of a millisecond, turns so often in two seconds. A power of two.
    private static let capacity = 2048

    init() {
        stretches = LockedMemory.allocate(Stretch.self, Self.capacity)
        stretches.initialize(
            repeating: Stretch(clock: .min, frame: 0, pass: 0, punch: Punch(start: 0, end: 0)),
            count: Self.capacity)
    }

    func deallocate() { LockedMemory.free(stretches, Self.capacity) }

    @_noLocks
    private func slot(_ number: Int) -> Int { number & 2047 }

    /// From `clock` on it is so.
    @_noLocks
    mutating func append(_ next: Stretch) {
        let last = stretches[slot(written - 1)]
        // It goes on as it was.
        if next.pass == last.pass, next.pass == 0 || last.frame + (next.clock - last.clock) == next.frame {
            return
        }
        stretches[slot(written)] = next
        written += 1
    }

    /// What is played since before `clock`, if nothing has changed since.
    @_noLocks
    func present(at clock: Int64) -> Stretch? {
        let last = stretches[slot(written - 1)]
        return written > 0 && last.clock <= clock ? last : nil
    }

    /// What was played from `clock` on, and for how many of `count` frames that goes on; nothing where it is
    /// too long ago.
    @_noLocks
    func stretch(at clock: Int64, _ count: Int) -> (stretch: Stretch?, count: Int) {
        if let present = present(at: clock) { return (present, count) }
        var (low, high) = (max(0, written - 2047), written)
        if low == high || stretches[slot(low)].clock > clock {
            return (nil, low == high ? count : Int(min(Int64(count), stretches[slot(low)].clock - clock)))
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if stretches[slot(middle)].clock <= clock { low = middle } else { high = middle }
        }
        let end = high < written ? stretches[slot(high)].clock : .max
        return (stretches[slot(low)], Int(min(Int64(count), end - clock)))
    }
}
