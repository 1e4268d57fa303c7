import CRealtime
import Realtime
import Synchronization

/// The one render path: JACK live, JACK freewheel and offline rendering all mix through here.
///
/// The audio thread calls `render`; the control thread sends orders through a queue, and is told how many
/// plans have retired.
public final class Mixer: @unchecked Sendable {
    // Safe to share: the audio thread touches `state` alone; all else is atomics and queues.
    let state: UnsafeMutablePointer<MixerState>
    private let shared: UnsafeMutablePointer<MixerShared>
    /// What each player tells other threads.
    private let told: UnsafeMutablePointer<PlayerShared>
    /// How many playheads there are.
    let playerCount: Int
    private let inbox: Queue<NumberedOrder>
    private let marks: Queue<HandMark>
    /// What strips remember where a recording begins; nil of one that records nothing.
    let memoryLog: MemoryLog?
    private let scratch: MixerScratch
    /// Frames per second of all that it mixes.
    public let sampleRate: Int32
    /// 5 ms.
    let fadeFrames: Int

    /// Fader moves between two periods, of all tracks together.
    static let inboxCapacity = 16384

    /// - Parameters:
    ///   - plan: has as many courses as the mixer has players.
    ///   - isLive: it is heard while it is mixed.
    init(sampleRate: Int32, plan: RenderPlan, pool: DiskPool, wakeUpFrames: Int, isLive: Bool) {
        self.sampleRate = sampleRate
        fadeFrames = MixerState.fadeFrames(sampleRate)
        inbox = Queue(capacity: Self.inboxCapacity, isLocked: isLive)
        marks = Queue(capacity: 4096, isLocked: isLive)
        shared = LockedMemory.holding(MixerShared())
        playerCount = plan.draft.courses.count
        told = LockedMemory.allocate(PlayerShared.self, playerCount)
        for (player, course) in plan.draft.courses.enumerated() {
            (told + player).initialize(to: PlayerShared(at: course.route.start))
        }
        let states = Players(plan.data, told)
        scratch = MixerScratch(pool, states)
        memoryLog = isLive ? MemoryLog() : nil
        state = LockedMemory.allocate(MixerState.self)
        state.initialize(
            to: MixerState(
                inbox: inbox, shared: shared, scratch: scratch,
                fadeFrames: fadeFrames, diskWakeUp: pool.wakeUp, isLive: isLive,
                players: states,
                present: BlockState(Channels(scratch.shares, scratch.shares), plan.data, scratch),
                trail: HandTrail(marks), memoryLog: memoryLog, plan: plan.data,
                wakeUpFrames: wakeUpFrames))
    }

    deinit {
        state.pointee.stripAgenda.deallocate()
        state.pointee.playAgenda.deallocate()
        state.pointee.players.deallocate()
        state.deinitialize(count: 1)
        LockedMemory.free(state)
        shared.deinitialize(count: 1)
        LockedMemory.free(shared)
        told.deinitialize(count: playerCount)
        LockedMemory.free(told, playerCount)
        scratch.deallocate()
        inbox.destroy()
        marks.destroy()
        memoryLog?.destroy()
    }

    /// What the audio thread holds: it may outlive nothing, so the mixer must outlive it.
    public var audioSide: AudioSide { AudioSide(state: state) }

    /// Strips that are read so far behind the playhead remember what they did where a recording began, and
    /// nothing else. Between two calls of `render`, on its thread.
    func recall(_ recall: MixerRecall, lag: Int64) {
        audioSide.takeOrders()
        state.pointee.recall(recall, lag: lag)
    }

    // MARK: - Control thread

    /// - Returns: false if the audio thread has not taken what was sent before and the queue is full.
    func send(_ order: NumberedOrder) -> Bool { inbox.put(order) }

    /// What `body` sends is taken at one frame.
    func sendTogether<Result>(_ body: () -> Result) -> Result { inbox.putTogether(body) }

    /// What the audio thread has told of hands that write since the last call.
    func takeMarks() -> [HandMark] {
        var taken: [HandMark] = []
        while let mark = marks.peek() {
            taken.append(mark)
            marks.drop()
        }
        return taken
    }

    /// How many orders have been sent so far, and how many of them the audio thread has read.
    var ordersSent: Int { inbox.sent }
    var ordersTaken: Int { inbox.taken }
    /// The frame of the clock up to which all is done that was asked of strips and has been read.
    var stripsDone: Int64 { shared.pointee.stripsDone.load(ordering: .acquiring) }

    /// Whether the fade of `MixerOrder.hush` has arrived at silence.
    var isHushed: Bool { shared.pointee.isHushed.load(ordering: .acquiring) }

    /// What a player does. Any thread.
    func transport(of player: Int) -> TransportState {
        TransportState(rawValue: told[player].transport.load(ordering: .relaxed)) ?? .stopped
    }
    /// The frame of the timeline that it plays next, and how far along its route that is.
    func frame(of player: Int) -> Int64 { told[player].frame.load(ordering: .relaxed) }
    func progress(of player: Int) -> RouteProgress {
        RouteProgress(bits: told[player].progress.load(ordering: .acquiring))
    }
    /// How many plans have been sent that are not heard any more.
    var retiredPlans: Int { shared.pointee.retiredPlans.load(ordering: .acquiring) }
    var clock: Int64 { shared.pointee.clock.load(ordering: .acquiring) }
    var dropouts: Int { shared.pointee.dropouts.load(ordering: .relaxed) }
}
