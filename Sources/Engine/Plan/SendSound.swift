import Timeline

/// What the timeline says of a send.
struct SendSound {
    let envelopes: UnsafePointer<Envelope>
    let envelopeCount: Int
    /// What closes it beside, with other sends of its line; nil: nothing.
    let closings: UnsafePointer<Envelope>?
    let closingCount: Int
    let pan: UnsafePointer<Envelope>?
    /// nil: the one between the two layouts.
    let matrix: Matrix?
    /// At which moment of its line's player it is read.
    let moment: Int

    /// Multiplies by what the timeline says of its level.
    @_noLocks
    func multiply(_ gain: inout GainBlock, at playhead: Playhead, of count: Int) {
        gain.multiply(by: envelopes, envelopeCount, at: playhead, of: count)
        if let closings { gain.multiply(by: closings, closingCount, at: playhead, of: count) }
    }
}
