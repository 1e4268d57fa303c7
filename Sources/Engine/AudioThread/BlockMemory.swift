import Realtime

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
