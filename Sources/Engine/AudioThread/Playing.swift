import Realtime

/// How playing goes, as lines see it: a track sees that of its player, a bus and the master that of all
/// players together. Audio thread only; wait-free.
struct Playing {
    /// What remembers its sound starts anew when this changes.
    private(set) var playthrough = Playthrough()
    /// While another plan is crossed over from: playing has been sent elsewhere.
    private(set) var isElsewhere = false
    /// While another plan is crossed over from: playing began at a standstill. Only lines in which inputs are
    /// heard go on crossing over; the others were silent, and begin as they are.
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
        if isElsewhere { playthrough.locates += 1 }
    }

    /// Clips begin to be played, at a standstill.
    @_noLocks
    mutating func play() {
        playthrough.plays += 1
        isOfInputs = true
    }

    /// Begins a block of one player.
    /// - Parameter level: what its clips are multiplied by; nil while none is played.
    @_noLocks
    mutating func beginBlock(_ level: Glide?, _ standstill: Glide, at clock: Int64, _ count: Int) {
        clips = GainBlock(scratch: clips.values)
        level?.apply(to: &clips, from: clock, count: count)
        if case .some = level { playsClips = true } else { playsClips = false }
        fadesClips = !clips.isUnity()
        self.standstill = GainBlock(scratch: self.standstill.values)
        standstill.apply(to: &self.standstill, from: clock, count: count)
    }

    /// Begins a block of all players: each frame is as loud as that of the player that is loudest.
    @_noLocks
    mutating func beginBlock(_ players: UnsafePointer<Playing>, _ number: Int, _ count: Int) {
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

/// A stretch of playing, by how many locates and how many starts came before it.
struct Playthrough {
    var locates = 0
    var plays = 0

    @_noLocks
    init() {}
}
