import Realtime
import Synchronization

/// What plays along one playhead: where it is on its route, whether it rolls, and what is recorded by it.
/// Every track names its player, by whose playhead it and its sends are read; buses and the master are read
/// by the first player's. Audio thread only; wait-free.
struct Player {
    private let shared: UnsafeMutablePointer<PlayerShared>
    private(set) var course: UnsafeMutablePointer<Course>
    /// How many frames of the course's route have been played.
    private(set) var index: Int64 = 0
    /// The same in the plan before, while that is crossed over from.
    private(set) var courseBefore: UnsafeMutablePointer<Course>
    private(set) var indexBefore: Int64 = 0
    private(set) var motion = Motion.standing(resumesWithFade: false)
    /// How much is heard of inputs that give way to clips: 1 at a standstill, 0 while it rolls.
    private(set) var standstill = Glide(value: 1)
    /// The last order to play or stop that was to be obeyed at once, and the last to record.
    private var newestTransport = Newest()
    private var newestRecord = Newest()
    /// Which frames are recorded while it rolls; nil: none.
    private var punch: Punch?
    /// How often recording has begun, or gone on elsewhere.
    private(set) var pass = 0
    /// Where a recording began, as long as not all lines have come there; nil: none did.
    private(set) var beginning: Beginning?
    /// The frame of the timeline behind the last block that rolled while it was recorded; -1: none did.
    private var rolledTo: Int64 = -1
    /// Where playback was, for what comes in later than it is played to.
    private(set) var history = PlaybackHistory()

    init(_ course: UnsafeMutablePointer<Course>, _ shared: UnsafeMutablePointer<PlayerShared>) {
        (self.course, courseBefore, self.shared) = (course, course, shared)
    }

    func deallocate() { history.deallocate() }

    /// The frame of the timeline that is played next.
    @_noLocks
    mutating func frame() -> Int64 { course.pointee.route.frame(at: index) }

    @_noLocks
    mutating func isStanding() -> Bool { motion.isStanding() }

    // MARK: - Orders

    @_noLocks
    mutating func admits(_ order: NumberedOrder) -> Bool { newestTransport.admits(order) }

    /// Goes on in another plan's course.
    @_noLocks
    mutating func take(_ next: UnsafeMutablePointer<Course>) {
        (courseBefore, indexBefore) = (course, index)
        course = next
        index = next.pointee.entry.index(after: index)
        if next.pointee.entry.isStart() { beginning = nil }
        if next.pointee.entry.isStart(), motion.isStanding() { motion = .standing(resumesWithFade: false) }
    }

    /// Rolls from now on, whatever it did, over `fade` frames where a stop had faded out.
    /// - Returns: whether it stood still.
    @_noLocks
    mutating func play(over fade: Int, at clock: Int64) -> Bool {
        var level: Glide
        let stood = motion.isStanding()
        switch motion {
        case .rolling: return false
        case .standing(let resumesWithFade): level = Glide(value: resumesWithFade ? 0 : 1)
        case .stopping(let present): level = present
        }
        level.move(to: 1, over: Int64(fade), curve: .linear, at: clock)
        motion = .rolling(level)
        standstill.move(to: 0, over: Int64(fade), curve: .linear, at: clock)
        return stood
    }

    /// Fades out over `fade` frames, and stands.
    @_noLocks
    mutating func stop(over fade: Int, at clock: Int64) {
        guard case .rolling(var level) = motion else { return }
        level.move(to: 0, over: Int64(fade), curve: .linear, at: clock)
        motion = .stopping(level)
        standstill.move(to: 1, over: Int64(fade), curve: .linear, at: clock)
    }

    /// Stands still where the fade of a stop is over.
    /// - Returns: whether it is.
    @_noLocks
    mutating func standIfFadedOut(at clock: Int64) -> Bool {
        guard case .stopping(let level) = motion, level.framesLeft(at: clock) <= 0 else { return false }
        motion = .standing(resumesWithFade: true)
        return true
    }

    /// Records these frames while it rolls, unless another order overrules this; what is recorded from now on
    /// is another pass.
    @_noLocks
    mutating func record(_ next: Punch?, _ order: NumberedOrder) {
        if !newestRecord.admits(order) { return }
        punch = next
        rolledTo = -1
    }

    // MARK: - Blocks

    /// When a recording begins, or a line comes to where one began, on the mixer's clock: from `clock` on; or
    /// later than all.
    @_noLocks
    mutating func nextBeginning(from clock: Int64, crosses: Bool) -> Int64 {
        var next = Int64.max
        if let punch, motion.isRolling(), case let ahead = punch.start - frame(), ahead > 0 {
            next = clock + ahead
        }
        // Where it begins or settles with this block, that is looked at before it is noted.
        var (start, hasSettled) = (clock, isSettled(at: clock, crosses: crosses))
        if !recordingBegins(at: clock) {
            guard let beginning else { return next }
            if beginning.isSettled || !hasSettled {
                (start, hasSettled) = (beginning.clock, beginning.isSettled)
            }
        }
        if !hasSettled, case let left = fadeLeft(at: clock), left > 0 { next = min(next, clock + left) }
        for i in 0..<course.pointee.momentCount {
            let due = start + course.pointee.moments[i].lag
            if due > clock { next = min(next, due) }
        }
        return next
    }

