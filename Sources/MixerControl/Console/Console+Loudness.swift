import Engine
import Remote
import Timeline

/// What buses and the master measure.
extension Console {
    /// Those that are meant.
    func measured(_ reference: StripReference) throws(CommandError) -> [StripPlace] {
        let places = try places(reference)
        if let other = places.first(where: { $0.kind != .bus && $0.kind != .master }) {
            throw CommandError("\(other) measures no loudness: buses and the master do")
        }
        let fresh = places.count { !engine.measuresLoudness(session[$0].id) }
        let known = session.places.count { engine.measuresLoudness(session[$0].id) }
        if fresh + known > PlaybackEngine.maximumMeasured {
            throw CommandError("the loudness of \(PlaybackEngine.maximumMeasured) strips is measured at the most, and \(known) are")
        }
        return places
    }

    /// Those that are meant, and have a meter.
    func metered(_ reference: StripReference) throws(CommandError) -> [StripPlace] {
        if isOfNone(reference) { return [] }
        return try places(reference, having: .meter)
    }

    func peak(_ place: StripPlace) -> Answer {
        let hold = meters.hold(session[place].id, from: engine)
        return .peak(place, hold.peak, overs: hold.overs)
    }

    func loudnessRange(_ place: StripPlace) -> Answer? {
        engine.loudness(of: session[place].id).map { .loudnessRange(place, $0.range) }
    }

    /// Those that are meant, and may have their spectrum measured.
    func analysed(_ reference: StripReference) throws(CommandError) -> [StripPlace] {
        let places = try metered(reference)
        if let other = places.first(where: { !engine.mayMeasureSpectrum(session[$0].id) }) {
            throw CommandError("the spectra of \(PlaybackEngine.maximumMeasured) strips are looked at, as many as can be: \(other) has to wait")
        }
        return places
    }

    func spectrum(_ place: StripPlace) -> Answer? { engine.spectrum(of: session[place].id).map { .spectrum(place, $0) } }

    func loudness(_ place: StripPlace) -> Answer? {
        engine.loudness(of: session[place].id).map {
            .loudness(place, momentary: $0.momentary, shortTerm: $0.shortTerm, integrated: $0.integrated, truePeak: $0.truePeak)
        }
    }
}
