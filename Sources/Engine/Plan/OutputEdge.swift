/// An edge from a line to the sum that it goes to.
struct OutputEdge {
    /// 0 is the master's.
    let sum: Int
    let gate: EdgeGate
    /// For so many frames it is held back.
    let wait: Int
}
