import Glibc
import Realtime

/// The spectrum of what was heard last, at frequencies a sixth of an octave apart. For one thread at a time.
///
/// At each frequency f the last N frames, twelve periods of it, are weighed by Hann's window w(n) = (1 - cos(2 pi (n + 1/2) / N)) / 2, and the
/// amplitude is 2 |sum w(n) x(n) exp(-2 pi i f n / rate)| / (N / 2): a sine at f of amplitude 1 is at 0 dB. Of several channels the
/// greatest counts.
public struct SpectrumWindow {
    /// In Hz: from 20 Hz to 20.48 kHz.
    public static let frequencies: [Double] = (0...60).map { 20 * pow(2, Double($0) / 6) }
    /// In dB: silence, and what lies above half the rate.
    public static let lowestLevel: Float = -144
    /// As they were at the last `refresh`.
    private(set) var levels = [Float](repeating: Self.lowestLevel, count: Self.frequencies.count)

    /// Of each channel the last frames, round and round.
    private var frames: [[Float]]
    private var end = 0
    private var fresh = 0
    private let sampleRate: Double
    private static let periods = 12.0
    private static let refreshes = 20

    init(channels: Int, sampleRate: Int32) {
        self.sampleRate = Double(sampleRate)
        let longest = Int((Self.periods * Double(sampleRate) / Self.frequencies[0]).rounded(.up))
        var capacity = 1024
        while capacity < longest { capacity *= 2 }
        frames = Array(repeating: Array(repeating: 0, count: capacity), count: channels)
    }

    mutating func add(_ block: Channels, _ count: Int) {
        let mask = frames[0].count - 1
        for channel in frames.indices {
            let samples = block.channel(channel)
            for i in 0..<count { frames[channel][(end + i) & mask] = samples[i] }
        }
        end = (end + count) & mask
        fresh += count
    }

    /// Works the levels out, if so much has come that the eye sees a difference.
    mutating func refresh() {
        if fresh < Int(sampleRate) / Self.refreshes { return }
        fresh = 0
        levels = Self.frequencies.map { frequency in
            if frequency >= sampleRate / 2 { return Self.lowestLevel }
            let highest = frames.indices.map { amplitude(of: frequency, $0) }.max() ?? 0
            return max(Self.lowestLevel, Float(20 * log10(highest)))
        }
    }

    private func amplitude(of frequency: Double, _ channel: Int) -> Double {
        let count = Int((Self.periods * sampleRate / frequency).rounded())
        // Two pointers that turn: one by the frequency, one once round the window.
        var (tone, window) = (Turning(step: 2 * .pi * frequency / sampleRate), Turning(step: 2 * .pi / Double(count)))
        window.turn(by: .pi / Double(count))
        var (real, imaginary) = (0.0, 0.0)
        let mask = frames[channel].count - 1
        frames[channel].withUnsafeBufferPointer { samples in
            for i in 0..<count {
                let weighed = Double(samples[(end - count + i) & mask]) * (1 - window.cosine) / 2
                real += weighed * tone.cosine
                imaginary += weighed * tone.sine
                tone.turn()
                window.turn()
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

    mutating func turn() { turn(step.cosine, step.sine) }

    mutating func turn(by angle: Double) { turn(cos(angle), sin(angle)) }

    private mutating func turn(_ c: Double, _ s: Double) { (cosine, sine) = (cosine * c - sine * s, sine * c + cosine * s) }
}
