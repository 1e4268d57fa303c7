import Glibc
import Realtime
import Speakers
import Synchronization

/// Everything that the audio thread may touch. It alone does; what others read of it is in `MixerShared`.
struct MixerState: ~Copyable {
    let inbox: OrderQueue
    let shared: UnsafeMutablePointer<MixerShared>
    let scratch: MixerScratch
    /// 5 ms: what live changes, stops, locates and short data fade over.
    let fadeFrames: Int
    static func fadeFrames(_ sampleRate: Int32) -> Int { Int(sampleRate) * 5 / 1000 }
    let diskWakeUp: WakeUp
    /// It is heard while it is mixed: somebody reads the meters, and rings reach further than the processor's
    /// cache.
    let isLive: Bool

    /// What waits of what is for strips, and of what is played and whether.
    var stripAgenda = Agenda()
    var playAgenda = Agenda()
    /// What may still be done of what is asked in this call of `render`.
    var allowance = Allowance()
    /// The last order to play or stop that was to be obeyed at once.
    var newestTransport = Newest()
    var newestRecord = Newest()
    /// The buffers of single strips, while a call lasts, and how much of them is mixed.
    var outs: DirectOuts?
    var ins: DirectIns?
    var buffersDone = 0
    /// There is time to wait for whoever takes what is mixed: in freewheel and offline.
    var isPatient = false

    /// Frames processed since the start, whatever the transport does: the clock of live changes.
    var clock: Int64 = 0
    var motion = Motion.standing(resumesWithFade: false)
    /// What is crossed over from: while something plays, or live inputs are heard.
    var crossfade: Crossfade?
    /// How much is heard of inputs that give way to clips: 1 at a standstill, 0 while it rolls.
    var standstill = Glide(value: 1)
    /// What holds for the present block.
    var present: BlockState

    /// What is played at present, of all that has been: what remembers begins anew with another.
    var way = Way()

    /// What ports of single strips are multiplied by: 0 while all is to be silent.
    var hush = Glide(value: 1)

    /// Which frames are recorded while it rolls; nil: none.
    var punch: Punch?
    /// How often recording has begun, or gone on elsewhere.
    var pass = 0
    /// The frame of the timeline behind the last block that rolled while it was recorded; -1: none did.
    var rolledTo: Int64 = -1
    /// Where playback was, for what comes in later than it is played to.
    var history = PlaybackHistory()
    /// What is told to those whose hands write.
    var trail: HandTrail

    /// How many plans are not heard any more.
    var retiredPlans = 0
    var plan: UnsafeMutablePointer<PlanData>
    /// How many frames of the plan's route have been played.
    var index: Int64 = 0

    /// Frames played since the disk threads were last woken, after how many they are, and how many streams
    /// have given back their room since.
    var framesSinceWakeUp = 0
    let wakeUpFrames: Int
    var released = 0
}

/// What holds for all lines in one block. Audio thread only.
struct BlockState {
    /// Where the mix is wanted.
    var bus: Channels
    var graph: UnsafeMutablePointer<Graph>
    /// When lines are read.
    var moments: UnsafeMutablePointer<Moment>
    /// Of the plan before, while that is crossed over from.
    var past: UnsafeMutablePointer<Moment>
    /// Clips are played, and multiplied by something else than 1.
    var playsClips = false
    var fadesClips = false
    /// What all clips are multiplied by, and all inputs that give way to them.
    var clips: GainBlock
    var standstill: GainBlock
    /// What opens, and what closes, while the plan before is crossed over from.
    var opening: GainBlock
    var closing: GainBlock

    @_noLocks
    init(_ bus: Channels, _ plan: UnsafeMutablePointer<PlanData>, _ scratch: MixerScratch) {
        (self.bus, graph) = (bus, plan.pointee.graph)
        moments = plan.pointee.moments
        past = moments
        (clips, standstill, opening, closing) = (
            scratch.clips(), scratch.standstill(), scratch.opening(), scratch.closing()
        )
    }
}

/// How much of what is asked one call of `render` may do, so that no sender makes it late: the rest is done
/// in the next, in order.
struct Allowance {
    /// Orders to carry out or to put on an agenda; a scene of a thousand tracks is 4000.
    var orders = 4096
    /// Lines and sends to mix once more because a block was split where an order is due; a few splits are
    /// made whatever they cost.
    private var lines = 8192
    private var freeSplits = 4

    @_noLocks
    init() {}

    /// Whether a block of so many lines and sends may be split.
    @_noLocks
    mutating func takeSplit(of lines: Int) -> Bool {
        if freeSplits > 0 {
            freeSplits -= 1
            return true
        }
        self.lines -= lines
        return self.lines >= 0
    }
}

/// What is waited for, where the mixer waits for the disk.
struct DiskWait {
    var plan: UnsafeMutablePointer<PlanData>?
    let pool: Unmanaged<DiskPool>
    /// What is to have room, if it is waited for what is recorded.
    var capture: UnsafeMutablePointer<CaptureCursor>?
    /// What is to have room, if it is waited for what is measured.
    var measured: SampleRing?
}

/// Reads along with the disk threads until every stream of the plan has its frames up to `index`, or has
/// failed. For those who wait for the disk.
func waitUntilRead(_ context: UnsafeMutableRawPointer?, _ index: Int64) {
    let wait = context!.assumingMemoryBound(to: DiskWait.self)
    guard let graph = wait.pointee.plan?.pointee.graph else { return }
    for i in 0..<graph.pointee.count {
        guard let stream = graph.pointee.lines[i].sound.stream else { continue }
        while !stream.pointee.isReady(upTo: index) { wait.pointee.pool.takeUnretainedValue().help() }
    }
}

