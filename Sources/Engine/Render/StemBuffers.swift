import AudioFile
import Files
import Glibc
import Realtime
import Speakers
import Timeline

/// Buffers that strips play into beside the mix. For one thread at a time.
final class StemBuffers {
    private let handles: [StripHandle]
    private let outs: UnsafeMutablePointer<DirectOut>
    private let memory: [ChannelMemory]
    private let strips: [StripID]
    private var waits: [StemWait?] = []

    /// For strips that the engine has, in this order, and blocks of at most `block` frames.
    /// - Parameter layout: the channels that each of them is given by.
    init(_ strips: [StripID], of engine: PlaybackEngine, _ layout: SpeakerLayout, block: Int) {
        self.strips = strips.filter { engine.stripHandle($0) != nil }
        handles = strips.compactMap(engine.stripHandle)
        outs = .allocate(capacity: max(1, handles.count))
        memory = handles.map { _ in ChannelMemory(layout.channels, frames: block) }
        for (index, handle) in handles.enumerated() {
            var out = DirectOut(handle, .post, channels: layout.channels)
            for channel in 0..<layout.channels {
                out.buffers[channel] = memory[index].channels.channel(channel)
            }
            (outs + index).initialize(to: out)
        }
    }

    deinit { outs.deallocate() }

    /// From now on each is held back until the latest of all has come.
    /// - Parameter latest: how far behind the playhead that is.
    func wait(until latest: Int64, _ arrangement: Arrangement) {
        waits = zip(strips, memory).map {
            StemWait(latest - arrangement.lag(of: $0), channels: $1.channels.count)
        }
    }

    /// Holds back what has just been mixed.
    func pass(_ count: Int) {
        for (wait, memory) in zip(waits, memory) { wait?.pass(memory.channels, count) }
    }

    var direct: DirectOuts { DirectOuts(outs, count: handles.count) }

    /// What the strip of that place in the list plays.
    subscript(_ index: Int) -> Channels { memory[index].channels }
}
