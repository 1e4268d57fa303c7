import Engine
import Foundation
import Realtime
import TestSupport
import Testing

/// The limiter against its formula, frame by frame, whatever the blocks are.
@Suite struct LimiterTests {
    /// I0 by its integral, for windows.
    private static func bessel(_ z: Double) -> Double {
        let steps: [Double] = (0..<2000).map { cos(.pi * (Double($0) + 0.5) / 2000) }
        return steps.reduce(0.0) { $0 + exp(z * $1) } / 2000
    }

    /// For the quarters 1 to 3 behind a frame, of the frames from 1 - side to side.
    private static func taps(_ side: Int, _ shape: Double) -> [[Double]] {
        (1...3).map { quarter in
            (1 - side...side).map { frame in
                let t = Double(quarter) / 4 - Double(frame)
                return sin(.pi * t) / (.pi * t) * bessel(shape * sqrt(1 - pow(t / Double(side), 2)))
                    / bessel(shape)
            }
        }
    }

    private static let long = taps(48, 3)
    private static let short = taps(16, 9)

    /// The four phases of the filter in Annex 2 of BS.1770-5, the tap of the newest frame first.
    private static let printed: [[Double]] = {
        let first = [
            0.0017089843750, 0.0109863281250, -0.0196533203125, 0.0332031250000, -0.0594482421875,
            0.1373291015625, 0.9721679687500, -0.1022949218750, 0.0476074218750, -0.0266113281250,
            0.0148925781250, -0.0083007812500,
        ]
        let second = [
            -0.0291748046875, 0.0292968750000, -0.0517578125000, 0.0891113281250, -0.1665039062500,
            0.4650878906250, 0.7797851562500, -0.2003173828125, 0.1015625000000, -0.0582275390625,
            0.0330810546875, -0.0189208984375,
        ]
        return [first, second, second.reversed(), first.reversed()]
    }()

    /// What `LimiterLine` says it does, in slow code: the gains of a frame, and what it multiplies.
    private func formula(_ sides: [[Float]], level: Double, rate: Int) -> [[Double]] {
        let (ceiling, reach, count) = (
            pow(10, (level - 0.12) / 20), Int((0.0015 * Double(rate)).rounded()), sides[0].count
        )
        let back = 1 - exp(-1 / (0.1 * Double(rate)))
        func sample(_ side: [Double], _ n: Int) -> Double { side.indices.contains(n) ? side[n] : 0 }
        func quarter(_ side: [Double], _ taps: [[Double]], _ point: Int) -> Double {
            let (n, part) = (Int(floor(Double(point) / 4)), ((point % 4) + 4) % 4)
            if part == 0 { return sample(side, n) }
            let reach = taps[0].count / 2
            return (1 - reach...reach).reduce(0.0) {
                $0 + taps[part - 1][$1 + reach - 1] * sample(side, n + $1)
            }
        }
        func peak(_ side: [Double], _ n: Int, eighths: Bool) -> Double {
            var highest = (4 * n - 3...4 * n + 3).map { abs(quarter(side, Self.short, $0)) }.max()!
            if !eighths { return highest }
            for n in n - 1...n {
                for row in Self.printed {
                    let value = (0..<12).reduce(0.0) { $0 + row[$1] * sample(side, n + 6 - $1) }
                    highest = max(highest, abs(value))
                }
            }
            for point in 4 * n - 3...4 * n + 3 {
                highest = max(highest, abs(quarter(side, Self.long, point)))
            }
            for point in 4 * n - 4..<4 * n + 4 {
                let about = (point - 2...point + 3).map { quarter(side, Self.long, $0) }
                highest = max(
                    highest,
                    abs(150 * (about[2] + about[3]) - 25 * (about[1] + about[4]) + 3 * (about[0] + about[5]))
                        / 256)
            }
            return highest
        }
        /// The least of what is asked for over the frames ahead, let go slowly, and its mean over those
        /// before.
        func held(_ asked: [Int: Double], _ reach: Int) -> [Int: Double] {
            let (first, last) = (asked.keys.min()!, asked.keys.max()!)
            var (level, least) = (1.0, [Int: Double]())
            for n in first...last {
                level += (1 - level) * back
                level = min(level > 1 - 1e-9 ? 1 : level, (n...n + reach).map { asked[$0] ?? 1 }.min()!)
                least[n] = floor(level * 1_073_741_824) / 1_073_741_824
            }
            return Dictionary(
                uniqueKeysWithValues: (first...last).map { n in
                    (n, (n - reach...n).map { least[$0] ?? 1 }.reduce(0, +) / Double(reach + 1))
                })
        }
        let whole = sides.map { $0.map(Double.init) }
        let around = -200...count + 200
        func top(_ side: [Double], _ n: Int) -> Double {
            (-23...23).reduce(0.0) {
                $0 + (0.5 + 0.5 * cos(.pi * Double($1) / 24)) / 24 * ($1 % 2 == 0 ? 1 : -1)
                    * sample(side, n + $1)
            }
        }
        var (asked, loudest) = ([Int: Double](), 0.0)
        for n in around {
            loudest = max(whole.map { abs(top($0, n)) }.max()!, loudest * 199 / 200)
            let (over, margin) = (
                whole.map { peak($0, n, eighths: false) }.max()! + 3 * loudest - ceiling, 3 * loudest
            )
            asked[n] = over > 0 ? 1 - min(1, 2 * over / max(margin, 1e-9)) : 1
        }
        let share = held(asked, 8)
        let rest = whole.map { side in side.indices.map { side[$0] - (1 - share[$0]!) * top(side, $0) } }
        var wanted: [Int: Double] = [:]
        for n in around {
            let peak = rest.map { peak($0, n, eighths: true) }.max()!
            wanted[n] = peak > ceiling ? ceiling / peak : 1
        }
        let gain = held(wanted, reach)
        return rest.map { side in side.indices.map { side[$0] * gain[$0]! } }
    }