/// Waits until what is recorded has room for `count` frames, 10 s at most. For those who wait for the disk.
func waitUntilWritten(_ context: UnsafeMutableRawPointer?, _ count: Int64) {
    guard let cursor = context!.assumingMemoryBound(to: DiskWait.self).pointee.capture else { return }
    for _ in 0..<5000 where !cursor.pointee.hasRoom(Int(count)) { usleep(2000) }
}

/// Waits until what is measured has room for `count` frames, 1 s at most. For those who wait for the disk.
func waitUntilMeasured(_ context: UnsafeMutableRawPointer?, _ count: Int64) {
    guard let ring = context!.assumingMemoryBound(to: DiskWait.self).pointee.measured else { return }
    for _ in 0..<500 where ring.room() < count { usleep(2000) }
}

/// What other threads read of the audio thread: written there, one word at a time.
struct MixerShared: ~Copyable {
    let transport = Atomic<Int32>(0)
    /// The frame of the timeline that is played next.
    let frame = Atomic<Int64>(0)
    /// How far along which route it is; written after `frame`.
    let progress = Atomic<UInt64>(RouteProgress(routeNumber: 0, index: 0).bits())
    /// How many plans are not heard any more: they retire in the order in which they were sent. Written after
    /// `progress`.
    let retiredPlans = Atomic<Int>(0)
    let clock = Atomic<Int64>(0)
    let dropouts = Atomic<Int>(0)
    /// The frame of the clock up to which all is done that was asked of strips and has been read.
    let stripsDone = Atomic<Int64>(0)
    /// The ports of single strips have been told to fall silent, last of all that is, and are.
    let isHushed = Atomic<Bool>(false)
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

/// Places for the gains of one block, each with one use.
struct MixerScratch {
    let wait: UnsafeMutablePointer<DiskWait>
    /// The share of what was before in each frame of a crossfade.
    let shares: UnsafeMutablePointer<Float>
    /// What a line measures, channel by channel.
    let levels: UnsafeMutablePointer<Level>
    /// Room for what a line's sound is in another layout.
    let folded: UnsafeMutablePointer<Float>
    let matrices: MatrixTable
    /// What all members of an automix stand at together.
    let sums: UnsafeMutablePointer<Double>
    private let gains: UnsafeMutablePointer<Float>
    private static let count = 22

    init(_ pool: DiskPool) {
        wait = LockedMemory.allocate(DiskWait.self)
        wait.initialize(to: DiskWait(pool: .passUnretained(pool)))
        let memory = LockedMemory.allocate(Float.self, (Self.count + 1) * Block.stride())
        (shares, gains) = (memory, memory + Block.stride())
        levels = LockedMemory.allocate(Level.self, SpeakerLayout.maximumChannels)
        levels.initialize(repeating: Level(), count: SpeakerLayout.maximumChannels)
        folded = LockedMemory.allocate(Float.self, SpeakerLayout.maximumChannels * Block.stride())
        matrices = MatrixTable()
        sums = LockedMemory.allocate(Double.self, Block.frames())
    }

    func deallocate() {
        LockedMemory.free(shares, (Self.count + 1) * Block.stride())
        LockedMemory.free(levels, SpeakerLayout.maximumChannels)
        LockedMemory.free(folded, SpeakerLayout.maximumChannels * Block.stride())
        matrices.deallocate()
        LockedMemory.free(sums, Block.frames())
        LockedMemory.free(wait)
    }

    @_noLocks
    private func gain(_ place: Int) -> GainBlock { GainBlock(scratch: gains + place * Block.stride()) }

    /// What a line's samples are multiplied by on their way from its source, all at one.
    @_noLocks
    func line() -> GainBlock { gain(0) }
    /// The fader, mute gate and balance of a strip, or of the master.
    @_noLocks
    func sides() -> SideGains { SideGains(gain(1), gain(2), gain(17)) }
    /// A line's gain on one of its edges.
    @_noLocks
    func edge() -> GainBlock { gain(3) }
    /// The gains of a send, or of ports.
    @_noLocks
    func edgeSides() -> SideGains { SideGains(gain(4), gain(5), gain(18)) }
    /// The same of one channel on its way into another layout.
    @_noLocks
    func part() -> GainBlock { gain(20) }
    /// What the timeline says of a line or send, and what it said of it before.
    @_noLocks
    func said() -> GainBlock { gain(6) }
    @_noLocks
    func saidBefore() -> GainBlock { gain(7) }
    /// The balance that a line or send had before.
    @_noLocks
    func sidesBefore() -> SideGains { SideGains(gain(8), gain(9), gain(19)) }
    /// What the timeline says of a send, on its way to what it says now.
    @_noLocks
    func sendSaid() -> GainBlock { gain(21) }
    /// Of what a line played before.
    @_noLocks
    func sourceBefore() -> GainBlock { gain(10) }
    /// How much is heard of what comes in, and was before.
    @_noLocks
    func input() -> GainBlock { gain(11) }
    @_noLocks
    func inputBefore() -> GainBlock { gain(12) }
    /// For the whole block: what all clips are multiplied by, and inputs that give way to them.
    @_noLocks
    func clips() -> GainBlock { gain(13) }
    @_noLocks
    func standstill() -> GainBlock { gain(14) }
    /// For the whole block: what opens and what closes.
    @_noLocks
    func opening() -> GainBlock { gain(15) }
    @_noLocks
    func closing() -> GainBlock { gain(16) }
}
