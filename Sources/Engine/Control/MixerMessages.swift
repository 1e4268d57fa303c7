import Realtime

/// What the control thread asks of the audio thread. The only way back is the queue of plans that are not played any more.
enum MixerOrder {
    /// `object`: the `PlanData` to play by from now on. The plan before it comes back when it is not played any more.
    case plan
    case play
    case stop
    /// `object`: a `Strip`; `value`: the target; `count`: over how many frames; `option`: the curve.
    case fader
    /// The same for the gate of mute and solo, and for the two sides of the balance.
    case gate
    case left
    case right
    /// `object`: a `Strip`; `count`: the address of a `TapCell`, or 0.
    case tap

    /// As the number that crosses.
    @_noLocks
    func code() -> Int32 {
        switch self {
        case .plan: 0
        case .play: 1
        case .stop: 2
        case .fader: 3
        case .gate: 4
        case .left: 5
        case .right: 6
        case .tap: 7
        }
    }

    /// From the number that crossed.
    @_noLocks
    init?(code: Int32) {
        switch code {
        case 0: self = .plan
        case 1: self = .play
        case 2: self = .stop
        case 3: self = .fader
        case 4: self = .gate
        case 5: self = .left
        case 6: self = .right
        case 7: self = .tap
        default: return nil
        }
    }
}

extension RealtimeMessage {
    @_noLocks
    init(
        _ order: MixerOrder, object: UnsafeMutableRawPointer? = nil, count: Int64 = 0, value: Double = 0, option: Int32 = 0, at: Int64 = .min
    ) {
        self.init(code: order.code(), object: object, count: count, value: value, option: option, at: at)
    }
}