    /// What the memory that a limiter is made in held before: large numbers.
    init() {
        for count in [48, 96, 288, 700, 3000] {
            let used = (0..<50).map { _ in LockedMemory.allocate(Float.self, count) }
            for memory in used { memory.initialize(repeating: 1000, count: count) }
            // One is kept: what nobody has any of goes back to the system.
            for memory in used.dropLast() { LockedMemory.free(memory, count) }
        }
    }

    @Test(arguments: [8000, 48000] as [Int32]) func theLimiterIsAsItsFormulaSays(rate: Int32) throws {
        for seed in UInt64(1)...6 {
            var random = Seeded(state: seed)
            let count = Int.random(in: 1...600, using: &random)
            // Loud and soft by turns, with steps, so that it has something to do.
            var level: Float = 1
            let channels = [1, 2, 6][Int(seed) % 3]
            let sides = (0..<channels).map { _ in
                (0..<count).map { n -> Float in
                    if Int.random(in: 0..<300, using: &random) == 0 {
                        level = Float.random(in: 0...2, using: &random)
                    }
                    return level * sin(Float(n) * 0.4) * Float.random(in: 0.5...1, using: &random)
                }
            }
            let wanted = formula(sides, level: -1, rate: Int(rate))
            let limiter = MixLimiter(level: -1, channels: channels, sampleRate: rate)
            var output = [[Float]](repeating: [], count: channels)
            func take(_ block: Channels, _ count: Int) {
                for channel in 0..<channels {
                    output[channel] += UnsafeBufferPointer(start: block.channel(channel), count: count)
                }
            }
            var done = 0
            while done < count {
                let block = min(
                    count - done,
                    [1, 7, 64, Int.random(in: 1...1000, using: &random)].randomElement(using: &random)!)
                let memory = ChannelMemory(channels, frames: block)
                for (channel, side) in sides.enumerated() {
                    memory.channels.channel(channel).update(
                        from: Array(side[done..<done + block]), count: block)
                }
                limiter.add(memory.channels, count: block, take)
                done += block
            }
            limiter.finish(take)
            try #require(output.allSatisfy { $0.count == count }, "seed \(seed)")
            for side in 0..<channels {
                for n in 0..<count where abs(Double(output[side][n]) - wanted[side][n]) > 1e-6 {
                    Issue.record(
                        """
                        seed \(seed), side \(side), frame \(n): \(output[side][n]) where \(wanted[side][n]) \
                        belongs
                        """
                    )
                    return
                }
            }
            #expect(output.joined().allSatisfy { Double(abs($0)) <= pow(10, -1 / 20) + 1e-7 }, "seed \(seed)")
        }
    }

    /// What is nowhere near the ceiling comes back bit for bit, also behind something that was limited.
    @Test func aSoundBelowTheCeilingIsLeftAsItIs() {
        let limiter = MixLimiter(level: -1, channels: 2, sampleRate: 48000)
        var output: [Float] = []
        var soft = (0..<300_000).map { $0 < 100 ? Float(2) : Float($0 % 1000) / 4000 }
        let count = soft.count
        func take(_ block: Channels, _ count: Int) {
            output += UnsafeBufferPointer(start: block.channel(0), count: count)
        }
        soft.withUnsafeMutableBufferPointer {
            limiter.add(Channels($0.baseAddress!, $0.baseAddress!), count: count, take)
        }
        limiter.finish(take)
        #expect(output.count == soft.count && output[250_000...] == soft[250_000...])
    }
}
