/// The plans that the audio thread has been sent and may still look at, in the order in which it plays them.
/// Control thread.
struct SentPlans {
    private var plans: [RenderPlan]
    private var retired = 0
    /// How many have been sent behind the first.
    var sent: Int { retired + plans.count - 1 }

    /// Each is crossed over to in 5 ms: more would be heard one after another long after they were asked for.
    /// What is asked for beyond it waits, and only the last of it is sent.
    private static let maximumWaiting = 4
    /// So many frames late the mix may be for that: a locate takes as much longer then. One at a time waits.
    private static let longestLateness = 240
    /// What plans that are yet to be played may take: an audio thread that takes nothing must not make memory
    /// grow. One is let through whatever it takes.
    private static let maximumBytes = 32 << 20

    init(_ first: RenderPlan) { plans = [first] }

    /// The plan that was sent last: the audio thread plays it, or will.
    var newest: RenderPlan { plans[plans.count - 1] }

    /// The audio thread plays the newest and looks at no other.
    var haveArrived: Bool { plans.count == 1 }

    /// One of them is heard at a standstill too.
    var hasInputs: Bool { plans.contains { $0.data.pointee.hasInputs } }

    func hasRoom(for bytes: Int) -> Bool {
        let waiting = plans.dropFirst()
        if waiting.contains(where: { $0.goesElsewhereLate(Self.longestLateness) }) { return false }
        return waiting.isEmpty
            || waiting.count < Self.maximumWaiting
                && waiting.reduce(bytes) { $0 + $1.draft.ownBytes } <= Self.maximumBytes
    }

    mutating func append(_ plan: RenderPlan) { plans.append(plan) }

    /// Frees those that are not heard any more: so many since the start.
    mutating func free(retired count: Int) {
        plans.removeFirst(count - retired)
        retired = count
    }

    /// How far along its newest route a player is, or would be if what is on its way to the audio thread were
    /// there already.
    func index(of player: Int, _ progress: RouteProgress) -> Int64 {
        var last: Int64 = 0
        forEachWaiting(player, progress) { _, index in last = index }
        return last
    }

    /// The streams of plans that wait for their frame let go of what would have been played of them by now,
    /// so that they are read on.
    func moveAlong(_ mixer: Mixer) {
        for player in newest.draft.courses.indices {
            var isPresent = true
            forEachWaiting(player, mixer.progress(of: player)) { plan, index in
                if !isPresent { plan.draft.move(to: index, of: player) }
                isPresent = false
            }
        }
    }

    /// The plan that a player plays and those behind it, each with how far along its route it is or would be.
    private func forEachWaiting(
        _ player: Int, _ progress: RouteProgress, _ body: (RenderPlan, Int64) -> Void
    ) {
        guard let present = present(player, progress) else { return }
        var index = progress.index
        body(plans[present], index)
        for (before, plan) in zip(plans[present...], plans[(present + 1)...]) {
            let course = plan.draft.courses[player]
            if course.route.number != before.draft.courses[player].route.number {
                index = course.entry.index(after: index)
            }
            body(plan, index)
        }
    }

    /// Whether a player goes along route `number` or a later one.
    func hasReached(_ number: Int, _ player: Int, _ progress: RouteProgress) -> Bool {
        present(player, progress).map { plans[$0].draft.courses[player].route.number >= number } ?? true
    }

    private func present(_ player: Int, _ progress: RouteProgress) -> Int? {
        plans.firstIndex { $0.data.pointee.courses[player].routeNumber == progress.routeNumber }
    }
}
