import AudioFile
import Realtime
import Speakers
import Timeline

/// The first moment of positions that are likely to be gone to, decoded: where clips and the loop begin, and
/// where playing began before. A stream that is born at such a position begins at once, whatever the disk
/// does.
package final class PositionCache: @unchecked Sendable {
    // Safe to share: all that changes is behind `state`; a block is never changed.
    /// A position in a file, at the mixer's rate.
    package struct Key: Hashable {
        let place: SoundPlace
        let stamp: FileStamp?
        let channels: ChannelPair?
        let layout: SpeakerLayout
        let frame: Int64

        package init(
            place: SoundPlace, stamp: FileStamp?, channels: ChannelPair?, layout: SpeakerLayout, frame: Int64
        ) {
            (self.place, self.stamp, self.channels) = (place, stamp, channels)
            (self.layout, self.frame) = (layout, frame)
        }
    }

    /// Up to `blockFrames` frames from a position on.
    package final class Block: Sendable {
        /// Those of each channel.
        package let channels: [[Float]]
        package var frames: Int { channels[0].count }

        init(_ block: Channels, count: Int) {
            channels = (0..<block.count).map {
                Array(UnsafeBufferPointer(start: block.channel($0), count: count))
            }
        }
    }

    private struct State {
        var blocks: [Key: (block: Block, usedAt: Int)] = [:]
        var wanted: [Key] = []
        var clock = 0
        /// How many channels all blocks have.
        var channels = 0
    }

    private let state = Guarded(State())

    package init() {}

    /// What one reading of a disk thread brings, and more than a stream needs to begin with but at the
    /// longest periods.
    static let blockFrames = TrackStream.firstPiece
    /// 64 MiB of stereo blocks; beyond that those go that were used longest ago.
    package static let maximumBlocks = (64 << 20) / (blockFrames * 2 * MemoryLayout<Float>.stride)

    package func block(_ key: Key) -> Block? {
        state.withLock { state in
            guard let block = state.blocks[key]?.block else { return nil }
            state.clock += 1
            state.blocks[key]?.usedAt = state.clock
            return block
        }
    }

    package func keep(_ key: Key, _ samples: Channels, count: Int) {
        let block = Block(samples, count: count)
        state.withLock { state in
            // A shorter one would end before what is there.
            if let known = state.blocks[key], known.block.frames >= count { return }
            state.clock += 1
            state.channels += block.channels.count - (state.blocks[key]?.block.channels.count ?? 0)
            state.blocks[key] = (block, state.clock)
            if state.channels > 2 * Self.maximumBlocks { Self.dropOldest(&state) }
        }
    }

    /// An eighth at a time, so that it is rare.
    private static func dropOldest(_ state: inout State) {
        let ages = state.blocks.values.map(\.usedAt).sorted()
        let limit = ages[ages.count / 8]
        state.blocks = state.blocks.filter { $0.value.usedAt > limit }
        state.channels = state.blocks.values.reduce(0) { $0 + $1.block.channels.count }
    }

    /// What is to be read when the disk has nothing else to do, the most likely first, in place of what was
    /// wanted before.
    func want(_ keys: [Key]) {
        state.withLock { state in state.wanted = keys.filter { state.blocks[$0] == nil }.reversed() }
    }

    /// What is to be read before all that was wanted, unless that is too much.
    func wantSoon(_ keys: [Key]) {
        state.withLock { state in
            let missing = keys.filter { state.blocks[$0] == nil }
            if state.wanted.count + missing.count <= Self.maximumBlocks { state.wanted += missing.reversed() }
        }
    }

    /// Takes the next position to read.
    func nextWanted() -> Key? {
        state.withLock { state in
            while let key = state.wanted.popLast() {
                if state.blocks[key] == nil { return key }
            }
            return nil
        }
    }
}
