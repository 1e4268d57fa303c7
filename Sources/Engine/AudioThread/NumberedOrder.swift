import Realtime

/// An order with what tells it from others.
package struct NumberedOrder {
    let order: MixerOrder
    /// In the order in which they were given. What is asked for at once overrules what was asked before it,
    /// for later, of the same gain.
    package let number: Int64
    /// When it is to take effect, on the mixer's clock; nil for at once.
    package let at: Int64?

    @_noLocks
    package init(_ order: MixerOrder, number: Int64, at: Int64?) {
        (self.order, self.number, self.at) = (order, number, at)
    }

    @_noLocks
    func isPlan() -> Bool { if case .plan = order { true } else { false } }

    /// A stop for now, which waits for nothing: what was asked before it is made while it fades, or when it
    /// stands.
    @_noLocks
    func isStopNow() -> Bool { if case .stop = order { at == nil } else { false } }

    /// Whether it is for a strip, and not for what is played and whether.
    @_noLocks
    func isForStrip() -> Bool {
        switch order {
        case .glide, .filter, .dynamics, .delay, .limiter, .measure, .hush, .tap, .capture, .record, .mark,
            .followHands:
            true
        case .plan, .play, .stop: false
        }
    }
}
