import Realtime

/// Places for one block of stereo samples each, side by side.
struct StereoBlocks {
    let memory: UnsafeMutablePointer<Float>

    /// Longer periods are mixed in pieces of this many frames; the samples do not depend on it.
    @_noLocks
    static func frames() -> Int { 512 }

    /// How far apart blocks lie that are used together, in floats. Not a multiple of 4 KiB: such blocks share the few places that the processor's first cache has for one address modulo
    /// that, and push each other out of it.
    @_noLocks
    static func stride() -> Int { frames() + 80 }

    @_noLocks
    init(_ memory: UnsafeMutablePointer<Float>) { self.memory = memory }

    /// The `number`th.
    @_noLocks
    func block(_ number: Int) -> StereoPointers {
        let left = memory + 2 * number * Self.stride()
        return StereoPointers(left, left + Self.stride())
    }
}

/// The places that a line's samples take on their way. None is needed once the line has been mixed, so the lines of a graph,
/// which are mixed one after another, have the same.
struct LineBlocks {
    private let blocks: StereoBlocks
    /// How many there are.
    static let count = 4

    @_noLocks
    init(_ blocks: StereoBlocks) { self.blocks = blocks }

    /// What it plays, where that lies in no ring or buffer in one piece.
    @_noLocks
    func source() -> StereoPointers { blocks.block(0) }
    /// What it played before, while that is crossed over from.
    @_noLocks
    func before() -> StereoPointers { blocks.block(1) }
    /// What a tap before the fader is shown.
    @_noLocks
    func pre() -> StereoPointers { blocks.block(2) }
    /// The strip's sound behind all gains.
    @_noLocks
    func post() -> StereoPointers { blocks.block(3) }
}

/// Owns blocks for sums and lines. Plans share them, for one graph is mixed at a time. Control thread.
final class BlockMemory {
    let count: Int
    let blocks: StereoBlocks

    init(_ count: Int) {
        self.count = count
        blocks = StereoBlocks(LockedMemory.allocate(Float.self, 2 * count * StereoBlocks.stride()))
    }

    deinit { LockedMemory.free(blocks.memory, 2 * count * StereoBlocks.stride()) }
}
