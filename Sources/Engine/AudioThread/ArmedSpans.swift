import Realtime
import Synchronization

/// When a strip was armed last, as far back as anything may come in late. Audio thread only; wait-free.
struct ArmedSpans {
    // Whoever arms more often than that within a latency loses the end of the oldest take.
    private var starts = InlineArray<4, Int64>(repeating: .max)
    private var ends = InlineArray<4, Int64>(repeating: .max)

    @_noLocks
    init() {}

    @_noLocks
    mutating func begin(at clock: Int64) {
        end(at: clock)
        for i in 0..<3 { (starts[i], ends[i]) = (starts[i + 1], ends[i + 1]) }
        (starts[3], ends[3]) = (clock, .max)
    }

    @_noLocks
    mutating func end(at clock: Int64) { if starts[3] != .max, ends[3] == .max { ends[3] = clock } }

    /// Whether it has been armed since before `clock`, and is.
    @_noLocks
    func covers(_ clock: Int64) -> Bool { clock > starts[3] && ends[3] == .max }

    /// Whether it is armed now, and was at `clock`.
    @_noLocks
    func isArmed(at clock: Int64) -> Bool { clock >= starts[3] && ends[3] == .max }

    /// Whether it was armed at `clock`, for how many of `count` frames that goes on, and whether it has just
    /// begun.
    @_noLocks
    func span(at clock: Int64, _ count: Int) -> (isArmed: Bool, begins: Bool, count: Int) {
        for i in 0..<4 where clock < ends[i] {
            if starts[i] == .max { continue }
            if clock < starts[i] { return (false, false, Int(min(Int64(count), starts[i] - clock))) }
            return (true, clock == starts[i], Int(min(Int64(count), ends[i] - clock)))
        }
        return (false, false, count)
    }
}

extension MixerState {
    /// Gives what comes in to the disk, of strips that are or were armed, as far as it is to be recorded.
    @_noLocks
    mutating func capture(_ count: Int) {
        for i in 0..<players.count {
            players.first[i].recordPlayback(at: clock, crosses: crossfade != nil, count)
        }
        guard let ins else { return }
        for i in 0..<ins.count {
            let strip = ins.ins[i].strip
            guard let cursor = strip.pointee.capture else { continue }
            guard let input = input(strip) else {
                cursor.pointee.finish()
                continue
            }
            if isPatient, !cursor.pointee.hasRoom(count) { waitForRecorder(cursor, count) }
            cursor.pointee.give(input, players[cursor.pointee.player].pointee.history, at: clock, count)
        }
    }
}
