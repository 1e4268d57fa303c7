/// What few lines have beside their envelopes.
struct LineControls {
    let trims: UnsafePointer<Envelope>
    let trimCount: Int
    /// Envelopes of the gains of left and right, in place of what the hand says; nil: none.
    let pan: UnsafePointer<Envelope>?
    /// What the timeline says of its processors, and these; nil: nothing.
    let lanes: UnsafePointer<LineLanes>?
    let bank: UnsafeMutablePointer<ProcessorBank>?
    /// A bit for each DCA of the plan that multiplies its fader.
    let dcas: UInt64
}
