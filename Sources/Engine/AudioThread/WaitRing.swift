import Realtime

/// Holds back what passes, so that it comes with what takes longer on another way: what was given so many
/// frames before. Audio thread only; wait-free.
struct WaitRing {
    private let memory: Channels
    /// A power of two: as many as wait at the most, and a block.
    private let frames: Int
    /// Frames that it has been given since it began.
    fileprivate private(set) var given: Int64 = 0

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
    mutating func reset() { given = 0 }

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

extension WaitRing {
    /// Whether it has been given anything.
    @_noLocks
    func isUsed() -> Bool { given > 0 }

    /// As much of a wait as it has been given.
    @_noLocks
    func missing(_ wait: Int) -> Int { Int(min(Int64(wait), given)) }

    @_noLocks
    mutating func pass(
        _ source: UnsafeMutablePointer<Float>, _ wait: Int, to target: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        take(Channels(source, stride: 0, count: 1), count)
        lay(wait, into: Channels(target, stride: 0, count: 1), count)
    }
}
