import Realtime

/// What the audio thread tells of hands and of the playhead while hands write: at which frame of its clock
/// something was done, and where the timeline was then.
package struct HandMark {
    package enum Kind {
        /// The order of that number was reached: what was asked before it has been done.
        case reached(Int64)
        /// The playhead rolls on from here, without a jump, until the next of this kind.
        case rolls
        /// It stands.
        case stands
        /// A plan is played from here on: so many have been since the start.
        case plan(Int)
    }

    package let kind: Kind
    /// Of the mixer's clock.
    package let clock: Int64
    /// Of the timeline.
    package let frame: Int64

    @_noLocks
    init(_ kind: Kind, clock: Int64, frame: Int64) {
        (self.kind, self.clock, self.frame) = (kind, clock, frame)
    }
}

/// The queue of marks from the audio thread to the control thread. Wait-free; a full one refuses. A copy is a
/// handle to the same queue: `destroy` it once.
struct HandMarks: @unchecked Sendable {
    // Safe to share: a slot is passed by the release of its index.
    private let places: QueuePlaces
    private let slots: UnsafeMutablePointer<HandMark>
    private static let capacity = 4096

    init() {
        places = QueuePlaces(capacity: Self.capacity)
        slots = LockedMemory.allocate(HandMark.self, Self.capacity)
    }

    func destroy() {
        places.destroy()
        LockedMemory.free(slots, Self.capacity)
    }

    /// Audio thread only. Wait-free.
    /// - Returns: false if there was no room.
    @_noLocks
    @discardableResult
    func put(_ mark: HandMark) -> Bool {
        guard let place = places.free() else { return false }
        (slots + place).initialize(to: mark)
        places.put()
        return true
    }

    /// Control thread: the next mark.
    func take() -> HandMark? {
        guard let place = places.next() else { return nil }
        defer { places.take() }
        return slots[place]
    }
}

/// What the audio thread notes for hands that write. Its own.
struct HandTrail {
    let marks: HandMarks
    /// Somebody writes: the playhead's way is told.
    private(set) var isFollowed = false
    private var plans = 0
    /// There was no room to tell of the last.
    private var owesPlan = false
    /// It rolled up to this frame of the timeline; nil: it stood.
    private var rolledTo: Int64?
    /// Whether it rolls or stands has been told since somebody began to follow.
    private var isTold = false

    init(_ marks: HandMarks) { self.marks = marks }

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
    mutating func note(rolls: Bool, clock: Int64, frame: Int64, _ count: Int) {
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
