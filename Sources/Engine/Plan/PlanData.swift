import Realtime
import Timeline

/// What the audio thread plays by: the session in frames, flat and immutable. It is handed over whole and
/// comes back to be freed.
package struct PlanData {
    /// What is mixed.
    let graph: UnsafeMutablePointer<Graph>
    /// The same with all that only the plan before this one has, while that is crossed over from.
    let union: UnsafeMutablePointer<Graph>
    /// Where each player plays it.
    let courses: UnsafeMutablePointer<Course>
    let courseCount: Int
    /// Something of it is heard at a standstill too.
    let hasInputs: Bool
    let dcas: UnsafeMutablePointer<DCALine>
    let dcaCount: Int
    /// Before it is crossed over to: so many frames it takes until all that is held back from now on is
    /// there.
    let warmUp: Int
    /// How far behind the playhead the mix is when it leaves the master.
    let lateness: Int
}

/// A fader that others hang on.
struct DCALine {
    let strip: UnsafeMutablePointer<LiveStrip>
    let envelopes: UnsafePointer<Envelope>
    let envelopeCount: Int
}
