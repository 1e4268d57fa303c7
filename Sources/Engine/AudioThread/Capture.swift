import Realtime
import Synchronization

/// What comes in by a strip's ports on its way to the disk: the audio thread's side.
package struct CaptureCursor {
    private let ring: SampleRing
    private let marks: CaptureMarks
    private let counters: UnsafeMutablePointer<CaptureCounters>
    /// When the strip was armed, on the mixer's clock: what was played then is recorded, though it comes in
    /// later.
    private var armed = ArmedSpans()
    /// How many frames it has given so far.
    private var given = 0
    /// Frames of one stretch belong to one pass; 0: nothing is being recorded.
    private var pass = 0
    /// What is given of that pass came in before it was played to: the lead of a take.
    private var isLead = false
    /// The frame of the timeline behind the last that was given, and behind the last that there was to give.
    private var next: Int64 = 0
    private var end: Int64 = 0
    /// Frames of the pass that there was no room for since the last mark.
    private var lost = 0

    init(ring: SampleRing, marks: CaptureMarks, counters: UnsafeMutablePointer<CaptureCounters>) {
        (self.ring, self.marks, self.counters) = (ring, marks, counters)
    }

    /// Records from now on; who did already begins anew. Audio thread only; wait-free.
    @_noLocks
    mutating func arm(at clock: Int64) { armed.begin(at: clock) }

    /// Records what is played before now, and no more. Audio thread only; wait-free.
    @_noLocks
    mutating func disarm(at clock: Int64) { armed.end(at: clock) }

    /// Gives a block that came in while `frame` of the timeline and those behind it were to be heard. Where
    /// there is no room it is left out, and counted: what comes behind it says by its frame how much is
    /// missing. Of what was given already nothing is given again. Audio thread only; wait-free.
    /// - Parameter isLead: it came in before anything of the pass was played to.
    @_noLocks
    package mutating func give(
        _ block: Channels, at frame: Int64, _ count: Int, pass: Int, isLead: Bool = false
    ) {
        let isNew = pass != self.pass
        if isNew { finish() }
        let isOther = isNew || isLead != self.isLead
        let known = isOther ? 0 : Int(min(Int64(count), max(0, next - frame)))
        if known > 0 {
            return known < count
                ? give(block.from(known), at: frame + Int64(known), count - known, pass: pass, isLead: isLead)
                : ()
        }
        // The end of the last pass is not said yet.
        let mayBegin = !isNew || self.pass == 0
        let needsMark = isOther || frame != next
        let kind: CaptureMark.Kind = isLead ? .lead : .take
        guard mayBegin, ring.room() >= count, !needsMark || mark(frame, pass, kind) else {
            // A lead is no part of the take: what is missing of it is not counted.
            if isLead { return }
            if mayBegin, !isNew, !self.isLead { (end, lost) = (frame + Int64(count), lost + count) }
            counters.pointee.lost.add(count, ordering: .relaxed)
            return
        }
        (self.pass, self.isLead) = (pass, isLead)
        ring.put(block, count)
        given += count
        next = frame + Int64(count)
        end = next
    }

    /// Gives of a block that came in at `clock` what is to be recorded: each frame where playback was when it
    /// was to be heard, by the latency earlier. What came in while a pass had begun, and was to be heard
    /// before that, is its lead. Audio thread only; wait-free.
    @_noLocks
    mutating func give(_ block: Channels, _ history: PlaybackHistory, at clock: Int64, _ count: Int) {
        let latency = counters.pointee.latency.load(ordering: .relaxed)
        if latency < 0 { return finish() }
        let heard = clock - Int64(latency)
        // Mostly all of a block lies in one stretch, and the strip is armed for all of it.
        if armed.covers(heard), let stretch = history.present(at: heard), stretch.pass != 0 {
            return give(block, stretch, history, at: heard, count)
        }
        var done = 0
        while done < count {
            let at = heard + Int64(done)
            let span = armed.span(at: at, count - done)
            let (stretch, run) = history.stretch(at: at, span.count)
            if span.begins { finishTake() }
            if let stretch, span.isArmed, stretch.pass != 0 {
                give(block.from(done), stretch, history, at: at, run)
            } else {
                giveLead(block.from(done), history, heard: at, run)
            }
            done += run
        }
    }

    /// Of one stretch what lies in its punch.
    @_noLocks
    private mutating func give(
        _ block: Channels, _ stretch: PlaybackHistory.Stretch, _ history: PlaybackHistory, at clock: Int64,
        _ count: Int
    ) {
        let frame = stretch.frame + (clock - stretch.clock)
        let first = Int(max(0, min(Int64(count), stretch.punch.start - frame)))
        let last = Int(max(0, min(Int64(count), stretch.punch.end - frame)))
        if first >= last { return giveLead(block, history, heard: clock, count) }
        if first > 0 { giveLead(block, history, heard: clock, first) }
        give(block.from(first), at: frame + Int64(first), last - first, pass: stretch.pass)
        if last < count { giveLead(block.from(last), history, heard: clock + Int64(last), count - last) }
    }

    /// What was to be heard when nothing was recorded, and comes in when something is: as the lead of that,
    /// if it is one.
    @_noLocks
    private mutating func giveLead(
        _ block: Channels, _ history: PlaybackHistory, heard: Int64, _ count: Int
    ) {
        let latency = Int64(counters.pointee.latency.load(ordering: .relaxed))
        let clock = heard + latency
        guard latency > 0, armed.isArmed(at: clock), let stretch = history.present(at: clock),
            stretch.pass != 0
        else { return finishTake() }
        let frame = stretch.frame + (clock - stretch.clock)
        let first = Int(max(0, min(Int64(count), stretch.punch.start - frame)))
        let last = Int(max(0, min(Int64(count), stretch.punch.end - frame)))
        if first > 0 || first >= last { finishTake() }
        if first < last {
            give(
                block.from(first), at: frame + Int64(first) - latency, last - first, pass: stretch.pass,
                isLead: true)
        }
    }

    /// What was given is all of its take. A lead waits for its own, which comes in later.
    @_noLocks
    private mutating func finishTake() { if !isLead { finish() } }

    /// What was given is all of its pass. Audio thread only; wait-free.
    @_noLocks
    package mutating func finish() {
        if pass != 0, mark(end, pass, .end) { (pass, isLead) = (0, false) }
    }

    /// - Returns: whether there was room.
    @_noLocks
    private mutating func mark(_ frame: Int64, _ pass: Int, _ kind: CaptureMark.Kind) -> Bool {
        let aired = counters.pointee.aired.load(ordering: .relaxed)
        guard
            marks.put(
                CaptureMark(index: given, frame: frame, pass: pass, kind: kind, lost: lost, aired: aired))
        else { return false }
        lost = 0
        return true
    }

    /// Whether there is room for a block.
    @_noLocks
    func hasRoom(_ count: Int) -> Bool { ring.room() >= count }
}

