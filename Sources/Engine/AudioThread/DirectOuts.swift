import CVector
import Realtime
import Speakers
import Synchronization

/// Where single strips go beside the mix, or in its place, for one call of `render`.
public struct DirectOuts {
    let outs: UnsafeMutablePointer<DirectOut>
    let count: Int

    /// Which signal of a strip goes there.
    public enum Tap: String, CaseIterable, Sendable {
        /// As it leaves by pre sends: behind the trim, before automation, fades, ducks, fader, mute, solo and
        /// pan.
        case pre
        /// As it goes on: after all of them.
        case post
    }

    /// `count` outs at `outs`, which stay the caller's.
    @_noLocks
    public init(_ outs: UnsafeMutablePointer<DirectOut>, count: Int) {
        self.outs = outs
        self.count = count
    }
}
