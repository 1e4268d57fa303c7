import Realtime

/// How playing goes, as lines see it: a track sees that of its player, a bus and the master that of all
/// players together. Audio thread only; wait-free.
struct Playing {
    /// Which of all the times of playing it is: what remembers begins anew with another.
    private(set) var way = Way()
    /// While another plan is crossed over from: playing has been sent elsewhere.
    private(set) var isElsewhere = false
    /// The same: playing began at a standstill meanwhile. What inputs are heard in goes on crossing over, all
    /// else was silent and begins as it is.
    private(set) var isOfInputs = false
    /// In the present block clips are played, and multiplied by something else than 1.
    private(set) var playsClips = false
    private(set) var fadesClips = false
    /// What all clips are multiplied by, and all inputs that give way to them.
    private(set) var clips: GainBlock
    private(set) var standstill: GainBlock

    init() {
        clips = GainBlock(scratch: LockedMemory.allocate(Float.self, Block.stride()))
        standstill = GainBlock(scratch: LockedMemory.allocate(Float.self, Block.stride()))
    }

    func deallocate() {
        for gain in [clips, standstill] { LockedMemory.free(gain.values, Block.stride()) }
    }

    /// Another plan is played from now on, there or elsewhere.
    @_noLocks
    mutating func goOn(isElsewhere: Bool) {
        (self.isElsewhere, isOfInputs) = (isElsewhere, false)
        if isElsewhere { way.locates += 1 }
    }

    /// Clips begin to be played, at a standstill.
    @_noLocks
    mutating func play() {
        way.plays += 1
        isOfInputs = true
    }

    /// Begins a block of one player.
    /// - Parameter level: what its clips are multiplied by; nil while none is played.
    @_noLocks
    mutating func begin(_ level: Glide?, _ standstill: Glide, at clock: Int64, _ count: Int) {
        clips = GainBlock(scratch: clips.values)
        level?.apply(to: &clips, from: clock, count: count)
        if case .some = level { playsClips = true } else { playsClips = false }
        fadesClips = !clips.isUnity()
        self.standstill = GainBlock(scratch: self.standstill.values)
        standstill.apply(to: &self.standstill, from: clock, count: count)
    }

    /// Begins a block of all players: each frame is as loud as that of the player that is loudest.
    @_noLocks
    mutating func begin(_ players: UnsafePointer<Playing>, _ number: Int, _ count: Int) {
        clips = GainBlock(scratch: clips.values)
        (playsClips, fadesClips) = (false, true)
        for i in 0..<number where players[i].playsClips {
            if !players[i].fadesClips {
                clips = GainBlock(scratch: clips.values)
                (playsClips, fadesClips) = (true, false)
                return
            }
            raise(by: players[i].clips, isFirst: !playsClips, count)
            playsClips = true
        }
        fadesClips = playsClips
    }

    @_noLocks
    private mutating func raise(by other: GainBlock, isFirst: Bool, _ count: Int) {
        if isFirst {
            clips.copy(other, count)
            return clips.spread(count)
        }
        for i in 0..<count {
            clips.values[i] = max(clips.values[i], other.varies ? other.values[i] : other.constant)
        }
    }
}

/// Which of all the times of playing it is, by how often playing has gone elsewhere by a locate, and how
/// often clips have begun to be played.
struct Way {
    var locates = 0
    var plays = 0

    @_noLocks
    init() {}
}
