/// A number that the timeline sets from its first event on; before that the hand does.
struct LaneValue {
    let base: Double
    let envelope: UnsafePointer<Envelope>?

    /// - Parameter hand: where that has put it.
    @_noLocks
    func value(at frame: Int64, hand: Double) -> Double {
        guard let envelope else { return hand }
        let index = envelope.pointee.nextIndex(at: frame)
        return index == 0 ? hand : envelope.pointee.segments[index].value(at: frame)
    }

    @_noLocks
    func value(at frame: Int64) -> Double { value(at: frame, hand: base) }

    /// Whether its first event has come by then.
    @_noLocks
    func speaks(at frame: Int64) -> Bool {
        guard let envelope else { return false }
        return envelope.pointee.nextIndex(at: frame) > 0
    }

    /// Whether it stays as it is for `count` frames from `frame` on.
    @_noLocks
    func rests(at frame: Int64, _ count: Int) -> Bool {
        guard let envelope else { return true }
        let index = envelope.pointee.nextIndex(at: frame)
        if index == 0 { return frame &+ Int64(count) <= envelope.pointee.end(of: 0) }
        guard case .hold = envelope.pointee.segments[index].shape else { return false }
        return envelope.pointee.end(of: index) == .max
            || frame + Int64(count) <= envelope.pointee.end(of: index)
    }
}
