import Realtime
import Synchronization

/// Everything that the audio thread may touch. It alone does; what others read of it is in `MixerShared`.
struct MixerState: ~Copyable {
    let inbox: MessageQueue
    /// Plans on their way back to be freed: `object` is a `PlanData`.
    let retired: MessageQueue
    let shared: UnsafeMutablePointer<MixerShared>
    let master: UnsafeMutablePointer<Strip>
    let scratch: MixerScratch
    /// 5 ms: what live changes, stops, locates and short data fade over.
    let fadeFrames: Int
    let diskWakeUp: WakeUp

    var agenda: Agenda
    /// The buffers of single tracks, while a call lasts, and how much of them is mixed.
    var outs: DirectOuts?
    var outsDone = 0

    /// Frames processed since the start, whatever the transport does: the clock of live changes.
    var clock: Int64 = 0
    var transport = TransportState.stopped
    /// 1 while rolling; down to 0 at a stop, and up again when play resumes where a stop had faded out.
    var transportGain = Glide(value: 0)
    var resumesFromFade = false

    var plan: UnsafeMutablePointer<PlanData>
    /// How many frames of the plan's order have been played.
    var index: Int64 = 0

    /// The plan before, while the crossing to the present one lasts.
    var outgoing: UnsafeMutablePointer<PlanData>?
    var outgoingIndex: Int64 = 0
    var crossed = 0

    /// Frames played since the disk threads were last woken, after how many they are, and how many streams have given back their room since.
    var framesSinceWakeUp = 0
    let wakeUpFrames: Int
    var released = 0
}

/// What is waited for, where the mixer waits for the disk.
struct DiskWait {
    var plan: UnsafeMutablePointer<PlanData>?
    let pool: Unmanaged<DiskPool>
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

/// What the transport is doing.
public enum TransportState: Int32, Sendable {
    /// Stands still.
    case stopped
    /// Plays.
    case rolling
    /// Fading out; stopped within 5 ms.
    case stopping

    /// As a number that other threads may read.
    @_noLocks
    func code() -> Int32 {
        switch self {
        case .stopped: 0
        case .rolling: 1
        case .stopping: 2
        }
    }
}

/// What other threads read of the audio thread: written there, one word at a time.
struct MixerShared: ~Copyable {
    let transport = Atomic<Int32>(0)
    /// The frame of the timeline that is played next.
    let frame = Atomic<Int64>(0)
    let index = Atomic<Int64>(0)
    /// The number of the order that `index` counts in; written after it.
    let orderNumber = Atomic<Int>(0)
    let clock = Atomic<Int64>(0)
    let dropouts = Atomic<Int>(0)
    /// Orders whose frame has not come.
    let waiting = Atomic<Int>(0)
}

/// Memory for one block, all that mixing needs beside the rings and the bus.
struct MixerScratch {
    /// Longer periods are mixed in pieces of this many frames; the samples do not depend on it.
    let blockFrames = 1024

    let new: StereoPointers
    let old: StereoPointers
    /// A crossing before any gain, for tracks that are also sent out so; a track on its way past a tap.
    let raw: StereoPointers
    /// The share of the old in each frame of a crossing.
    let shares: UnsafeMutablePointer<Float>
    let gains: UnsafeMutablePointer<Float>
    let wait: UnsafeMutablePointer<DiskWait>

    init(_ pool: DiskPool) {
        wait = LockedMemory.allocate(DiskWait.self)
        wait.initialize(to: DiskWait(pool: .passUnretained(pool)))
        let size = blockFrames
        let memory = LockedMemory.allocate(Float.self, Self.blocks * size)
        new = StereoPointers(memory, memory + size)
        old = StereoPointers(memory + 2 * size, memory + 3 * size)
        raw = StereoPointers(memory + 4 * size, memory + 5 * size)
        shares = memory + 6 * size
        gains = memory + 7 * size
    }

    private static let blocks = 10

    func deallocate() {
        LockedMemory.free(new.left, Self.blocks * blockFrames)
        LockedMemory.free(wait)
    }

    /// The `number`th of three places for a block's gains.
    @_noLocks
    func gain(_ number: Int) -> GainBlock { GainBlock(scratch: gains + number * blockFrames) }
}
