/// The plans that the audio thread has been sent and may still look at, in the order in which it plays them. Control thread.
struct SentPlans {
    private var plans: [RenderPlan]
    private var retired = 0

    /// Enough between two callbacks for any script; what is asked for beyond it waits, and only the last of it is sent.
    private static let maximumCount = 256
    /// What the streams of plans that are yet to be played may take: an audio thread that takes nothing must not make memory grow. One plan is let through
    /// whatever it takes.
    private static let maximumBytes = 32 << 20

    init(_ first: RenderPlan) { plans = [first] }

    /// The plan that was sent last: the audio thread plays it, or will.
    var newest: RenderPlan { plans[plans.count - 1] }

    /// The audio thread plays the newest and looks at no other.
    var isSettled: Bool { plans.count == 1 }

    func hasRoom(for bytes: Int) -> Bool {
        let waiting = plans.dropFirst()
        return waiting.isEmpty || waiting.count < Self.maximumCount && waiting.reduce(bytes) { $0 + $1.draft.ownBytes } <= Self.maximumBytes
    }

    mutating func append(_ plan: RenderPlan) { plans.append(plan) }

    /// Frees those that are not heard any more: so many since the start.
    mutating func free(retired count: Int) {
        plans.removeFirst(count - retired)
        retired = count
    }

    /// How far along the newest route playing is, or would be if what is on its way to the audio thread were there already.
    func index(_ progress: RouteProgress) -> Int64 {
        guard let present = plans.lastIndex(where: { progress.isOn($0.route) }) else { return 0 }
        var index = progress.index
        for (before, plan) in zip(plans[present...], plans[(present + 1)...]) where plan.route.number != before.route.number {
            index = plan.draft.entry.index(after: index)
        }
        return index
    }
}
