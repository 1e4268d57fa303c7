import Glibc
import Realtime

/// The spectrum of what was heard last, at frequencies a sixth of an octave apart. For one thread at a time.
///
/// At each frequency f the last N frames, twelve periods of it, are weighed by Hann's window w(n) = (1 -
/// cos(2 pi (n + 1/2) / N)) / 2, and the amplitude is 2 |sum w(n) x(n) exp(-2 pi i f n / rate)| / (N / 2): a
/// sine at f of amplitude 1 is at 0 dB. Of several channels the loudest counts. From 96 kHz on x is the mean
/// of as many frames as make a rate of 48 kHz or more.
public struct SpectrumWindow: Sendable {
    /// In Hz: from 20 Hz to 20.48 kHz.
    public static let frequencies: [Double] = (0...60).map { 20 * pow(2, Double($0) / 6) }
    /// In dB: silence, and what lies above half the rate.
    public static let lowestLevel: Float = -144
    static let silence = [Float](repeating: lowestLevel, count: frequencies.count)

    /// Of each channel the last frames, round and round.
    private var frames: [[Float]]
    private var end = 0
    private var fresh = 0
    /// So many frames become one, and how far the present one has come, for each channel.
    private let folded: Int
    private var sums: [Float]
    private var summed = 0
    private let rate: Double
    private static let periods = 12.0
    /// So often a second the levels are worked out at the most.
    private static let refreshes = 10.0

    init(channels: Int, sampleRate: Int32) {
        folded = max(1, Int(sampleRate) / 48_000)
        rate = Double(sampleRate) / Double(folded)
        let longest = Int((Self.periods * rate / Self.frequencies[0]).rounded(.up))
        var capacity = 1024
        while capacity < longest { capacity *= 2 }
        frames = Array(repeating: Array(repeating: 0, count: capacity), count: channels)
        sums = Array(repeating: 0, count: channels)
    }

    mutating func add(_ block: Channels, _ count: Int) {
        let mask = frames[0].count - 1
        for i in 0..<count {
            summed += 1
            for channel in frames.indices { sums[channel] += block.channel(channel)[i] }
            if summed < folded { continue }
            for channel in frames.indices {
                (frames[channel][end], sums[channel]) = (sums[channel] / Float(folded), 0)
            }
            (end, summed, fresh) = ((end + 1) & mask, 0, fresh + 1)
        }
    }

    /// The frames of the loudest channel from the oldest on, if so many have come that the eye sees a
    /// difference.
    mutating func takeFresh() -> [Float]? {
        if Double(fresh) < rate / Self.refreshes { return nil }
        fresh = 0
        func power(_ channel: [Float]) -> Float { channel.reduce(0) { $0 + $1 * $1 } }
        guard let loudest = frames.max(by: { power($0) < power($1) }) else { return nil }
        return Array(loudest[end...] + loudest[..<end])
    }

    /// The levels of such frames.
    func levels(of frames: [Float]) -> [Float] {
        Self.frequencies.map { frequency in
            if frequency >= rate / 2 { return Self.lowestLevel }
            return max(Self.lowestLevel, Float(20 * log10(amplitude(of: frequency, frames))))
        }
    }

    private func amplitude(of frequency: Double, _ frames: [Float]) -> Double {
        let count = Int((Self.periods * rate / frequency).rounded())
        // Two pointers that turn: one by the frequency, one once round the window.
        var (tone, window) = (
            Turning(step: 2 * .pi * frequency / rate), Turning(step: 2 * .pi / Double(count))
        )
        window.rotate(by: .pi / Double(count))
        var (real, imaginary) = (0.0, 0.0)
        frames.suffix(count).withUnsafeBufferPointer { samples in
            for sample in samples {
                let weighed = Double(sample) * (1 - window.cosine) / 2
                real += weighed * tone.cosine
                imaginary += weighed * tone.sine
                tone.rotate()
                window.rotate()
            }
        }
        return 4 * (real * real + imaginary * imaginary).squareRoot() / Double(count)
    }
}

/// A pointer on a circle that turns in equal steps.
private struct Turning {
    private(set) var cosine = 1.0
    private(set) var sine = 0.0
    private let step: (cosine: Double, sine: Double)

    init(step: Double) { self.step = (cos(step), sin(step)) }

    mutating func rotate() { rotate(step.cosine, step.sine) }

    mutating func rotate(by angle: Double) { rotate(cos(angle), sin(angle)) }

    private mutating func rotate(_ c: Double, _ s: Double) {
        (cosine, sine) = (cosine * c - sine * s, sine * c + cosine * s)
    }
}
