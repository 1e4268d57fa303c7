import Realtime
import Timeline

/// What strips measure while they play.
extension StripRack {
    /// The loudness of so many strips is measured at once, and so many spectra: each costs the worker up to
    /// one percent of a core.
    static let maximumMeasured = 16
    /// A spectrum that nobody has asked for so long is not measured any more, in nanoseconds.
    private static let lookedAt: UInt64 = 3_000_000_000

    /// The loudness of a strip, which is measured from the first question on; nil for a strip that is not
    /// there, and where so many besides the master are measured.
    func loudness(of id: StripID) -> LoudnessReading? {
        let others = measured.count - (measured.contains(.master) ? 1 : 0)
        guard let strip = strips[id],
            id == .master || measured.contains(id) || others < Self.maximumMeasured
        else {
            return nil
        }
        let isNew = !isMeasured(id)
        if measured.insert(id).inserted, isNew { sendMeasurement(id) }
        return strip.measurement?.loudness
    }

    /// The spectrum of a strip, which is measured from the first question on until nobody has asked for a
    /// while; nil for a strip that is not there.
    func spectrum(of id: StripID) -> [Float]? {
        guard let strip = strips[id], spectra[id] != nil || spectra.count < Self.maximumMeasured else {
            return nil
        }
        let isNew = !isMeasured(id)
        spectra[id] = monotonicNanoseconds()
        if isNew { sendMeasurement(id) }
        return strip.measurement?.spectrum
    }

    /// Other strips have their ids: all meters, and what is measured, begin anew.
    func measureAnew() {
        for strip in strips.values { _ = strip.readMeter() }
        for id in measured { strips[id]?.measurement?.reset() }
    }

    /// Whether its loudness is measured.
    func measuresLoudness(_ id: StripID) -> Bool { measured.contains(id) }

    /// It is measured from now on.
    func resetLoudness(of id: StripID) {
        _ = loudness(of: id)
        strips[id]?.measurement?.reset()
    }

    /// Whether anything of it is measured.
    func isMeasured(_ id: StripID) -> Bool { measured.contains(id) || spectra[id] != nil }

    /// How many spectra are measured, and whether that of a strip is.
    var spectraCount: Int { spectra.count }
    func measuresSpectrum(_ id: StripID) -> Bool { spectra[id] != nil }

    /// Tells the audio thread whether a strip is measured, and the worker which are.
    func sendMeasurement(_ id: StripID) {
        sendPart(PartKey(id: id, part: .measurement), of: setting(id), 0, at: nil)
        followMeasured()
    }

    /// Gives back what a strip was measured by. Where there is no room to say so it is kept, for the audio
    /// thread fills it on.
    private func endMeasurement(of id: StripID) {
        guard let strip = strips[id] else { return }
        sendMeasurement(id)
        if unsaidParts.contains(PartKey(id: id, part: .measurement)) {
            strip.measurement?.endSpectrum()
        } else if let old = strip.endMeasurement() {
            leaving.append((old, outbox.mark))
        }
    }

    /// Tells the worker which strips are measured.
    func followMeasured() {
        measuring.follow(measured.union(spectra.keys).compactMap { strips[$0]?.measurement })
    }

    /// Spectra that nobody looks at any more end.
    func endSpectra() {
        if spectra.isEmpty { return }
        let now = monotonicNanoseconds()
        for (id, asked) in spectra where now - asked > Self.lookedAt {
            spectra[id] = nil
            if measured.contains(id) {
                strips[id]?.measurement?.endSpectrum()
            } else {
                endMeasurement(of: id)
            }
        }
    }
}
