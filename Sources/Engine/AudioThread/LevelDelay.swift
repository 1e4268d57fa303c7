import Realtime

/// Holds back the level of a strip for one that goes by it. Audio thread only; wait-free.
struct LevelDelay {
    /// What comes of it, for those that go by it.
    let levels: KeyLevels
    private let wait: Int
    private var present: WaitRing
    /// Of what was played before, while that is crossed over from.
    private var past: WaitRing
    private var playthrough = PlaythroughMemory()
    /// What was played before has levels of its own: it began anew at the last locate.
    private var isElsewhere = false
    /// It has come while something played: until all is there it holds back no more than it has been given.
    private var fills = false

    init(wait: Int64) {
        (self.wait, levels) = (Int(wait), KeyLevels())
        (present, past) = (WaitRing(channels: 1, longest: wait), WaitRing(channels: 1, longest: wait))
    }

    func deallocate() {
        levels.deallocate()
        present.deallocate()
        past.deallocate()
    }

    /// Begins anew where another playthrough begins; what it holds back goes on being that of what was
    /// played before.
    /// - Parameters:
    ///   - isLive: what comes in by ports is heard in it, which goes on wherever playing goes.
    ///   - isComing: another plan is crossed over to where playing is; one that is new has come with that.
    @_noLocks
    mutating func follow(_ next: Playthrough, isLive: Bool, isComing: Bool) {
        let (turn, isNew) = (playthrough.advance(to: next, hearsInputs: isLive), !present.isUsed())
        if isNew {
            fills = isComing
            return
        }
        switch turn {
        case .onward: return
        case .elsewhere(let goesOn):
            isElsewhere = !goesOn
            if goesOn { return }
            fills = false
            (present, past) = (past, present)
            present.reset()
        case .beginning:
            (isElsewhere, fills) = (true, false)
            present.reset()
            past.reset()
        }
    }

    /// Takes the levels of a block.
    /// - Parameter goes: what goes by it goes, and hears what was played before alone.
    @_noLocks
    mutating func advance(_ key: KeyLevels, goes: Bool, _ count: Int) {
        present.pass(
            goes ? key.past : key.present, fills ? present.missing(wait) : wait, to: levels.present, count)
        if isElsewhere, !goes { return past.pass(key.past, wait, to: levels.past, count) }
        Channels(levels.past, stride: 0, count: 1).copy(Channels(levels.present, stride: 0, count: 1), count)
    }
}
