import AudioFile
import Engine
import Files
import Remote
import Timeline

extension Console {
    /// Takes the pauses out of the clips of every track that is meant, or of none; a disk thread finds and
    /// cuts them.
    func stripSilence(
        _ reference: StripReference, _ strip: StripSilence, as command: Command, for client: ClientID?,
        then done: @escaping Done
    ) {
        let rate = session.sampleRate
        let measure = Pauses.Measure(
            threshold: strip.threshold, minimum: strip.minimum.time(atRate: rate),
            pad: strip.pad.time(atRate: rate))
        let tracks: [Track]
        do throws(CommandError) {
            tracks = try tracksToStrip(reference, measure, closes: strip.closes)
        } catch {
            return done(.failure(error))
        }
        inspections.perform(search(tracks, measure)) { [self] outcome in
            done(
                outcome.flatMap { found in
                    carryOut(command, for: client) { () throws(CommandError) in
                        try replaceClips(of: tracks, by: found, measure, closes: strip.closes)
                        return []
                    }
                })
        }
    }

    private typealias Found = (clips: [Clip], pauses: [Range<Int64>])

    /// What has to be known of files where their pauses are looked for.
    private func lengths(of tracks: [Track]) -> [SoundPlace: MediaTime?] {
        Dictionary(
            tracks.flatMap(\.clips).map { (library.place(of: $0), try? library.info(of: $0).get().duration) }
        ) { first, _ in first }
    }

    /// Finds and cuts the pauses of tracks, on another thread.
    private func search(
        _ tracks: [Track], _ measure: Pauses.Measure
    ) -> @Sendable () -> Result<[Found], CommandError> {
        let (rate, home, lengths) = (session.sampleRate, library.folder, lengths(of: tracks))
        let place = { @Sendable (clip: Clip) in SoundPlace(of: clip, in: home) }
        return {
            let ruler = ClipRuler(rate: rate) { lengths[place($0)] ?? nil }
            return Result {
                try tracks.map {
                    try Pauses.takeOut(
                        of: $0.clips, on: $0.layout, place: place, ruler: ruler, measure,
                        limit: Session.maximumClips)
                }
            }
            .mapError { CommandError("\($0)") }
        }
    }

    private func tracksToStrip(
        _ reference: StripReference, _ measure: Pauses.Measure, closes: Bool
    ) throws(CommandError) -> [Track] {
        let tracks = try tracks(reference).map { session.tracks[$0] }
        if closes, tracks.count > 1 {
            throw CommandError("--close is for one track: each of several would close up by its own pauses")
        }
        if measure.minimum < Self.shortestPause {
            throw CommandError("a pause lasts at least \(Self.shortestPause), not \(measure.minimum)")
        }
        return tracks
    }

    /// Shorter ones are in every sound.
    private static let shortestPause = MediaTime(value: 10, timescale: 1000)

    private func replaceClips(
        of tracks: [Track], by found: [Found], _ measure: Pauses.Measure, closes: Bool
    ) throws(CommandError) {
        let pauses = found.flatMap(\.pauses)
        guard !pauses.isEmpty else {
            let names =
                tracks.count > 3
                ? "\(tracks.count) tracks have"
                : "\(tracks.map(\.name).joined(separator: ", ")) \(tracks.count == 1 ? "has" : "have")"
            throw CommandError(
                """
                \(names) no pause of \(measure.minimum) below \(Readable.level(gain: measure.threshold)) \
                that could be taken out
                """
            )
        }
        try edit(.timeline) { session throws(CommandError) in
            for (before, (clips, pauses)) in zip(tracks, found) {
                guard let index = session.index(of: before.id), session.tracks[index].clips == before.clips
                else {
                    throw CommandError(
                        "the track \"\(before.name)\" was changed meanwhile: nothing was taken out")
                }
                session.tracks[index].clips = clips
                if closes {
                    session.tracks[index].closeUp(pauses, ruler: library.ruler(atRate: session.sampleRate))
                }
            }
        }
        sayPauses(pauses)
    }

    private func sayPauses(_ pauses: [Range<Int64>]) {
        let length = MediaTime(frame: pauses.reduce(0) { $0 + Int64($1.count) }, rate: session.sampleRate)
        request.notes.append(
            """
            \(pauses.count) \(pauses.count == 1 ? "pause" : "pauses") taken out, \
            \(Readable.clock(length.seconds)) in all
            """
        )
    }
}
