import Realtime
import Timeline

/// Frames of the timeline over which a line's gain is one number.
struct Rest {
    var start: Int64 = 0
    var end: Int64 = 0
    var gain: Float = 1

    /// None.
    @_noLocks
    init() {}

    /// Around `frame`; none if an envelope moves there.
    @_noLocks
    init(of sound: LineSound, at frame: Int64) {
        (start, end) = (.min, .max)
        for i in 0..<sound.envelopeCount {
            let envelope = sound.envelopes[i]
            let index = envelope.index(at: frame)
            guard case .hold = envelope.segments[index].shape else {
                self = Rest()
                return
            }
            start = max(start, envelope.segments[index].start)
            end = min(end, envelope.end(of: index))
            gain *= Float(envelope.segments[index].base)
        }
    }

    @_noLocks
    func covers(_ frame: Int64, _ count: Int) -> Bool { frame >= start && frame + Int64(count) <= end }
}
