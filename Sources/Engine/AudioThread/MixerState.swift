import Glibc
import Realtime
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
    /// It is heard while it is mixed: somebody reads the meters, and rings reach further than the processor's cache.
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

    /// Frames processed since the start, whatever the transport does: the clock of live changes.
    var clock: Int64 = 0
    var motion = Motion.standing(resumesWithFade: false)
    /// What is crossed over from: while something plays, or live inputs are heard.
    var crossfade: Crossfade?
    /// How much is heard of inputs that give way to clips: 1 at a standstill, 0 while it rolls.
    var standstill = Glide(value: 1)
    /// The same for the present block, and what all clips are multiplied by in it.
    var inputLevel: GainBlock
    var clipLevel: GainBlock
    /// Clips are played in the present block, and that is not 1.
    var playsClips = false
    var fadesClips = false

    /// What ports of single strips are multiplied by: 0 while all is to be silent.
    var hush = Glide(value: 1)

    /// Which frames are recorded while it rolls; nil: none.
    var punch: Punch?
    /// How often recording has begun, or gone on elsewhere.
    var pass = 0
    /// The frame of the timeline behind the last block that rolled while it was recorded; -1: none did.
    var rolledTo: Int64 = -1

    /// How many plans are not heard any more.
    var retiredPlans = 0
    var plan: UnsafeMutablePointer<PlanData>
    /// How many frames of the plan's route have been played.
    var index: Int64 = 0

    /// Frames played since the disk threads were last woken, after how many they are, and how many streams have given back their room since.
    var framesSinceWakeUp = 0
    let wakeUpFrames: Int
    var released = 0
}

/// How much of what is asked one call of `render` may do, so that no sender makes it late: the rest is done in the next, in order.
struct Allowance {
    /// Orders to carry out or to put on an agenda; a scene of a thousand tracks is 4000.
    var orders = 4096
    /// Lines and sends to mix once more because a block was split where an order is due; a few splits are made whatever they cost.
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
}

/// Reads along with the disk threads until every stream of the plan has its frames up to `index`, or has failed. For those who wait for the disk.
func waitUntilRead(_ context: UnsafeMutableRawPointer?, _ index: Int64) {
    let wait = context!.assumingMemoryBound(to: DiskWait.self)
    guard let plan = wait.pointee.plan else { return }
    for i in 0..<plan.pointee.count {
        guard let stream = plan.pointee.lines[i].stream else { continue }
        while !stream.pointee.isReady(upTo: index) { wait.pointee.pool.takeUnretainedValue().help() }
    }
}

/// Waits until what is recorded has room for `count` frames, 10 s at most. For those who wait for the disk.
func waitUntilWritten(_ context: UnsafeMutableRawPointer?, _ count: Int64) {
    guard let cursor = context!.assumingMemoryBound(to: DiskWait.self).pointee.capture else { return }
    for _ in 0..<5000 where !cursor.pointee.hasRoom(Int(count)) { usleep(2000) }
}

/// What other threads read of the audio thread: written there, one word at a time.
struct MixerShared: ~Copyable {
    let transport = Atomic<Int32>(0)
    /// The frame of the timeline that is played next.
    let frame = Atomic<Int64>(0)
    /// How far along which route it is; written after `frame`.
    let progress = Atomic<UInt64>(RouteProgress(routeNumber: 0, index: 0).bits())
    /// How many plans are not heard any more: they retire in the order in which they were sent. Written after `progress`.
    let retiredPlans = Atomic<Int>(0)
    let clock = Atomic<Int64>(0)
    let dropouts = Atomic<Int>(0)
    /// The frame of the clock up to which all is done that was asked of strips and has been read.
    let stripsDone = Atomic<Int64>(0)
}

/// A route and an index of it as one word, so that they belong together whoever reads them: 16 bits of the route's number as it was sent, 48 of the index.
struct RouteProgress {
    let routeNumber: UInt16
    let index: Int64

    @_noLocks
    init(routeNumber: UInt16, index: Int64) { (self.routeNumber, self.index) = (routeNumber, index) }

    init(bits: UInt64) { (routeNumber, index) = (UInt16(bits >> 48), Int64(bits & 0xffff_ffff_ffff)) }

    @_noLocks
    func bits() -> UInt64 { UInt64(routeNumber) << 48 | UInt64(truncatingIfNeeded: index) & 0xffff_ffff_ffff }
}

/// Memory for one block, all that mixing needs beside the rings and the bus.
struct MixerScratch {
    /// Longer periods are mixed in pieces of this many frames; the samples do not depend on it.
    @_noLocks
    static func frames() -> Int { 512 }

    /// How far apart blocks lie that are used together, in floats. Not a multiple of 4 KiB: such blocks share the few places that the processor's first cache has for one address modulo
    /// that, and push each other out of it.
    @_noLocks
    static func stride() -> Int { frames() + 80 }

    let new: StereoPointers
    let old: StereoPointers
    /// A crossfade before any gain, for strips that are also sent out so; a strip's sound on its way past a tap, or to several places.
    let raw: StereoPointers
    /// The share of the old in each frame of a crossfade.
    let shares: UnsafeMutablePointer<Float>
    let gains: UnsafeMutablePointer<Float>
    let wait: UnsafeMutablePointer<DiskWait>

    init(_ pool: DiskPool) {
        wait = LockedMemory.allocate(DiskWait.self)
        wait.initialize(to: DiskWait(pool: .passUnretained(pool)))
        let size = Self.stride()
        let memory = LockedMemory.allocate(Float.self, Self.blocks * size)
        new = StereoPointers(memory, memory + size)
        old = StereoPointers(memory + 2 * size, memory + 3 * size)
        raw = StereoPointers(memory + 4 * size, memory + 5 * size)
        shares = memory + 6 * size
        gains = memory + 7 * size
    }

    private static let blocks = 16

    func deallocate() {
        LockedMemory.free(new.left, Self.blocks * Self.stride())
        LockedMemory.free(wait)
    }

    /// The `number`th of nine places for a block's gains: 0 to 2 for a line and its sides, 3 to 5 for a send of it, 6 for what is used twice, 7 and 8 for what all clips and
    /// inputs are multiplied by.
    @_noLocks
    func gain(_ number: Int) -> GainBlock { GainBlock(scratch: gains + number * Self.stride()) }
}
