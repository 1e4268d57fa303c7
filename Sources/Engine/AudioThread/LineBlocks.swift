import Realtime

/// The places that a line's samples take on their way. None is needed once the line has been mixed, so the
/// lines of a graph, which are mixed one after another, have the same. What a line was has others than what
/// it is, where both are mixed apart.
struct LineBlocks {
    private let memory: UnsafeMutablePointer<Float>
    /// From one place to the next: room for the widest line.
    private let step: Int
    /// How many channels the line has.
    let channels: Int
    /// How many places there are.
    static let count = 10

    /// - Parameter widest: how many channels the widest line has.
    init(_ memory: UnsafeMutablePointer<Float>, channels: Int, widest: Int) {
        (self.memory, self.channels, step) = (memory, channels, widest * Block.stride())
    }

    @_noLocks
    private init(_ memory: UnsafeMutablePointer<Float>, step: Int, channels: Int) {
        (self.memory, self.step, self.channels) = (memory, step, channels)
    }

    /// The places of what the line was.
    @_noLocks
    func ofPast() -> LineBlocks { LineBlocks(memory + 5 * step, step: step, channels: channels) }

    @_noLocks
    private func place(_ number: Int) -> Channels {
        Channels(memory + number * step, stride: Block.stride(), count: channels)
    }

    /// What it plays, where that lies in no ring or buffer in one piece.
    @_noLocks
    func source() -> Channels { place(0) }
    /// What it played before, while that is crossed over from.
    @_noLocks
    func before() -> Channels { place(1) }
    /// What a tap before the fader is shown.
    @_noLocks
    func pre() -> Channels { place(2) }
    /// The strip's sound behind all gains.
    @_noLocks
    func post() -> Channels { place(3) }
    /// The same as it was earlier, for where that is held back.
    @_noLocks
    func late() -> Channels { place(4) }
}
