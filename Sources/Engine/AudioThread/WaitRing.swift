import Realtime

/// Holds back what passes, so that it comes with what takes longer on another way: what was given so many
/// frames before. Audio thread only; wait-free.
struct WaitRing {
    private let memory: Channels
    /// A power of two: as many as wait at the most, and a block.
    private let frames: Int
    /// Frames that it has been given since it began.
    fileprivate private(set) var given: Int64 = 0
    private var way = WayMemory()

    /// - Parameter longest: so many frames are held back at the most.
    init(channels: Int, longest: Int64) {
        frames = Self.frames(longest)
        memory = Channels(
            LockedMemory.allocate(Float.self, channels * frames), stride: frames, count: channels)
    }

    /// How long a ring has to be.
    static func frames(_ longest: Int64) -> Int {
        var frames = Block.frames()
        while Int64(frames) < longest + Int64(Block.frames()) { frames *= 2 }
        return frames
    }

    func deallocate() { LockedMemory.free(memory.channel(0), memory.count * frames) }

    /// Silence comes of it for as long as it holds back.
    @_noLocks
    mutating func begin() { given = 0 }

    /// The same, where it was given something of another way of playing than what comes now, and nothing was
    /// heard between them.
    @_noLocks
    mutating func begin(_ next: Way, hearsInputs: Bool) {
        if case .beginning = way.turn(to: next, hearsInputs: hearsInputs) { begin() }
    }

    /// Is given a block.
    @_noLocks
    mutating func take(_ block: Channels, _ count: Int) {
        let start = Int(given) & (frames - 1)
        let first = min(count, frames - start)
        memory.from(start).copy(block, first)
        memory.copy(block.from(first), count - first)
        given += Int64(count)
    }

    /// What was given so many frames before the block that it was given last.
    @_noLocks
    func lay(_ wait: Int, into block: Channels, _ count: Int) {
        let first = given - Int64(count) - Int64(wait)
        let silent = Int(min(Int64(count), max(0, -first)))
        block.clear(from: 0, to: silent)
        let (start, rest) = (Int(first + Int64(silent)) & (frames - 1), block.from(silent))
        let piece = min(count - silent, frames - start)
        rest.copy(memory.from(start), piece)
        rest.from(piece).copy(memory, count - silent - piece)
    }
}

/// Holds back the level of a strip for one that goes by it. Audio thread only; wait-free.
struct LevelDelay {
    /// What comes of it, for those that go by it.
    let levels: KeyLevels
    private let wait: Int
    private var present: WaitRing
    /// Of what was played before, while that is crossed over from.
    private var past: WaitRing
    private var way = WayMemory()
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

    /// Begins anew where another way of playing begins; what it holds back goes on being that of what was
    /// played before.
    /// - Parameters:
    ///   - isLive: what comes in by ports is heard in it, which goes on wherever playing goes.
    ///   - isComing: another plan is crossed over to where playing is; one that is new has come with that.
    @_noLocks
    mutating func begin(_ next: Way, isLive: Bool, isComing: Bool) {
        let (turn, isNew) = (way.turn(to: next, hearsInputs: isLive), !present.isUsed())
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
            present.begin()
        case .beginning:
            (isElsewhere, fills) = (true, false)
            present.begin()
            past.begin()
        }
    }

    /// Takes the levels of a block.
    @_noLocks
    mutating func advance(_ key: KeyLevels, _ count: Int) {
        present.pass(key.present, fills ? present.missing(wait) : wait, to: levels.present, count)
        if isElsewhere { return past.pass(key.past, wait, to: levels.past, count) }
        Channels(levels.past, stride: 0, count: 1).copy(Channels(levels.present, stride: 0, count: 1), count)
    }
}

extension WaitRing {
    /// Whether it has been given anything.
    @_noLocks
    fileprivate func isUsed() -> Bool { given > 0 }

    /// As much of a wait as it has been given.
    @_noLocks
    fileprivate func missing(_ wait: Int) -> Int { Int(min(Int64(wait), given)) }

    @_noLocks
    fileprivate mutating func pass(
        _ source: UnsafeMutablePointer<Float>, _ wait: Int, to target: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        take(Channels(source, stride: 0, count: 1), count)
        lay(wait, into: Channels(target, stride: 0, count: 1), count)
    }
}
