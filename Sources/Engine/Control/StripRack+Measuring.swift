import Realtime
import Timeline

/// What strips measure while they play.
extension StripRack {
    /// The loudness of so many strips is measured at once, and so many spectra: each costs the worker half a percent of a core.
    static let maximumMeasured = 16
    /// A spectrum that nobody has asked for so long is not measured any more, in nanoseconds.
    private static let lookedAt: UInt64 = 3_000_000_000

    /// The loudness of a strip, which is measured from the first question on; nil for a strip that is not there.
    func loudness(of id: StripID) -> LoudnessReading? {
        guard let strip = strips[id], measured.contains(id) || measured.count < Self.maximumMeasured else { return nil }
        let isNew = !isMeasured(id)
        if measured.insert(id).inserted, isNew { sendMeasurement(id) }
        return strip.measurement?.loudness
    }

    /// The spectrum of a strip, which is measured from the first question on until nobody has asked for a while; nil for a strip that
    /// is not there.
    func spectrum(of id: StripID) -> [Float]? {
        guard let strip = strips[id], mayMeasureSpectrum(id) else { return nil }
        let isNew = !isMeasured(id)
        spectra[id] = monotonicNanoseconds()
        if isNew { sendMeasurement(id) }
        return strip.measurement?.spectrum
    }

    /// Other strips have their ids: what is measured is measured anew.
    func forgetLoudness() { for id in measured { strips[id]?.measurement?.reset() } }

    /// Whether its loudness is measured.
    func measuresLoudness(_ id: StripID) -> Bool { measured.contains(id) }

    /// It is measured from now on.
    func resetLoudness(of id: StripID) {
        _ = loudness(of: id)
        strips[id]?.measurement?.reset()
    }

    /// Whether anything of it is measured.
    func isMeasured(_ id: StripID) -> Bool { measured.contains(id) || spectra[id] != nil }

    /// Whether there is room for one more spectrum, or that is measured already.
    func mayMeasureSpectrum(_ id: StripID) -> Bool { spectra[id] != nil || spectra.count < Self.maximumMeasured }

    /// Tells the audio thread whether a strip is measured, and the worker which are.
    func sendMeasurement(_ id: StripID) {
        sendPart(PartKey(id: id, part: .measurement), of: setting(id), 0, at: nil)
        followMeasured()
    }

    /// Tells the worker which strips are measured.
    func followMeasured() { measuring.follow(measured.union(spectra.keys).compactMap { strips[$0]?.measurement }) }

    /// Spectra that nobody looks at any more end.
    func endSpectra() {
        if spectra.isEmpty { return }
        let now = monotonicNanoseconds()
        for (id, asked) in spectra where now - asked > Self.lookedAt {
            spectra[id] = nil
            strips[id]?.measurement?.endSpectrum()
            if !isMeasured(id) { sendMeasurement(id) }
        }
    }
}