    /// Whether what is recorded begins at `clock`.
    @_noLocks
    private mutating func recordingBegins(at clock: Int64) -> Bool {
        let frame = frame()
        guard let punch, motion.isRolling(), punch.start <= frame, frame < punch.end else { return false }
        return rolledTo != frame || frame == punch.start
    }

    /// Whether nothing of what was heard before is heard at `clock` any more, and what plays is as loud as it
    /// will be.
    @_noLocks
    private mutating func isSettled(at clock: Int64, crosses: Bool) -> Bool {
        !crosses && fadeLeft(at: clock) == 0
    }

    /// Notes where a recording begins, and where it has settled.
    @_noLocks
    private mutating func noteBeginning(at clock: Int64, crosses: Bool) {
        let isSettled = isSettled(at: clock, crosses: crosses)
        if recordingBegins(at: clock) {
            beginning = Beginning(clock: clock, frame: frame(), pass: pass, isSettled: isSettled)
        } else if let last = beginning {
            if motion.isStanding() || last.isSettled && last.clock + longestLag() < clock {
                beginning = nil
            } else if isSettled, !last.isSettled {
                beginning = Beginning(clock: clock, frame: frame(), pass: last.pass, isSettled: true)
            }
        }
    }

    /// Frames until what plays is as loud as it will be.
    @_noLocks
    private mutating func fadeLeft(at clock: Int64) -> Int64 {
        guard let level = motion.level() else { return 0 }
        return level.framesLeft(at: clock)
    }

    @_noLocks
    private mutating func longestLag() -> Int64 {
        var longest: Int64 = 0
        for i in 0..<course.pointee.momentCount { longest = max(longest, course.pointee.moments[i].lag) }
        return longest
    }

    /// How many of `count` frames from `clock` on can be mixed in one piece: up to the end of a loop or of a
    /// stop.
    @_noLocks
    mutating func framesInOnePiece(_ count: Int64, crosses: Bool, at clock: Int64) -> Int64 {
        guard let level = motion.level() else { return count }
        var run = min(count, course.pointee.framesUntilTurn(from: index))
        if crosses { run = min(run, courseBefore.pointee.framesUntilTurn(from: indexBefore)) }
        if motion.isStopping() { run = min(run, level.framesLeft(at: clock)) }
        return run
    }

    /// Notes where playback is in a block, and whether that is recorded. One pass is what rolls on without a
    /// jump.
    @_noLocks
    mutating func recordPlayback(at clock: Int64, crosses: Bool, _ count: Int) {
        let frame = frame()
        let isRecorded = motion.isRolling() && punch != nil
        if isRecorded, rolledTo != frame { pass += 1 }
        noteBeginning(at: clock, crosses: crosses)
        rolledTo = isRecorded ? frame + Int64(count) : -1
        history.append(
            PlaybackHistory.Stretch(
                clock: clock, frame: frame, pass: isRecorded ? pass : 0,
                punch: punch ?? Punch(start: 0, end: 0)))
    }

    /// Begins a block.
    @_noLocks
    mutating func beginBlock(crosses: Bool, at clock: Int64, _ count: Int) {
        let rolls = !motion.isStanding()
        course.pointee.beginBlock(at: index, rolls: rolls, clock, count)
        if crosses { courseBefore.pointee.beginBlock(at: indexBefore, rolls: rolls, clock, count) }
    }

    /// A block of `count` frames is over.
    @_noLocks
    mutating func advance(_ count: Int) {
        if motion.isStanding() { return }
        index += Int64(count)
        indexBefore += Int64(count)
    }

    /// Tells other threads where it is.
    @_noLocks
    mutating func publish() {
        shared.pointee.transport.store(TransportState.code(of: motion), ordering: .relaxed)
        shared.pointee.frame.store(frame(), ordering: .relaxed)
        shared.pointee.progress.store(
            RouteProgress(routeNumber: course.pointee.routeNumber, index: index).bits(), ordering: .releasing)
    }
}

/// A route and an index of it as one word, so that they belong together whoever reads them: 16 bits of the
/// route's number as it was sent, 48 of the index.
struct RouteProgress {
    let routeNumber: UInt16
    let index: Int64

    @_noLocks
    init(routeNumber: UInt16, index: Int64) { (self.routeNumber, self.index) = (routeNumber, index) }

    init(bits: UInt64) { (routeNumber, index) = (UInt16(bits >> 48), Int64(bits & 0xffff_ffff_ffff)) }

    @_noLocks
    func bits() -> UInt64 { UInt64(routeNumber) << 48 | UInt64(truncatingIfNeeded: index) & 0xffff_ffff_ffff }
}
