import Timeline

/// What strips measure, and where their controls stand at present.
extension PlaybackEngine {
    /// The strip of a track, for a direct output; nil without such a track.
    public func stripHandle(_ id: StripID) -> StripHandle? { rack[id] }

    /// Peaks of a strip since they were last read, and its RMS; zeros without such a strip.
    public func readMeter(_ id: StripID) -> MeterReading {
        rack[id]?.readMeter() ?? MeterReading(channels: 2)
    }

    /// The RMS of a strip's louder side. Leaves the peaks for others to read.
    public func rms(_ id: StripID) -> Float { rack[id]?.rms ?? 0 }

    /// Whether a fader is on its way.
    public func isFading(_ id: StripID) -> Bool { rack.isFading(id) }

    /// Where a fader stands: what it was set to, or how far a fade has come.
    public func presentFader(_ id: StripID) -> Double { rack.presentFader(id) }

    /// The loudness of a strip, which is measured from the first question on; nil for a strip
    /// that is not there, and while `maximumMeasured` others are measured.
    public func loudness(of id: StripID) -> LoudnessReading? { rack.loudness(of: id) }

    /// So many strips are measured at once.
    public static let maximumMeasured = StripRack.maximumMeasured

    /// Whether somebody has asked for it.
    public func measuresLoudness(_ id: StripID) -> Bool { rack.measuresLoudness(id) }

    /// The levels of a strip at `SpectrumWindow.frequencies`, in dB: measured from the first question on,
    /// until nobody has asked for 3 s; nil for a strip that is not there, and while `maximumMeasured` others
    /// are measured.
    public func spectrum(of id: StripID) -> [Float]? { rack.spectrum(of: id) }

    /// How many strips' spectra are measured, and whether that of one is.
    public var spectraCount: Int { rack.spectraCount }
    /// Whether somebody looks at its spectrum.
    public func measuresSpectrum(_ id: StripID) -> Bool { rack.measuresSpectrum(id) }

    /// The loudness and the true peak of a bus or the master are measured from now on.
    public func resetLoudness(of id: StripID) { rack.resetLoudness(of: id) }

    /// How far a strip's gate, its compressor and its limiter lower it at present, in dB.
    public func reductions(_ id: StripID) -> (gate: Double, compressor: Double, limiter: Double) {
        guard let strip = rack[id] else { return (0, 0, 0) }
        let gain = Double(strip.limiterGain)
        return (
            Double(strip.reduction(of: .gate)), Double(strip.reduction(of: .compressor)),
            gain > 0 ? max(0, -Decibels.of(gain)) : 144
        )
    }

    /// What a strip gets of the automix of the bus that it goes to at present, linear; 1 where it takes no
    /// part.
    public func share(_ id: StripID) -> Double {
        sharing.contains(id) ? rack[id].map { Double($0.share) } ?? 1 : 1
    }

    /// What a strip is heard at where the playhead stands: automation, fades, ducks and fader multiplied,
    /// without mute, solo and DCAs.
    public func presentVolume(_ id: StripID) -> Double {
        guard let part = planner.plans.newest.draft.parts.first(where: { $0.id == id }) else {
            return presentFader(id)
        }
        let envelopes = part.score.envelopes
        let frame = frame(of: part.player)
        return (0..<envelopes.count).reduce(presentFader(id)) { $0 * envelopes.pointer[$1].value(at: frame) }
    }
}
