import Realtime

/// All players of a mixer, and how playing goes by each of them and by all together. Audio thread only;
/// wait-free.
struct Players {
    let first: UnsafeMutablePointer<Player>
    let count: Int
    /// Of each player; and behind these, where there are several, of all together.
    private let playings: UnsafeMutablePointer<Playing>
    private let playingCount: Int

    /// As many as a plan has courses.
    init(_ plan: UnsafeMutablePointer<PlanData>, _ shared: UnsafeMutablePointer<PlayerShared>) {
        count = plan.pointee.courseCount
        first = LockedMemory.allocate(Player.self, count)
        for i in 0..<count { (first + i).initialize(to: Player(plan.pointee.courses + i, shared + i)) }
        playingCount = Self.together(count) + 1
        playings = LockedMemory.allocate(Playing.self, playingCount)
        for i in 0..<playingCount { (playings + i).initialize(to: Playing()) }
    }

    func deallocate() {
        for i in 0..<count { first[i].deallocate() }
        for i in 0..<playingCount { playings[i].deallocate() }
        LockedMemory.free(first, count)
        LockedMemory.free(playings, playingCount)
    }

    /// Which `Playing` is that of all of `count` players together.
    @_noLocks
    static func together(_ count: Int) -> Int { count == 1 ? 0 : count }

    @_noLocks
    subscript(_ number: UInt8) -> UnsafeMutablePointer<Player> { first + Int(number) }

    /// How playing goes, as a line sees it.
    @_noLocks
    func playing(_ line: UnsafeMutablePointer<Line>) -> UnsafeMutablePointer<Playing> {
        playings + Int(line.pointee.playing)
    }

    @_noLocks
    func allStand() -> Bool {
        for i in 0..<count where !first[i].isStanding() { return false }
        return true
    }

    @_noLocks
    func oneStops() -> Bool {
        for i in 0..<count where first[i].motion.isStopping() { return true }
        return false
    }

    // MARK: - Orders

    /// All go on in another plan.
    /// - Returns: whether playing goes elsewhere, as all together see it: no player that rolls stays.
    @_noLocks
    func take(_ plan: UnsafeMutablePointer<PlanData>) -> Bool {
        var (oneGoes, oneStays) = (false, false)
        for i in 0..<count {
            let next = plan.pointee.courses + i
            let goes = next.pointee.entry.isStart()
            if goes { oneGoes = true } else if !first[i].isStanding() { oneStays = true }
            first[i].take(next)
            playings[i].goOn(isElsewhere: goes)
        }
        let isElsewhere = oneGoes && !oneStays
        if count > 1 { playings[count].goOn(isElsewhere: isElsewhere) }
        return isElsewhere
    }

    @_noLocks
    func play(_ number: Int, over fade: Int, at clock: Int64) {
        let allStood = allStand()
        if !first[number].play(over: fade, at: clock) { return }
        playings[number].play()
        if count > 1, allStood { playings[count].play() }
    }

    // MARK: - Blocks

    @_noLocks
    func framesInOnePiece(_ count: Int64, crosses: Bool, at clock: Int64) -> Int64 {
        var run = count
        for i in 0..<self.count { run = first[i].framesInOnePiece(run, crosses: crosses, at: clock) }
        return run
    }

    /// Begins a block.
    @_noLocks
    func beginBlock(crosses: Bool, at clock: Int64, _ count: Int) {
        for i in 0..<self.count {
            playings[i].beginBlock(first[i].motion.level(), first[i].standstill, at: clock, count)
            first[i].beginBlock(crosses: crosses, at: clock, count)
        }
        if self.count > 1 { playings[self.count].beginBlock(playings, self.count, count) }
    }

    /// Ends stops whose fades are over.
    /// - Returns: whether one has ended, and none rolls any more.
    @_noLocks
    func standIfFadedOut(at clock: Int64) -> Bool {
        var oneStands = false
        for i in 0..<count where first[i].standIfFadedOut(at: clock) { oneStands = true }
        return oneStands && allStand()
    }
}
