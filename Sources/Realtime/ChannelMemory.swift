/// Owns memory for a block of several channels. For who is not on the audio thread.
public final class ChannelMemory: @unchecked Sendable {
    // Safe to share: handed from thread to thread by who owns it; this has no state of its own.
    public let channels: Channels
    /// How many frames there is room for.
    public let frames: Int

    /// The channels do not lie whole pages apart: such ones share few places of the processor's cache.
    public init(_ count: Int, frames: Int) {
        self.frames = frames
        let stride = frames + 80
        channels = Channels(.allocate(capacity: max(1, count * stride)), stride: stride, count: count)
    }

    deinit { channels.channel(0).deallocate() }
}
