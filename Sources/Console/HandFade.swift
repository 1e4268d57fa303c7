import Engine
import Timeline

/// A fade in steps, of a control whose sides the engine would fade each by itself.
struct HandFade: Sendable {
    let from: Double
    let to: Double
    let beganAt: UInt64
    let duration: UInt64
    let curve: Curve

    /// Where it is, and whether it has arrived.
    func value(at now: UInt64) -> (value: Double, isDone: Bool) {
        if now >= beganAt + duration { return (to, true) }
        var path = HandPath(value: from)
        path.move(to: to, over: Int64(duration), curve: curve, at: 0)
        return (path.value(at: Int64(now - beganAt)), false)
    }
}
