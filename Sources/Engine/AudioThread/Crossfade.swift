/// The plan that was played before, while it is crossed over from: it plays on, ever softer.
struct Crossfade {
    let plan: UnsafeMutablePointer<PlanData>
    /// How many frames of the crossfade are done; below zero, so many before it begins.
    var done: Int

    /// - Parameter warmUp: so many frames before it begins.
    @_noLocks
    init(from plan: UnsafeMutablePointer<PlanData>, warmUp: Int) { (self.plan, done) = (plan, -warmUp) }
}
