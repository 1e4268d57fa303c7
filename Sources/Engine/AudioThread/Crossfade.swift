/// The plan that was played before, while it is crossed over from: it plays on, ever softer.
struct Crossfade {
    let plan: UnsafeMutablePointer<PlanData>
    /// How many frames of the crossfade are done; below zero, so many before it begins.
    var done: Int
    /// Playing goes elsewhere, and something remembers what others have mixed for it, or holds it back: both
    /// plans are mixed apart, and crossed over where their sound leaves.
    let isApart: Bool

    /// - Parameter warmUp: so many frames before it begins.
    @_noLocks
    init(from plan: UnsafeMutablePointer<PlanData>, warmUp: Int, isApart: Bool) {
        (self.plan, done, self.isApart) = (plan, -warmUp, isApart)
    }
}
