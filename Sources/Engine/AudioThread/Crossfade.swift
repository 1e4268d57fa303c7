/// The plan that was played before, while it is crossed over from: it plays on, ever softer.
struct Crossfade {
    let plan: UnsafeMutablePointer<PlanData>
    /// How far along its route it is.
    var index: Int64
    /// Playing has been sent elsewhere: what remembers begins anew.
    let isElsewhere: Bool
    /// How many frames of the crossfade are done; below zero, so many before it begins.
    var done: Int
    /// Playing began at a standstill meanwhile: what inputs are heard in goes on crossing over, all else was
    /// silent and begins as it is.
    var isOfInputs = false

    /// - Parameter warmUp: so many frames before it begins.
    @_noLocks
    init(from plan: UnsafeMutablePointer<PlanData>, at index: Int64, isElsewhere: Bool, warmUp: Int) {
        (self.plan, self.index, self.isElsewhere, done) = (plan, index, isElsewhere, -warmUp)
    }
}
