/// What holds back what comes in for a line, and what leaves it, before its gains and behind them; nil:
/// nothing there.
struct LineWaits {
    let input: UnsafeMutablePointer<SideRings>?
    let pre: UnsafeMutablePointer<SideRings>?
    let post: UnsafeMutablePointer<SideRings>?
    /// Of the plan before, where that has others.
    let inputBefore: UnsafeMutablePointer<SideRings>?
    let preBefore: UnsafeMutablePointer<SideRings>?
    let postBefore: UnsafeMutablePointer<SideRings>?

    /// - Parameter isPast: for an edge that only the plan before has.
    @_noLocks
    func ring(isPre: Bool, isPast: Bool) -> UnsafeMutablePointer<SideRings>? {
        if isPast, let before = isPre ? preBefore : postBefore { return before }
        return isPre ? pre : post
    }
}
