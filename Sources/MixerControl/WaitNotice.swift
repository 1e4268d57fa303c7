import Realtime

/// When it is said what is waited for: at once, and then each minute with how long by now.
package struct WaitNotice {
    private let begun = monotonicNanoseconds()
    private var saidAt: UInt64?

    private static let minute: UInt64 = 60_000_000_000

    /// - Parameter isSaid: it has been said already that it is waited.
    package init(isSaid: Bool = false) { if isSaid { saidAt = begun } }

    /// How many minutes it has been by now, if that is to be said; 0 the first time.
    package mutating func due() -> Int? {
        let now = monotonicNanoseconds()
        if let saidAt, now - saidAt < Self.minute { return nil }
        saidAt = now
        return Int((now - begun) / Self.minute)
    }
}
