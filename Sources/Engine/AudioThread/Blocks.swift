import Realtime

/// A block: what is mixed at once.
enum Block {
    /// Longer periods are mixed in pieces of this many frames; the samples do not depend on it.
    @_noLocks
    static func frames() -> Int { 512 }

    /// As many channels as a strip has at the most: `SpeakerLayout.maximumChannels`.
    @_noLocks
    static func channels() -> Int { 12 }

    /// How far apart channels lie that are used together, in floats. Not a multiple of 4 KiB: such blocks
    /// share the few places that the processor's first cache has for one address modulo that, and push each
    /// other out of it.
    @_noLocks
    static func stride() -> Int { frames() + 80 }
}

/// Owns channels of a block for sums and lines. Plans share them, for one graph is mixed at a time. Control
/// thread.
final class BlockMemory {
    /// How many channels.
    let count: Int
    private let memory: UnsafeMutablePointer<Float>

    init(_ count: Int) {
        self.count = count
        memory = LockedMemory.allocate(Float.self, count * Block.stride())
    }

    deinit { LockedMemory.free(memory, count * Block.stride()) }

    /// Where the `number`th begins.
    func place(_ number: Int) -> UnsafeMutablePointer<Float> { memory + number * Block.stride() }
}
