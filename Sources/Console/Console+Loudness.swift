import Engine
import Remote
import Timeline

/// What tracks, buses and the master measure.
extension Console {
    /// Those that are meant.
    func measured(_ reference: StripReference) throws(CommandError) -> [StripPlace] {
        let places = try metered(reference)
        let fresh = places.count { $0 != .master && !engine.measuresLoudness(session[$0].id) }
        let known = session.places.count { $0 != .master && engine.measuresLoudness(session[$0].id) }
        if fresh + known > PlaybackEngine.maximumMeasured {
            throw CommandError(
                """
                the loudness of \(PlaybackEngine.maximumMeasured) strips is measured at the most, besides \
                the master's, and \(known) are
                """
            )
        }
        return places
    }

    /// Those that are meant, and have a meter.
    func metered(_ reference: StripReference) throws(CommandError) -> [StripPlace] {
        if isOfNone(reference) { return [] }
        return try places(reference, having: .meter)
    }

    func peak(_ place: StripPlace) -> Answer {
        meters.collect(session[place].id, from: engine)
        return heldPeak(place)
    }

    /// As of the last reading.
    func heldPeak(_ place: StripPlace) -> Answer {
        let hold = meters.held(session[place].id)
        return .peak(place, PeakSummary(hold.peak, overs: hold.overs))
    }

    func loudnessRange(_ place: StripPlace) -> Answer? {
        engine.loudness(of: session[place].id).map { .loudnessRange(place, $0.range) }
    }

    /// Both, of one reading.
    func allLoudness(_ place: StripPlace) -> [Answer] {
        engine.loudness(of: session[place].id).map {
            [Self.loudness(place, $0), .loudnessRange(place, $0.range)]
        } ?? []
    }

    /// Those that are meant, and may have their spectrum measured.
    func analysed(_ reference: StripReference) throws(CommandError) -> [StripPlace] {
        let places = try metered(reference)
        let fresh = places.count { !engine.measuresSpectrum(session[$0].id) }
        if fresh + engine.spectraCount > PlaybackEngine.maximumMeasured {
            throw CommandError(
                """
                the spectra of \(PlaybackEngine.maximumMeasured) strips are measured at the most, and \
                \(engine.spectraCount) are
                """
            )
        }
        return places
    }

    func spectrum(_ place: StripPlace) -> Answer? {
        engine.spectrum(of: session[place].id).map { .spectrum(place, $0) }
    }

    func loudness(_ place: StripPlace) -> Answer? {
        engine.loudness(of: session[place].id).map { Self.loudness(place, $0) }
    }

    private static func loudness(_ place: StripPlace, _ reading: LoudnessReading) -> Answer {
        .loudness(
            place,
            LoudnessSummary(
                momentary: reading.momentary, shortTerm: reading.shortTerm,
                integrated: reading.integrated, truePeak: reading.truePeak))
    }
}
