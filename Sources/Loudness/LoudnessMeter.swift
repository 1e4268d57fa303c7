import CEBUR128
import Glibc
import Speakers

/// Measures loudness and peaks as EBU R 128 and ITU-R BS.1770 say, by libebur128. For one thread at a time.
public final class LoudnessMeter {
    private let state: UnsafeMutablePointer<ebur128_state>
    private let channels: Int

    /// What a programme measures.
    public struct Reading: Equatable, Sendable {
        /// Integrated over the whole programme, in LUFS; negative infinity for silence and for less than 400
        /// ms.
        public let integrated: Double
        /// In LU: between soft and loud parts.
        public let range: Double
        /// The highest sample and the highest point between samples (four times oversampled), linear.
        public let samplePeak: Double
        public let truePeak: Double
    }

    /// - Throws: `LoudnessError`: a rate or a number of channels that libebur128 does not measure (2822400 Hz
    ///   and 64 are its limits).
    /// - Parameter isLive: it is read while it goes on, however long: also `present`, and the rest by a
    ///   histogram of steps of 0.1 LU.
    public init(channels: Int, sampleRate: Int32, isLive: Bool = false) throws(LoudnessError) {
        let live = EBUR128_MODE_S.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
        let modes =
            EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
            | EBUR128_MODE_SAMPLE_PEAK.rawValue
            | (isLive ? live : 0)
        guard let state = ebur128_init(UInt32(clamping: channels), UInt(sampleRate), Int32(modes)) else {
            throw LoudnessError(
                reason: "loudness is not measured with \(channels) channels at \(sampleRate) Hz")
        }
        self.state = state
        self.channels = channels
        // The channels of a file without a layout: mono counts for both sides, as it is heard.
        if channels == 1 { ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
    }

    /// For the channels of a strip, each weighted by where it is heard from: Rec. ITU-R BS.1770-5, annex 3.
    /// The low frequencies do not count.
    /// - Throws: `LoudnessError` as above.
    public convenience init(
        _ layout: SpeakerLayout, sampleRate: Int32, isLive: Bool = false
    ) throws(LoudnessError) {
        try self.init(channels: layout.channels, sampleRate: sampleRate, isLive: isLive)
        if layout <= .stereo { return }
        for (channel, speaker) in layout.speakers.enumerated() {
            ebur128_set_channel(state, UInt32(channel), Int32(Self.place(speaker).rawValue))
        }
    }

    private static func place(_ speaker: Speaker) -> channel {
        switch speaker {
        case .left: EBUR128_LEFT
        case .right: EBUR128_RIGHT
        case .centre: EBUR128_CENTER
        case .lowFrequency: EBUR128_UNUSED
        case .backLeft: EBUR128_Mp135
        case .backRight: EBUR128_Mm135
        case .sideLeft: EBUR128_Mp090
        case .sideRight: EBUR128_Mm090
        case .topFrontLeft: EBUR128_Up045
        case .topFrontRight: EBUR128_Um045
        case .topBackLeft: EBUR128_Up135
        case .topBackRight: EBUR128_Um135
        }
    }

    deinit {
        var state: UnsafeMutablePointer<ebur128_state>? = state
        ebur128_destroy(&state)
    }

    /// Adds interleaved frames.
    public func add(_ samples: UnsafePointer<Float>, frames: Int) {
        ebur128_add_frames_float(state, samples, frames)
    }

    /// Over the last 400 ms, and over the last 3 s, in LUFS; negative infinity for silence. Of one that is
    /// live.
    public var present: (momentary: Double, shortTerm: Double) {
        var (momentary, shortTerm) = (-Double.infinity, -Double.infinity)
        ebur128_loudness_momentary(state, &momentary)
        ebur128_loudness_shortterm(state, &shortTerm)
        return (momentary, shortTerm)
    }

    /// All that has been added, so far.
    public var reading: Reading {
        var (integrated, range) = (0.0, 0.0)
        ebur128_loudness_global(state, &integrated)
        ebur128_loudness_range(state, &range)
        func highest(
            _ peak: (UnsafeMutablePointer<ebur128_state>?, UInt32, UnsafeMutablePointer<Double>?) -> Int32
        ) -> Double {
            (0..<channels).map { channel in
                var value = 0.0
                _ = peak(state, UInt32(channel), &value)
                return value
            }.max() ?? 0
        }
        return Reading(
            integrated: integrated, range: range, samplePeak: highest(ebur128_sample_peak),
            truePeak: highest(ebur128_true_peak))
    }
}

public struct LoudnessError: Error, Equatable, CustomStringConvertible {
    public let reason: String
    public var description: String { reason }

    package init(reason: String) { self.reason = reason }
}

extension LoudnessMeter.Reading {
    /// In dBTP; negative infinity for silence.
    public var truePeakLevel: Double { 20 * log10(truePeak) }
}
