import CVector
import Realtime
import Speakers

/// How uncompressed frames lie in a file: their channels one after another.
struct PCMFrames {
    let encoding: PCMEncoding
    /// The bytes of a sample are in the other order than the processor's.
    let swapped: Bool
    let channels: Int

    /// How many bytes a frame takes.
    var bytes: Int { encoding.bytes * channels }

    /// Takes channels out of `count` frames. Reads up to 8 bytes beyond the last frame.
    ///
    /// In one pass from the file's bytes to where the mixer reads: through libsndfile a sample of 24 bits is
    /// written and read twice more, which is two thirds of what decoding costs.
    /// - Parameter use: when they are read on.
    func convert(
        _ source: UnsafeRawPointer, taking choice: ChannelChoice, count: Int, into target: Channels,
        for use: ReadUse
    ) {
        // The most common kind goes eight frames at a time, or four; by the frame it takes four times as long
        // and more.
        let isStereo24 = encoding == .int24 && !swapped && channels == 2 && choice.isStereo
        let done =
            isStereo24
            ? pcm24_stereo(source, target.channel(0), target.channel(1), count, use == .later) : 0
        if done == count { return }
        let rest = source + done * bytes
        for (number, channel) in choice.sources.enumerated() {
            let place = target.channel(number) + done
            if let channel {
                encoding.spread(rest + channel * encoding.bytes, bytes, swapped, count - done, place)
            } else {
                place.update(repeating: 0, count: count - done)
            }
        }
    }
}
