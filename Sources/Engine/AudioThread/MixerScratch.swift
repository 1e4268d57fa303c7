import Glibc
import Realtime
import Speakers
import Synchronization

/// Places for the gains of one block, each with one use.
struct MixerScratch {
    let wait: UnsafeMutablePointer<DiskWait>
    /// The share of what was before in each frame of a crossfade.
    let shares: UnsafeMutablePointer<Float>
    /// What a line measures, channel by channel.
    let levels: UnsafeMutablePointer<Level>
    /// Room for what a line's sound is in another layout.
    let folded: UnsafeMutablePointer<Float>
    /// Room for the master's sum of what was played before.
    private let busBefore: UnsafeMutablePointer<Float>
    let matrices: MatrixTable
    /// What all members of an automix stand at together.
    let sums: UnsafeMutablePointer<Double>
    private let gains: UnsafeMutablePointer<Float>
    private static let count = 20

    init(_ pool: DiskPool, _ players: Players) {
        wait = LockedMemory.holding(DiskWait(players: players, pool: .passUnretained(pool)))
        let memory = LockedMemory.allocate(Float.self, (Self.count + 1) * Block.stride())
        (shares, gains) = (memory, memory + Block.stride())
        levels = LockedMemory.allocate(Level.self, SpeakerLayout.maximumChannels)
        levels.initialize(repeating: Level(), count: SpeakerLayout.maximumChannels)
        folded = LockedMemory.allocate(Float.self, SpeakerLayout.maximumChannels * Block.stride())
        busBefore = LockedMemory.allocate(Float.self, SpeakerLayout.maximumChannels * Block.stride())
        matrices = MatrixTable()
        sums = LockedMemory.allocate(Double.self, Block.frames())
    }

    func deallocate() {
        LockedMemory.free(shares, (Self.count + 1) * Block.stride())
        LockedMemory.free(levels, SpeakerLayout.maximumChannels)
        LockedMemory.free(folded, SpeakerLayout.maximumChannels * Block.stride())
        LockedMemory.free(busBefore, SpeakerLayout.maximumChannels * Block.stride())
        matrices.deallocate()
        LockedMemory.free(sums, Block.frames())
        LockedMemory.free(wait)
    }

    /// What the master hears of what was played before.
    @_noLocks
    func bus(_ channels: Int) -> Channels {
        Channels(busBefore, stride: Block.stride(), count: channels)
    }

    @_noLocks
    private func gain(_ place: Int) -> GainBlock { GainBlock(scratch: gains + place * Block.stride()) }

    /// What a line's samples are multiplied by on their way from its source, all at one.
    @_noLocks
    func line() -> GainBlock { gain(0) }
    /// The fader, mute gate and balance of a strip, or of the master.
    @_noLocks
    func sides() -> SideGains { SideGains(gain(1), gain(2), gain(15)) }
    /// A line's gain on one of its edges.
    @_noLocks
    func edge() -> GainBlock { gain(3) }
    /// The gains of a send, or of ports.
    @_noLocks
    func edgeSides() -> SideGains { SideGains(gain(4), gain(5), gain(16)) }
    /// The same of one channel on its way into another layout.
    @_noLocks
    func part() -> GainBlock { gain(18) }
    /// What the timeline says of a line or send, and what it said of it before.
    @_noLocks
    func said() -> GainBlock { gain(6) }
    @_noLocks
    func saidBefore() -> GainBlock { gain(7) }
    /// The balance that a line or send had before.
    @_noLocks
    func sidesBefore() -> SideGains { SideGains(gain(8), gain(9), gain(17)) }
    /// What the timeline says of a send, on its way to what it says now.
    @_noLocks
    func sendSaid() -> GainBlock { gain(19) }
    /// Of what a line played before.
    @_noLocks
    func sourceBefore() -> GainBlock { gain(10) }
    /// How much is heard of what comes in, and was before.
    @_noLocks
    func input() -> GainBlock { gain(11) }
    @_noLocks
    func inputBefore() -> GainBlock { gain(12) }
    /// For the whole block: what opens and what closes.
    @_noLocks
    func opening() -> GainBlock { gain(13) }
    @_noLocks
    func closing() -> GainBlock { gain(14) }
}
