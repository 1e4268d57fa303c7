import CVector
import Realtime
import Speakers
import Synchronization

/// The buffers that one strip hears.
public struct DirectIn {
    let strip: UnsafeMutablePointer<LiveStrip>
    /// Where there is not one for each channel, it is silence.
    public var buffers: PortBuffers
    /// For each channel of the strip the one of `buffers` that is heard there; -1: none.
    private var sources = InlineArray<12, Int8>(repeating: -1)
    /// A place for what comes in without what is no number.
    private let own: Channels

    /// Without buffers, which each call brings anew. Who keeps this must keep `strip` too.
    /// - Parameter channels: nil for as many as the strip has; one is heard on both sides.
    public init(_ strip: StripHandle, channels: Int? = nil) {
        (self.strip, own, buffers) = (
            strip.strip, strip.inputBlock, PortBuffers(count: channels ?? strip.channels)
        )
        let layout = SpeakerLayout(rawValue: strip.channels) ?? .stereo
        let choice = try? ChannelChoice(nil, of: buffers.count, on: layout)
        // One that goes, and had fewer than who takes its place, hears the first of those.
        for (channel, source) in (choice?.sources ?? Array(0..<strip.channels)).enumerated() {
            sources[channel] = Int8(source ?? -1)
        }
    }

    /// The buffer that is heard on a channel of the strip.
    @_noLocks
    private func heard(_ channel: Int) -> UnsafeMutablePointer<Float>? {
        sources[channel] < 0 ? nil : buffers[Int(sources[channel])]
    }

    /// What comes in, where it lies as the strip's channels do: one or two of them.
    @_noLocks
    func asItLies() -> Channels? {
        guard let left = heard(0) else { return nil }
        if own.count == 1 { return Channels(left, stride: 0, count: 1) }
        guard own.count == 2, let right = heard(1) else { return nil }
        return Channels(left, right)
    }

    /// Copies what comes in from frame `done` on, with silence in place of what is no number.
    /// - Returns: how many samples were none.
    @_noLocks
    func copy(from done: Int, _ count: Int) -> (Channels, silenced: Int) {
        var silenced = 0
        for channel in 0..<own.count {
            guard let source = heard(channel) else {
                fill(own.channel(channel), 0, count)
                continue
            }
            let others = silence_others(source + done, own.channel(channel), count)
            // What is mono is heard on both sides, and counts once.
            if channel == 0 || source != heard(channel - 1) { silenced += others }
        }
        return (own, silenced)
    }
}
