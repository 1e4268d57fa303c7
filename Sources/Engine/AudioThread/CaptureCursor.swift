import Realtime
import Synchronization

/// What comes in by a strip's ports on its way to the disk: the audio thread's side.
package struct CaptureCursor {
    private let ring: SampleRing
    private let marks: Queue<CaptureMark>
    private let counters: UnsafeMutablePointer<CaptureCounters>
    /// By whose playhead it records.
    let player: UInt8
    /// When the strip was armed, on the mixer's clock: what was played then is recorded, though it comes in
    /// later.
    private var armed = ArmedSpans()
    /// How many frames it has given so far.
    private var given = 0
    /// Frames of one stretch belong to one pass; 0: nothing is being recorded.
    var pass = 0
    /// What is given of that pass came in before it was played to: the lead of a take.
    private var isLead = false
    /// The frame of the timeline behind the last that was given, and behind the last that there was to give.
    private var next: Int64 = 0
    private var end: Int64 = 0
    /// Frames of the pass that there was no room for since the last mark.
    private var lost = 0

    init(
        ring: SampleRing, marks: Queue<CaptureMark>, counters: UnsafeMutablePointer<CaptureCounters>,
        player: UInt8
    ) {
        (self.ring, self.marks, self.counters, self.player) = (ring, marks, counters, player)
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

    /// Whether there is room for a block, and for its marks. The shortest loop lasts 1 ms, 48 frames at 48
    /// kHz; each turn takes two marks.
    @_noLocks
    func hasRoom(_ count: Int) -> Bool { ring.room() >= count && marks.hasRoom(for: min(count / 24 + 4, 32)) }
}
