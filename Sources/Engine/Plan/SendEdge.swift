/// An edge from a line into a bus beside its output.
struct SendEdge {
    let strip: UnsafeMutablePointer<LiveStrip>
    let sum: Int
    let gate: EdgeGate
    let isPre: Bool
    /// For so many frames it is held back.
    let wait: Int
    let sound: SendSound
    /// What the timeline said of it in the plan before, while that is crossed over from; nil: the same.
    let before: UnsafeMutablePointer<SendSound>?
}
