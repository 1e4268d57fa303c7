import Realtime

/// How loud a strip is that others go by, frame by frame: the greatest of its channels behind its processors,
/// before its automation and its fader. Those that go by it are mixed behind it. Audio thread only;
/// wait-free.
struct KeyLevels {
    /// Of what is played, and of what was played before, while that is crossed over from.
    let present: UnsafeMutablePointer<Float>
    let past: UnsafeMutablePointer<Float>

    init() {
        present = LockedMemory.allocate(Float.self, Block.frames())
        past = LockedMemory.allocate(Float.self, Block.frames())
        clear(Block.frames())
    }

    func deallocate() {
        LockedMemory.free(present, Block.frames())
        LockedMemory.free(past, Block.frames())
    }

    @_noLocks
    func levels(isBefore: Bool) -> UnsafeMutablePointer<Float> { isBefore ? past : present }

    /// Nothing is heard, unless it is said behind this.
    @_noLocks
    func clear(_ count: Int) {
        fill(present, 0, count)
        fill(past, 0, count)
    }

    @_noLocks
    func store(_ block: Channels, isBefore: Bool, _ count: Int) {
        let levels = levels(isBefore: isBefore)
        for i in 0..<count { levels[i] = block.level(at: i) }
    }
}
