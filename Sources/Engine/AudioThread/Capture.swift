import Realtime
import Synchronization

/// What comes in by a strip's ports on its way to the disk: the audio thread's side.
package struct CaptureCursor {
    private let ring: SampleRing
    private let marks: CaptureMarks
    private let counters: UnsafeMutablePointer<CaptureCounters>
    /// How many frames it has given so far.
    private var given = 0
    /// Frames of one stretch belong to one pass; 0: nothing is being recorded.
    private var pass = 0
    /// By how many frames what comes in is later than what it was played to, in the pass that was begun last.
    private var latency: Int64 = 0
    private var latestPass = 0
    /// The frame of the timeline behind the last that was given, and behind the last that there was to give.
    private var next: Int64 = 0
    private var end: Int64 = 0

    init(ring: SampleRing, marks: CaptureMarks, counters: UnsafeMutablePointer<CaptureCounters>) { (self.ring, self.marks, self.counters) = (ring, marks, counters) }

    /// Gives a block that came in while `frame` of the timeline and those behind it went out. Where there is no room it is left out, and counted: what comes behind it says by
    /// its frame how much is missing. Audio thread only; wait-free.
    @_noLocks
    package mutating func give(_ block: StereoPointers, at frame: Int64, _ count: Int, pass: Int) {
        let isNew = pass != self.pass
        if isNew { finish() }
        // The end of the last pass is not said yet.
        let mayBegin = !isNew || self.pass == 0
        let needsMark = isNew || frame != next
        guard mayBegin, ring.room() >= count, !needsMark || marks.put(CaptureMark(index: given, frame: frame, pass: pass, isEnd: false)) else {
            if mayBegin, !isNew { end = frame + Int64(count) }
            counters.pointee.lost.add(count, ordering: .relaxed)
            return
        }
        self.pass = pass
        ring.put(block.left, block.right, count)
        given += count
        next = frame + Int64(count)
        end = next
    }

    /// Gives of a block that came in while `frame` of the timeline and those behind it went out what lies in `punch`: each frame by the latency earlier. Audio thread only; wait-free.
    @_noLocks
    mutating func give(_ block: StereoPointers, at frame: Int64, _ count: Int, _ punch: Punch, pass: Int) {
        if pass != latestPass {
            // Within a pass it stays: what lies there has no jump in it.
            latency = Int64(counters.pointee.latency.load(ordering: .relaxed))
            latestPass = pass
        }
        let place = frame - latency
        let first = Int(max(0, min(Int64(count), punch.start - place)))
        let last = Int(max(0, min(Int64(count), punch.end - place)))
        if first >= last { return finish() }
        give(StereoPointers(block.left + first, block.right + first), at: place + Int64(first), last - first, pass: pass)
    }

    /// What was given is all of its pass. Audio thread only; wait-free.
    @_noLocks
    package mutating func finish() {
        if pass != 0, marks.put(CaptureMark(index: given, frame: end, pass: pass, isEnd: true)) { pass = 0 }
    }

    /// Whether there is room for a block.
    @_noLocks
    func hasRoom(_ count: Int) -> Bool { ring.room() >= count }
}

/// Which frame of the timeline the frames from `index` on belong to.
struct CaptureMark {
    /// Of all frames that were ever given.
    let index: Int
    let frame: Int64
    let pass: Int
    /// The pass is over; `frame` is the one behind its last.
    let isEnd: Bool

    @_noLocks
    init(index: Int, frame: Int64, pass: Int, isEnd: Bool) { (self.index, self.frame, self.pass, self.isEnd) = (index, frame, pass, isEnd) }
}

/// What other threads may read of a capture.
struct CaptureCounters: ~Copyable {
    /// Frames for which there was no room.
    let lost = Atomic<Int>(0)
    /// Frames by which what comes in is later than what goes out.
    let latency = Atomic<Int>(0)
}

/// The queue of marks from the audio thread to the disk. Wait-free; a full one refuses. A copy is a handle to the same queue: `destroy` it once.
struct CaptureMarks: @unchecked Sendable {
    // Safe to share: each index is written by one side only, and a slot is passed by the release of its index.
    private struct Indices: ~Copyable {
        let written = Atomic<Int>(0)
        let read = Atomic<Int>(0)
    }

    private let indices: UnsafeMutablePointer<Indices>
    private let slots: UnsafeMutablePointer<CaptureMark>
    private static let capacity = 64

    init() {
        indices = LockedMemory.allocate(Indices.self)
        indices.initialize(to: Indices())
        slots = LockedMemory.allocate(CaptureMark.self, Self.capacity)
        slots.initialize(repeating: CaptureMark(index: 0, frame: 0, pass: 0, isEnd: true), count: Self.capacity)
    }

    func destroy() {
        indices.deinitialize(count: 1)
        LockedMemory.free(indices)
        LockedMemory.free(slots, Self.capacity)
    }

    /// Audio thread only. Wait-free.
    @_noLocks
    func put(_ mark: CaptureMark) -> Bool {
        let written = indices.pointee.written.load(ordering: .relaxed)
        if written - indices.pointee.read.load(ordering: .acquiring) >= 64 { return false }
        slots[written & 63] = mark
        indices.pointee.written.store(written + 1, ordering: .releasing)
        return true
    }

    /// Disk thread: the next mark, left where it is.
    func peek() -> CaptureMark? {
        let read = indices.pointee.read.load(ordering: .relaxed)
        return read == indices.pointee.written.load(ordering: .acquiring) ? nil : slots[read & (Self.capacity - 1)]
    }

    /// Disk thread: takes what `peek` showed.
    func drop() { indices.pointee.read.store(indices.pointee.read.load(ordering: .relaxed) + 1, ordering: .releasing) }
}

/// Which frames of the timeline are recorded while it rolls: none beyond those where a playhead may be.
package struct Punch {
    let start: Int64
    let end: Int64

    @_noLocks
    init(start: Int64, end: Int64) { (self.start, self.end) = (start, end) }
}

extension MixerState {
    /// Gives what comes in to the disk, of strips that are armed, as far as it is to be recorded.
    @_noLocks
    mutating func capture(_ count: Int, waits: Bool) {
        guard let ins, ins.count > 0 else { return }
        let frame = plan.pointee.route.frame(at: index)
        let rolls = motion.isRolling() && punch != nil
        // One pass is what rolls on without a jump.
        if rolls, rolledTo != frame { pass += 1 }
        rolledTo = rolls ? frame + Int64(count) : -1
        for i in 0..<ins.count {
            let strip = ins.ins[i].strip
            guard let cursor = strip.pointee.capture else { continue }
            guard rolls, let punch, let input = input(strip) else {
                cursor.pointee.finish()
                continue
            }
            if waits, !cursor.pointee.hasRoom(count) { waitForRecorder(cursor, count) }
            cursor.pointee.give(input, at: frame, count, punch, pass: pass)
        }
    }
}