/// When a strip was armed last, as far back as anything may come in late. Audio thread only; wait-free.
private struct ArmedSpans {
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

/// Which frame of the timeline the frames from `index` on belong to.
struct CaptureMark {
    /// Of all frames that were ever given.
    let index: Int
    let frame: Int64
    let pass: Int
    let kind: Kind
    /// Frames of the pass before this one for which there was no room; where more are missing, a latency has
    /// become shorter.
    let lost: Int
    /// By how many frames a frame of the take is heard live later on the timeline than it lies.
    let aired: Int

    enum Kind {
        /// What comes in before the first frame of a take, while its pass is on.
        case lead
        case take
        /// The pass is over; `frame` is the one behind its last.
        case end
    }

    @_noLocks
    init(index: Int, frame: Int64, pass: Int, kind: Kind, lost: Int, aired: Int) {
        (self.index, self.frame, self.pass) = (index, frame, pass)
        (self.kind, self.lost, self.aired) = (kind, lost, aired)
    }
}

/// What other threads may read of a capture.
struct CaptureCounters: ~Copyable {
    /// Frames for which there was no room.
    let lost = Atomic<Int>(0)
    /// Frames by which what comes in is later than what goes out; below zero while nobody knows.
    let latency = Atomic<Int>(0)

    /// Frames by which what comes in is heard live later on the timeline than it is laid.
    let aired = Atomic<Int>(0)

    /// nil while nobody knows.
    static func latency(_ frames: Int) -> Int? { frames < 0 ? nil : frames }
}

/// The queue of marks from the audio thread to the disk. Wait-free; a full one refuses. A copy is a handle to
/// the same queue: `destroy` it once.
struct CaptureMarks: @unchecked Sendable {
    // Safe to share: a slot is passed by the release of its index.
    private let places: QueuePlaces
    private let slots: UnsafeMutablePointer<CaptureMark>
    private static let capacity = 64

    init() {
        places = QueuePlaces(capacity: Self.capacity)
        slots = LockedMemory.allocate(CaptureMark.self, Self.capacity)
    }

    func destroy() {
        places.destroy()
        LockedMemory.free(slots, Self.capacity)
    }

    /// Audio thread only. Wait-free.
    @_noLocks
    func put(_ mark: CaptureMark) -> Bool {
        guard let place = places.free() else { return false }
        (slots + place).initialize(to: mark)
        places.put()
        return true
    }

    /// Disk thread: the next mark, left where it is.
    func peek() -> CaptureMark? { places.next().map { slots[$0] } }

    /// Disk thread: takes what `peek` showed.
    func drop() { places.take() }
}

/// Which frames of the timeline are recorded while it rolls: none beyond those where a playhead may be.
package struct Punch {
    let start: Int64
    let end: Int64

    @_noLocks
    init(start: Int64, end: Int64) { (self.start, self.end) = (start, end) }
}

extension MixerState {
    /// Gives what comes in to the disk, of strips that are or were armed, as far as it is to be recorded.
    @_noLocks
    mutating func capture(_ count: Int) {
        let frame = plan.pointee.route.frame(at: index)
        let isRecorded = motion.isRolling() && punch != nil
        // One pass is what rolls on without a jump.
        if isRecorded, rolledTo != frame { pass += 1 }
        rolledTo = isRecorded ? frame + Int64(count) : -1
        history.note(
            PlaybackHistory.Stretch(
                clock: clock, frame: frame, pass: isRecorded ? pass : 0,
                punch: punch ?? Punch(start: 0, end: 0)))
        guard let ins else { return }
        for i in 0..<ins.count {
            let strip = ins.ins[i].strip
            guard let cursor = strip.pointee.capture else { continue }
            guard let input = input(strip) else {
                cursor.pointee.finish()
                continue
            }
            if isPatient, !cursor.pointee.hasRoom(count) { waitForRecorder(cursor, count) }
            cursor.pointee.give(input, history, at: clock, count)
        }
    }
}
