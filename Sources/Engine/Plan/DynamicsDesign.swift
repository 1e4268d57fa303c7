import Timeline

/// Compressors, gates and limiters at some rate, as the audio thread runs them; nil for what changes nothing.
struct DynamicsDesign {
    private let sampleRate: Int32

    init(sampleRate: Int32) { self.sampleRate = sampleRate }

    func setting(_ compressor: Compressor?) -> DynamicsSetting? {
        guard let compressor, compressor.isOn else { return nil }
        var setting = DynamicsSetting()
        setting.curve.threshold = compressor.threshold
        setting.curve.slope = compressor.ratio >= Compressor.endlessRatio ? 1 : 1 - 1 / compressor.ratio
        setting.curve.knee = compressor.knee
        setting.curve.makeup = compressor.makeup
        (setting.growth, setting.decay) = (rest(compressor.attack), rest(compressor.release))
        return setting
    }

    func setting(_ gate: Gate?) -> DynamicsSetting? {
        guard let gate, gate.isOn else { return nil }
        var setting = DynamicsSetting()
        setting.isGate = true
        setting.curve.threshold = gate.threshold
        setting.curve.close = gate.close
        setting.curve.range = gate.range >= Gate.endlessRange ? 144 : gate.range
        (setting.growth, setting.decay) = (rest(gate.release), rest(gate.attack))
        setting.hold = gate.hold.timelineFrame(atRate: sampleRate)
        return setting
    }

    func setting(_ limiter: Limiter?) -> LimiterSetting? {
        guard let limiter, limiter.isOn else { return nil }
        return LimiterSetting(
            ceiling: Decibels.gain(limiter.level - Limiter.margin), release: 1 - rest(limiter.release))
    }

    func pace(_ automix: Automix) -> SharePace {
        SharePace(growth: rest(automix.attack), decay: rest(automix.release))
    }

    /// exp(-1 / (time rate)): what is left of a way after one frame; 0 for no time at all.
    private func rest(_ time: MediaTime) -> Double {
        let frames = time.seconds * Double(sampleRate)
        // log2(e)
        return frames > 0 ? powerOfTwo(-1.44269504088896340736 / frames) : 0
    }
}
