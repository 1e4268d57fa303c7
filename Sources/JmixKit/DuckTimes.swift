import Timeline

/// How fast a duck by signal closes and opens again.
public struct DuckTimes: Sendable {
    /// How long it takes to close.
    public var attack = Duck.signalAttack
    /// How long it stays closed behind what it heard.
    public var hold = MediaTime(value: 300, timescale: 1000)
    /// How long it takes to open.
    public var release = Duck.defaultTime
    /// By so much earlier it hears the other: 0 to 1 s.
    public var lookahead = MediaTime.zero

    /// 300 ms of hold and no look-ahead, and the attack and the release of every duck by signal.
    public init() {}

    func check() throws(CompositionError) {
        for time in [attack, hold, release, lookahead] where !time.isOnTimeline {
            throw .refused("\(time) is not a time of a duck")
        }
        guard lookahead <= Duck.longestLookahead else {
            throw .refused("\(lookahead) is too long a look-ahead: it goes from 0 to 1 s")
        }
    }
}
