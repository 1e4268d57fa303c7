import CRealtime
import Realtime
import Synchronization

/// The mixer as the audio thread has it: a pointer and nothing to count or lock.
public struct AudioSide: @unchecked Sendable {
    // Safe to share: made on the control thread, used on the audio thread alone.
    private let state: UnsafeMutablePointer<MixerState>

    init(state: UnsafeMutablePointer<MixerState>) { self.state = state }

    /// Mixes the next `count` frames into `left` and `right`. Audio thread only. Wait-free, unless it is told
    /// to wait.
    /// - Parameters:
    ///   - waits: wait for the disk instead of dropping out: in freewheel and offline, never live.
    ///   - outs: single strips go there too.
    ///   - ins: what comes in for single strips.
    @_noLocks
    public func render(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int, waits: Bool,
        outs: DirectOuts? = nil, ins: DirectIns? = nil
    ) {
        rt_sanitizer_enter()
        state.pointee.render(left, right, count, waits: waits, outs: outs, ins: ins)
        rt_sanitizer_exit()
    }

    /// Does what is due, and mixes nothing. Whoever calls `render`; wait-free.
    @_noLocks
    func takeOrders() { state.pointee.takeOrdersAlone() }

    /// Follows a transport that another leads, in place of the orders to play and stop; before `render`.
    /// Audio thread only; wait-free.
    /// - Parameter frame: where that transport stands, in frames of the timeline, when the next `count`
    ///   frames begin.
    @_noLocks
    public func follow(rolls: Bool, frame: Int64, count: Int) {
        state.pointee.follow(rolls: rolls, frame: frame, count: count)
    }

    /// Whether it stands still at `frame` of the timeline, ready to begin. Audio thread only; wait-free.
    @_noLocks
    public func stands(at frame: Int64) -> Bool { state.pointee.stands(at: frame) }

    /// The frame of the mixer's clock that `render` mixes next. Audio thread only; wait-free.
    @_noLocks
    public func clock() -> Int64 { state.pointee.clock }
}
