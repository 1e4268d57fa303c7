import CVector
import Realtime
import Speakers

/// How uncompressed samples lie in a file, and how they become floats: the very floats that libsndfile makes
/// of them. What is no number is silence.
enum PCMEncoding {
    case int16
    case int24
    case int32
    case float32

    var bytes: Int {
        switch self {
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        }
    }

    /// Takes channels out of `count` frames of `channels` interleaved ones. Reads up to 8 bytes beyond the
    /// last frame.
    ///
    /// In one pass from the file's bytes to where the mixer reads: through libsndfile a sample of 24 bits is
    /// written and read twice more, which is two thirds of what decoding costs.
    func convert(
        _ source: UnsafeRawPointer, swapped: Bool, channels: Int, taking choice: ChannelChoice, count: Int,
        _ target: Channels
    ) {
        let step = bytes * channels
        // The most common kind goes eight frames at a time, or four; by the frame it takes four times as long
        // and more.
        let isStereo24 = self == .int24 && !swapped && channels == 2 && choice.isStereo
        let done = isStereo24 ? pcm24_stereo(source, target.channel(0), target.channel(1), count) : 0
        if done == count { return }
        let rest = source + done * step
        for (number, channel) in choice.sources.enumerated() {
            let place = target.channel(number) + done
            if let channel {
                spread(rest + channel * bytes, step, swapped, count - done, place)
            } else {
                place.update(repeating: 0, count: count - done)
            }
        }
    }

    private func spread(
        _ source: UnsafeRawPointer, _ step: Int, _ swapped: Bool, _ count: Int,
        _ target: UnsafeMutablePointer<Float>
    ) {
        switch self {
        case .int16:
            for i in 0..<count {
                let word = source.loadUnaligned(fromByteOffset: i * step, as: UInt16.self)
                target[i] = Float(Int16(bitPattern: swapped ? word.byteSwapped : word)) * 0x1p-15
            }
        case .int24:
            for i in 0..<count {
                let word = source.loadUnaligned(fromByteOffset: i * step, as: UInt32.self)
                // The sample in the upper 24 bits.
                let sample = swapped ? word.byteSwapped & 0xffff_ff00 : word << 8
                target[i] = Float(Int32(bitPattern: sample)) * 0x1p-31
            }
        case .int32:
            for i in 0..<count {
                let word = source.loadUnaligned(fromByteOffset: i * step, as: UInt32.self)
                target[i] = Float(Int32(bitPattern: swapped ? word.byteSwapped : word)) * 0x1p-31
            }
        case .float32:
            for i in 0..<count {
                let word = source.loadUnaligned(fromByteOffset: i * step, as: UInt32.self)
                target[i] = Float(bitPattern: swapped ? word.byteSwapped : word).orSilence
            }
        }
    }
}
