import CVector
import Realtime

/// Lays the channels of frames in turn, as files have them. For one thread at a time.
public struct Interleaver {
    private var memory: [Float] = []
    /// The highest absolute sample of all that it has laid.
    public private(set) var peak: Float = 0

    /// Nothing laid.
    public init() {}

    /// - Returns: `count` frames of all channels of `block`, and what was left there behind them.
    public mutating func lay(_ block: Channels, _ count: Int) -> [Float] {
        lay(block, Array(0..<block.count), count)
    }

    /// The same of some channels, in their order.
    public mutating func lay(_ block: Channels, _ places: [Int], _ count: Int) -> [Float] {
        let width = places.count
        if memory.count < width * count { memory = [Float](repeating: 0, count: width * count) }
        if width == 2 {
            interleave(block.channel(places[0]), block.channel(places[1]), &memory, count, &peak)
            return memory
        }
        for (channel, place) in places.enumerated() {
            let samples = block.channel(place)
            for i in 0..<count {
                memory[i * width + channel] = samples[i]
                peak = max(peak, abs(samples[i]))
            }
        }
        return memory
    }
}
