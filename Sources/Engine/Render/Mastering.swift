import Loudness

/// What is done to a finished mix: it is brought to a loudness, and its true peaks are kept under a ceiling.
public struct Mastering: Equatable, Sendable {
    /// nil: as loud as it is.
    public let target: LoudnessTarget?
    /// In dBTP: a limiter keeps the true peaks there. nil: none; then a target is reached only as far as -1
    /// dBTP allows.
    public let limit: Double?

    /// What the limit may be, in dBTP.
    private static let limits = -40.0...0.0

    /// The mix as it is.
    public init() { (target, limit) = (nil, nil) }

    /// - Parameters:
    ///   - loudness: in LUFS, -70 to 0; nil: as loud as it is.
    ///   - limit: in dBTP, -40 to 0; nil: no limiter.
    /// - Throws: `LoudnessError` for what is out of range.
    public init(loudness: Double?, limit: Double?) throws(LoudnessError) {
        if let limit, !Self.limits.contains(limit) {
            throw LoudnessError(reason: "\(limit) is no limit: it goes from -40 to 0 dBTP, as in -1dB")
        }
        self.limit = limit
        target = if let loudness { try LoudnessTarget(integrated: loudness) } else { nil }
    }

    /// What became of it.
    public struct Outcome: Equatable, Sendable {
        /// The mix as it was.
        public let before: LoudnessMeter.Reading
        /// In dB, before the limiter.
        public let gain: Double
        /// The integrated loudness of what was written, in LUFS.
        public let reached: Double
        /// Its true peak in dBTP.
        public let truePeak: Double
        /// Nothing was asked for, or it is less than a tenth of an LU away.
        public let isReached: Bool
    }

    /// The gain in dB, and the limiter's ceiling in dBTP.
    struct Settings {
        var gain = 0.0
        var ceiling: Double?
        var loudness: Outcome?
    }

    /// Nothing is raised by more.
    private static let maximumGain = 60.0
    /// How often it is tried: what is not reached by then is as near as can be.
    private static let attempts = 12
    /// In LU for a dB.
    private static let leastSlope = 0.25

    /// A ten-thousandth of a dB: the last bits of what is measured are the C library's, and go by the
    /// processor. Half of it is well within the margin that `LoudnessTarget` keeps to the peaks.
    private static func step(_ decibels: Double) -> Double { (decibels * 10_000).rounded() / 10_000 }

    /// Finds out what leads to what is asked for.
    /// - Parameter measure: what a mix with these settings measures.
    func settings<Failure: Error>(
        measure: (Settings) throws(Failure) -> LoudnessMeter.Reading
    ) throws(Failure) -> Settings {
        var settings = Settings()
        if target == nil, limit == nil { return settings }
        let before = try measure(settings)
        guard before.integrated.isFinite || target == nil else {
            settings.loudness = outcome(before, 0, reached: before.integrated, truePeak: before.truePeakLevel)
            return settings
        }
        settings.gain =
            target.map { Self.step(limit == nil ? $0.gain(for: before) : $0.integrated - before.integrated) }
            ?? 0
        let peak = before.truePeakLevel + settings.gain
        guard let limit, peak > limit else {
            // The gain alone does it.
            settings.loudness = outcome(
                before, settings.gain, reached: before.integrated + settings.gain, truePeak: peak)
            return settings
        }
        return try limited(settings, to: limit, before, measure)
    }

    /// Tries gains and ceilings until the limited mix is as loud as it is to be.
    /// - Parameter before: what was measured without any.
    private func limited<Failure: Error>(
        _ settings: Settings, to limit: Double, _ before: LoudnessMeter.Reading,
        _ measure: (Settings) throws(Failure) -> LoudnessMeter.Reading
    ) throws(Failure) -> Settings {
        var settings = settings
        settings.ceiling = limit
        var last: (gain: Double, loudness: Double)? = target == nil ? nil : (0, before.integrated)
        for attempt in 1...Self.attempts {
            settings.gain = min(Self.maximumGain, settings.gain)
            let reading = try measure(settings)
            settings.loudness = outcome(
                before, settings.gain, reached: reading.integrated, truePeak: reading.truePeakLevel)
            if attempt == Self.attempts || !goesOn(&settings, reading, over: limit, &last) { break }
        }
        return settings
    }

    /// Sets what is tried next, by what the last attempt measures.
    /// - Returns: false: it is as near as it comes.
    private func goesOn(
        _ settings: inout Settings, _ reading: LoudnessMeter.Reading, over limit: Double,
        _ last: inout (gain: Double, loudness: Double)?
    ) -> Bool {
        // The limiter looks between frames as the meter does, but not with the same filter.
        let excess = reading.truePeakLevel - limit
        let miss = target.map { $0.integrated - reading.integrated } ?? 0
        if excess <= 0, abs(miss) < 0.05 || settings.gain == Self.maximumGain { return false }
        if excess > 0 { settings.ceiling! -= Self.step(excess + 0.01) }
        // The more is limited, the less a dB of gain brings; where that is next to nothing the mix would
        // only be crushed.
        let slope = last.map { (reading.integrated - $0.loudness) / (settings.gain - $0.gain) } ?? 1
        last = (settings.gain, reading.integrated)
        if excess <= 0, slope.isFinite, slope < Self.leastSlope { return false }
        if abs(miss) >= 0.05 {
            settings.gain += Self.step(miss / (slope.isFinite ? min(1, max(Self.leastSlope, slope)) : 1))
        }
        return true
    }

    private func outcome(
        _ before: LoudnessMeter.Reading, _ gain: Double, reached: Double, truePeak: Double
    ) -> Outcome {
        let isReached = target.map { abs($0.integrated - reached) < 0.1 } ?? true
        return Outcome(
            before: before, gain: gain, reached: reached, truePeak: truePeak,
            isReached: isReached && truePeak <= limit ?? .infinity)
    }
}
