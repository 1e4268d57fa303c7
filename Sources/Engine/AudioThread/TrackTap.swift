import CRealtime
import Realtime

/// A real-time closure over the blocks of one track: it sees every frame that is played once, in order, and
/// may change it.
///
/// It is called on the audio thread, so it must not allocate, lock, wait, count references or call the
/// system; it is called only while the transport rolls or fades out, and also for blocks in which the track
/// is silent: on a track without clips it makes its own sound. The number of frames changes from call to
/// call.
public final class TrackTap: @unchecked Sendable {
    // Safe to share: what is in `cell` is written here and never changed.

    /// Which signal it sees.
    public enum Place: Sendable {
        /// The clips at the volume of the timeline: before fader, mute, solo and pan.
        case preFader
        /// As it goes into the mix: after all of them, before the master.
        case postFader
    }

    /// Left and right samples of `count` frames: of a track with more channels the first two, of one with one
    /// channel that on both, of which what is made of the left is taken. A C function: it captures nothing,
    /// what it needs is behind `state`.
    public typealias Body =
        @convention(c) (
            _ state: UnsafeMutableRawPointer?, _ left: UnsafeMutablePointer<Float>,
            _ right: UnsafeMutablePointer<Float>, _ count: Int
        ) -> Void

    let cell: UnsafeMutablePointer<TapCell>
    private let owner: AnyObject?

    /// - Parameters:
    ///   - state: what `body` gets with each call.
    ///   - owner: kept for as long as `body` may be called; it can hold the memory of `state` and free it
    ///     when it goes.
    public init(
        _ place: Place, state: UnsafeMutableRawPointer? = nil, owner: AnyObject? = nil, body: @escaping Body
    ) {
        cell = LockedMemory.holding(TapCell(body: body, state: state, isPreFader: place == .preFader))
        self.owner = owner
    }

    /// A tap that keeps its state itself, which goes when it goes: `body` finds it behind its first argument.
    /// - Parameters:
    ///   - initial: what the state is to begin with: a value that is copied bit by bit, as a number or a
    ///     struct of numbers.
    public convenience init<State: BitwiseCopyable>(
        _ place: Place, keeping initial: State, body: @escaping Body
    ) {
        let kept = TapState(initial)
        self.init(place, state: kept.memory, owner: kept, body: body)
    }

    /// Calls `body` with the state that a tap made by `init(_:keeping:body:)` keeps.
    ///
    /// The audio thread may be at it meanwhile: of a number that is written there and read here either the
    /// old or the new value is seen, of several perhaps the new of one and the old of another.
    /// - Returns: what `body` returns; nil for a tap that keeps no state of that type.
    public func withState<State: BitwiseCopyable, Result>(
        of type: State.Type, _ body: (UnsafeMutablePointer<State>) throws -> Result
    ) rethrows -> Result? {
        guard let kept = owner as? TapState<State> else { return nil }
        return try body(kept.memory)
    }

    deinit { LockedMemory.free(cell) }
}

/// The state of a tap, for as long as it may be called.
private final class TapState<State: BitwiseCopyable> {
    let memory: UnsafeMutablePointer<State>

    init(_ initial: State) {
        memory = LockedMemory.holding(initial)
    }

    deinit { LockedMemory.free(memory) }
}

/// A tap as the audio thread has it.
package struct TapCell {
    let body: TrackTap.Body
    let state: UnsafeMutableRawPointer?
    let isPreFader: Bool

    /// - Parameter other: a place for the right side of what has one channel: the tap hears it on both, and
    ///   what it makes of the left is taken.
    @_noLocks
    func call(_ block: Channels, _ other: UnsafeMutablePointer<Float>, _ count: Int) {
        if block.count > 1 { return rt_call_tap(body, state, block.channel(0), block.channel(1), count) }
        UnsafeMutableRawPointer(other).copyMemory(
            from: block.channel(0), byteCount: count * MemoryLayout<Float>.stride)
        rt_call_tap(body, state, block.channel(0), other, count)
    }
}

extension LiveStrip {
    /// Shows the block to the tap, if there is one at this place.
    @_noLocks
    mutating func tap(preFader: Bool) -> UnsafeMutablePointer<TapCell>? {
        guard let tap, tap.pointee.isPreFader == preFader else { return nil }
        return tap
    }
}
