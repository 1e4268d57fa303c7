import Foundation
import Loudness
import Realtime
import TestSupport
import Testing

/// The limiter against its formula, frame by frame, whatever the blocks are.
@Suite struct LimiterTests {
    /// What `TruePeakLimiter` says it does, in slow code.
    private func formula(_ sides: [[Float]], level: Double, rate: Int) -> [Double] {
        let (ceiling, reach) = (pow(10, level / 20), Int((0.0015 * Double(rate)).rounded()))
        let back = 1 - exp(-1 / (0.1 * Double(rate)))
        func sample(_ side: [Float], _ n: Int) -> Double { side.indices.contains(n) ? Double(side[n]) : 0 }
        func between(_ n: Int) -> Double {
            (1...3).map { quarter in
                sides.map { side in
                    abs((n - 5...n + 6).reduce(0.0) { sum, m in
                        let x = Double(quarter) / 4 - Double(m - n)
                        return sum + sample(side, m) * sin(.pi * x) / (.pi * x) * (0.5 + 0.5 * cos(.pi * x / 6))
                    })
                }.max()!
            }.max()!
        }
        func required(_ n: Int) -> Double {
            let peak = max(sides.map { abs(sample($0, n)) }.max()!, between(n - 1), between(n))
            return min(1, ceiling / peak)
        }
        let r = Dictionary(uniqueKeysWithValues: (-2 * reach...sides[0].count + 2 * reach).map { ($0, required($0)) })
        var (held, last): ([Int: Double], Double) = ([:], 1)
        for n in -reach..<sides[0].count {
            last = min((n...n + reach).map { r[$0]! }.min()!, last + (1 - last) * back)
            held[n] = last
        }
        return sides[0].indices.map { n in (n - reach...n).map { held[$0] ?? 1 }.reduce(0, +) / Double(reach + 1) }
    }

    @Test(arguments: [8000, 48000] as [Int32]) func itIsWhatItsFormulaSays(rate: Int32) throws {
        for seed in UInt64(1)...12 {
            var random = Seeded(state: seed)
            let count = Int.random(in: 1...3000, using: &random)
            // Loud and soft by turns, with steps, so that it has something to do.
            var level: Float = 1
            let channels = [1, 2, 6][Int(seed) % 3]
            let sides = (0..<channels).map { _ in
                (0..<count).map { n -> Float in
                    if Int.random(in: 0..<300, using: &random) == 0 { level = Float.random(in: 0...2, using: &random) }
                    return level * sin(Float(n) * 0.4) * Float.random(in: 0.5...1, using: &random)
                }
            }
            let gains = formula(sides, level: -1, rate: Int(rate))
            let limiter = TruePeakLimiter(level: -1, channels: channels, sampleRate: rate)
            var output = [[Float]](repeating: [], count: channels)
            func take(_ block: Channels, _ count: Int) {
                for channel in 0..<channels { output[channel] += UnsafeBufferPointer(start: block.channel(channel), count: count) }
            }
            var done = 0
            while done < count {
                let block = min(count - done, [1, 7, 64, Int.random(in: 1...1000, using: &random)].randomElement(using: &random)!)
                let memory = ChannelMemory(channels, frames: block)
                for (channel, side) in sides.enumerated() { memory.channels.channel(channel).update(from: Array(side[done..<done + block]), count: block) }
                limiter.add(memory.channels, count: block, take)
                done += block
            }
            limiter.finish(take)
            try #require(output.allSatisfy { $0.count == count }, "seed \(seed)")
            for side in 0..<channels {
                for n in 0..<count where abs(Double(output[side][n]) - Double(sides[side][n]) * gains[n]) > 2e-7 {
                    Issue.record("seed \(seed), side \(side), frame \(n): \(output[side][n]) where \(Double(sides[side][n]) * gains[n]) belongs")
                    return
                }
            }
            #expect(output.joined().allSatisfy { Double(abs($0)) <= pow(10, -1 / 20) + 1e-7 }, "seed \(seed)")
        }
    }

    /// What is nowhere near the ceiling comes back bit for bit, also behind something that was limited.
    @Test func whatIsSoftIsLeftAsItIs() {
        let limiter = TruePeakLimiter(level: -1, channels: 2, sampleRate: 48000)
        var output: [Float] = []
        var soft = (0..<300_000).map { $0 < 100 ? Float(2) : Float($0 % 1000) / 4000 }
        let count = soft.count
        func take(_ block: Channels, _ count: Int) { output += UnsafeBufferPointer(start: block.channel(0), count: count) }
        soft.withUnsafeMutableBufferPointer { limiter.add(Channels($0.baseAddress!, $0.baseAddress!), count: count, take) }
        limiter.finish(take)
        #expect(output.count == soft.count && output[250_000...] == soft[250_000...])
    }
}
