import Glibc
import Realtime

/// Keeps the true peaks of a mix at or under a ceiling, with look-ahead: nothing is cut, the gain makes way. For one thread at a time.
///
/// With H = 1.5 ms of frames and L the ceiling, for every frame n:
///
///     p(n)  the highest absolute sample of all channels at n, and of the points at quarters of a frame between n - 1 and n + 1
///     r(n) = min(1, L / p(n))
///     m(n) = min(r(n), ..., r(n + H), m(n - 1) + (1 - m(n - 1)) (1 - exp(-1 / (0.1 s x rate))))
///     g(n) = the mean of m(n - H), ..., m(n)
///
/// and the frame is multiplied by g(n), rounded to a float. Each m in that mean has looked at r(n), so g(n) <= r(n). The points between frames are what BS.1770-4
/// oversamples four times for: a sinc of twelve frames under a Hann window.
public final class TruePeakLimiter {
    /// Linear.
    private let ceiling: Double
    private let reach: Int
    private let release: Double
    /// For the quarters 1 to 3 of the way between two frames, what each of the frames around is multiplied by.
    private let taps: [[Double]]
    private static let side = 6

    // What has come and is not given back yet, behind silence: whatever is looked at around a frame is there, and the first frames have a window before them.
    private var samples: [[Float]]
    private var end: Int { samples[0].count }
    /// The index of the next frame that is given back; of the next whose peak is looked for; and of the first that somebody gave.
    private var next = TruePeakLimiter.side
    private var peaked = TruePeakLimiter.side
    private var first: Int
    /// The peak of the points behind the frame before.
    private var between = 0.0
    /// r where it may yet be the least of a window, in order of frames, counted from the first `next`; the least of the present window is at `least[leastStart]`.
    private var least: [(frame: Int, value: Double)] = []
    private var leastStart = 0
    private var looked = 0
    private var given = 0
    /// m of the last frames, their sum, and how many of them are 1.
    private var held: [Double]
    private var heldSum: Double
    private var fullCount: Int

    /// - Parameters:
    ///   - level: the ceiling in dBTP, -40 to 0.
    ///   - channels: how many the mix has.
    ///   - sampleRate: frames per second.
    public init(level: Double, channels: Int, sampleRate: Int32) {
        ceiling = pow(10, level / 20)
        reach = Int((0.0015 * Double(sampleRate)).rounded())
        release = 1 - exp(-1 / (0.1 * Double(sampleRate)))
        taps = (1...3).map { quarter in
            (1 - Self.side...Self.side).map { frame in
                let distance = Double(quarter) / 4 - Double(frame)
                return sin(.pi * distance) / (.pi * distance) * (0.5 + 0.5 * cos(.pi * distance / Double(Self.side)))
            }
        }
        first = Self.side + reach
        samples = Array(repeating: [Float](repeating: 0, count: first), count: channels)
        held = [Double](repeating: 1, count: reach + 1)
        heldSum = Double(reach + 1)
        fullCount = reach + 1
    }

    /// Takes frames, and gives those back whose gain is known by now.
    public func add<Failure: Error>(_ block: Channels, count: Int, _ body: (Channels, Int) throws(Failure) -> Void) throws(Failure) {
        for channel in samples.indices { samples[channel] += UnsafeBufferPointer(start: block.channel(channel), count: count) }
        try give(upTo: end - Self.side, body)
    }

    /// Gives back what is left; behind it is silence.
    public func finish<Failure: Error>(_ body: (Channels, Int) throws(Failure) -> Void) throws(Failure) {
        let last = end
        let silence = [Float](repeating: 0, count: reach + 2 * Self.side)
        for channel in samples.indices { samples[channel] += silence }
        try give(upTo: last + reach + 1, last: last, body)
    }

    private func give<Failure: Error>(upTo known: Int, last: Int = .max, _ body: (Channels, Int) throws(Failure) -> Void) throws(Failure) {
        let start = max(next, first)
        while true {
            // Its gain is known once its window has been looked at.
            if looked <= given + reach {
                if peaked == known { break }
                note(peak(at: peaked))
                peaked += 1
            } else if next < last {
                let gain = nextGain()
                if gain < 1 { for channel in samples.indices { samples[channel][next] = Float(Double(samples[channel][next]) * gain) } }
                next += 1
            } else {
                break
            }
        }
        let done = next - start
        if done > 0 {
            let memory = ChannelMemory(samples.count, frames: done)
            for channel in samples.indices {
                samples[channel].withUnsafeBufferPointer { memory.channels.channel(channel).update(from: $0.baseAddress! + start, count: done) }
            }
            try body(memory.channels, done)
        }
        // Now and then, so that moving costs little.
        guard next > 65536 else { return }
        let played = next - Self.side
        for channel in samples.indices { samples[channel].removeFirst(played) }
        next -= played
        peaked -= played
        first = 0
    }

    /// p of a frame.
    private func peak(at frame: Int) -> Double {
        let after = highestBehind(frame)
        defer { between = after }
        return max(samples.reduce(0) { max($0, Double(abs($1[frame]))) }, between, after)
    }

    /// The highest of the points between `frame` and the one behind it.
    private func highestBehind(_ frame: Int) -> Double {
        var highest = 0.0
        for channel in samples {
            channel.withUnsafeBufferPointer { samples in
                // Where all around is far below the ceiling no point between can reach it: the taps' absolute values add up to less than 4.
                var loudest: Float = 0
                for i in frame + 1 - Self.side...frame + Self.side { loudest = max(loudest, abs(samples[i])) }
                if Double(loudest) * 4 <= ceiling { return }
                for quarter in taps {
                    var sum = 0.0
                    for (place, tap) in quarter.enumerated() { sum += tap * Double(samples[frame + 1 - Self.side + place]) }
                    highest = max(highest, abs(sum))
                }
            }
        }
        return highest
    }

    /// The next frame's peak: its r goes behind those that are less.
    private func note(_ peak: Double) {
        let value = peak > ceiling ? ceiling / peak : 1
        while least.count > leastStart, least[least.count - 1].value >= value { least.removeLast() }
        least.append((looked, value))
        looked += 1
        guard leastStart > 4096 else { return }
        least.removeFirst(leastStart)
        leastStart = 0
    }

    /// g of the frame that is given back next.
    private func nextGain() -> Double {
        while least[leastStart].frame < given { leastStart += 1 }
        let (place, before) = (given % held.count, held[(given + held.count - 1) % held.count])
        given += 1
        var present = min(least[leastStart].value, before + (1 - before) * release)
        // What is as good as full is full: else it would never be again.
        if present > 1 - 1e-9 { present = 1 }
        fullCount += (present == 1 ? 1 : 0) - (held[place] == 1 ? 1 : 0)
        heldSum += present - held[place]
        held[place] = present
        guard fullCount < held.count else {
            // Without what rounding has left.
            heldSum = Double(held.count)
            return 1
        }
        return min(1, heldSum / Double(held.count))
    }
}
