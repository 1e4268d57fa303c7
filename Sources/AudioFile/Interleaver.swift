import CVector
import Realtime

/// Lays the channels of frames in turn, as files have them. For one thread at a time.
public struct Interleaver {
    private var memory: [Float] = []
    /// The highest absolute sample of all that it has laid.
    public private(set) var peak: Float = 0

    public init() {}

    /// - Returns: `count` frames of as many channels as `block` has, and what was left there behind them.
    public mutating func lay(_ block: Channels, _ count: Int) -> [Float] {
        if memory.count < block.count * count { memory = [Float](repeating: 0, count: block.count * count) }
        if block.count == 2 {
            interleave(block.channel(0), block.channel(1), &memory, count, &peak)
            return memory
        }
        for channel in 0..<block.count {
            let samples = block.channel(channel)
            for i in 0..<count {
                memory[i * block.count + channel] = samples[i]
                peak = max(peak, abs(samples[i]))
            }
        }
        return memory
    }
}
