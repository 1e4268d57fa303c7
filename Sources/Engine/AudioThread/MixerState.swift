import Glibc
import Realtime
import Speakers

/// Everything that the audio thread may touch. It alone does; what others read of it is in `MixerShared`.
struct MixerState: ~Copyable {
    let inbox: Queue<NumberedOrder>
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
    /// The buffers of single strips, while a call lasts, and how much of them is mixed.
    var outs: DirectOuts?
    var ins: DirectIns?
    var buffersDone = 0
    /// There is time to wait for whoever takes what is mixed: in freewheel and offline.
    var isPatient = false

    /// Frames processed since the start, whatever the transport does: the clock of live changes.
    var clock: Int64 = 0
    let players: Players
    /// What is crossed over from: while something plays, or live inputs are heard.
    var crossfade: Crossfade?
    /// What holds for the present block.
    var present: BlockState

    /// What ports of single strips are multiplied by: 0 while all is to be silent.
    var hush = Glide(value: 1)

    /// What is told to those whose hands write: they write along the first player's way.
    var trail: HandTrail
    /// What lines remember where a recording begins is told there; nil: to nobody.
    let memoryLog: MemoryLog?
    /// How many lines have been noted since a recording began; nil: none are.
    var notedLines: Int?

    /// How many plans are not heard any more.
    var retiredPlans = 0
    var plan: UnsafeMutablePointer<PlanData>

    /// Frames played since the disk threads were last woken, after how many they are, and how many streams
    /// have given back their room since: of what is played, and of what was played before.
    var framesSinceWakeUp = 0
    let wakeUpFrames: Int
    var released = 0
    var releasedBefore = 0
}

/// Reads along with the disk threads until every stream of the plan whose player rolls has its next `count`
/// frames, or has failed. For those who wait for the disk.
func waitUntilRead(_ context: UnsafeMutableRawPointer?, _ count: Int64) {
    let wait = context!.assumingMemoryBound(to: DiskWait.self)
    guard let graph = wait.pointee.plan?.pointee.graph else { return }
    for i in 0..<graph.pointee.count {
        let sound = graph.pointee.lines[i].sound
        let player = wait.pointee.players[sound.player]
        guard let stream = sound.stream, !player.pointee.isStanding() else { continue }
        let end = (wait.pointee.isBefore ? player.pointee.indexBefore : player.pointee.index) + count
        while !stream.pointee.isReady(upTo: end) { wait.pointee.pool.takeUnretainedValue().help() }
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
