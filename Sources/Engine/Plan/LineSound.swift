import Realtime
import Timeline

/// What a line plays and what the timeline says of it: all that an edit or a locate changes at once.
struct LineSound {
    /// nil: the line has no clips.
    let stream: UnsafeMutablePointer<StreamCursor>?
    /// When what comes in by its ports is heard.
    let input: Track.InputUse
    /// For so many frames that is held back.
    let inputWait: Int
    /// Envelopes that multiply: automation first, then mutes, fades, ducks.
    let envelopes: UnsafePointer<Envelope>
    let envelopeCount: Int
    /// Where the envelopes were last found at rest. The audio thread's own once it has the plan.
    var rest = Rest()
    /// nil: nothing of it.
    let controls: UnsafeMutablePointer<LineControls>?
    /// By whose playhead it is played and read, and at which moment of that player's course.
    let player: UInt8
    let moment: Int

    /// What the timeline says of its processors.
    @_noLocks
    func lanes() -> UnsafePointer<LineLanes>? {
        guard let controls else { return nil }
        return controls.pointee.lanes
    }

    /// What the timeline says of its balance.
    @_noLocks
    func pan() -> UnsafePointer<Envelope>? {
        guard let controls else { return nil }
        return controls.pointee.pan
    }
}
