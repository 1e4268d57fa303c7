import AudioFile
import Engine
import Remote
import Timeline

extension Console {
    /// Takes the pauses out of the clips of every track that is meant, or of none; the disk is asked where they are.
    func stripSilence(
        _ reference: TrackReference, _ threshold: Double?, _ minimum: TimeSpec?, _ pad: TimeSpec?, as command: Command, for client: ClientID?,
        then done: @escaping (Result<[Answer], CommandError>) -> Void
    ) {
        let (standard, rate) = (Pauses.Measure(), session.sampleRate)
        let measure = Pauses.Measure(
            threshold: threshold ?? standard.threshold, minimum: minimum?.time(atRate: rate) ?? standard.minimum, pad: pad?.time(atRate: rate) ?? standard.pad)
        let indices: [Int]
        do throws(CommandError) { indices = try tracks(reference) } catch { return done(.failure(error)) }
        let tracks = indices.map { session.tracks[$0] }
        // What the ruler has to know of files, for another thread.
        let clips = tracks.flatMap(\.clips)
        let lengths = Dictionary(clips.map { ($0.file, try? library.info(of: $0.file).get().duration) }) { first, _ in first }
        let paths = Dictionary(clips.map { ($0.file, library.path(of: $0.file)) }) { first, _ in first }
        looks.perform { () -> Result<[[Range<Int64>]], CommandError> in
            let ruler = ClipRuler(rate: rate) { lengths[$0.file] ?? nil }
            do throws(AudioFileError) {
                var found: [[Range<Int64>]] = []
                for track in tracks {
                    var pauses: [Range<Int64>] = []
                    for clip in track.clips { pauses += try Pauses.find(in: clip, at: paths[clip.file]!, ruler: ruler, measure) }
                    found.append(pauses)
                }
                return .success(found)
            } catch {
                return .failure(CommandError("\(error)"))
            }
        } then: { [self] outcome in
            done(outcome.flatMap { found in
                (current, author, notes) = (command, client, [])
                defer { author = nil }
                do throws(CommandError) {
                    try takeOut(found, of: tracks, measure)
                    return .success(notes.map(Answer.note))
                } catch {
                    return .failure(error)
                }
            })
        }
    }

    private func takeOut(_ found: [[Range<Int64>]], of tracks: [Track], _ measure: Pauses.Measure) throws(CommandError) {
        let (rate, ruler) = (session.sampleRate, library.ruler(atRate: session.sampleRate))
        var (count, frames) = (0, Int64(0))
        var stripped: [TrackID: [Clip]] = [:]
        for (before, pauses) in zip(tracks, found) {
            guard let index = session.index(of: before.id), session.tracks[index].clips == before.clips else {
                throw CommandError("the track \"\(before.name)\" was changed meanwhile: nothing was taken out")
            }
            var track = before
            for pause in pauses {
                let range = TimeRange(start: MediaTime(frame: pause.lowerBound, rate: rate), end: MediaTime(frame: pause.upperBound, rate: rate))
                // Where a clip fades, or crosses over into another, it stays.
                do throws(EditError) { try track.removeRange(range, keepsGap: true, ruler: ruler) } catch { continue }
                (count, frames) = (count + 1, frames + Int64(pause.count))
            }
            stripped[before.id] = track.clips
        }
        guard count > 0 else {
            let names = tracks.count > 3 ? "\(tracks.count) tracks have" : "\(tracks.map(\.name).joined(separator: ", ")) \(tracks.count == 1 ? "has" : "have")"
            throw CommandError("\(names) no pause of \(measure.minimum) below \(Readable.level(gain: measure.threshold)) that could be taken out")
        }
        try edit(.timeline) { session in
            for index in session.tracks.indices { if let clips = stripped[session.tracks[index].id] { session.tracks[index].clips = clips } }
        }
        notes.append("\(count) \(count == 1 ? "pause" : "pauses") taken out, \(Readable.clock(MediaTime(frame: frames, rate: rate).seconds)) in all")
    }
}
