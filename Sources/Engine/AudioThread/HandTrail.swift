import Realtime

/// What the audio thread notes for hands that write. Its own.
struct HandTrail {
    let marks: Queue<HandMark>
    /// Somebody writes: the playhead's way is told.
    private(set) var isFollowed = false
    private var plans = 0
    /// There was no room to tell of the last.
    private var owesPlan = false
    /// It rolled up to this frame of the timeline; nil: it stood.
    private var rolledTo: Int64?
    /// Whether it rolls or stands has been told since somebody began to follow.
    private var isTold = false

    init(_ marks: Queue<HandMark>) { self.marks = marks }

    @_noLocks
    mutating func follow(_ isFollowed: Bool) {
        self.isFollowed = isFollowed
        (rolledTo, isTold) = (nil, false)
    }

    @_noLocks
    mutating func notePlan(clock: Int64, frame: Int64) {
        plans += 1
        if isFollowed { owesPlan = !marks.put(HandMark(.plan(plans), clock: clock, frame: frame)) }
    }

    /// A block begins.
    @_noLocks
    mutating func record(rolls: Bool, clock: Int64, frame: Int64, _ count: Int) {
        if !isFollowed { return }
        if owesPlan { owesPlan = !marks.put(HandMark(.plan(plans), clock: clock, frame: frame)) }
        if rolls {
            // What there was no room for is told with the next block, from there on.
            if rolledTo != frame, !marks.put(HandMark(.rolls, clock: clock, frame: frame)) {
                rolledTo = nil
            } else {
                (rolledTo, isTold) = (frame + Int64(count), true)
            }
        } else if rolledTo != nil || !isTold, marks.put(HandMark(.stands, clock: clock, frame: frame)) {
            (rolledTo, isTold) = (nil, true)
        }
    }
}
