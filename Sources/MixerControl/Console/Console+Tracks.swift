import AudioFile
import Engine
import Files
import Remote
import Timeline

extension Console {
    /// Tracks and clips.
    func runTracks(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .add(let file, let time):
            guard session.tracks.count < Session.maximumTracks else { throw CommandError("a session has at most \(Session.maximumTracks) tracks") }
            var clip = Clip(file: try name(of: file))
            clip.at = time?.time(atRate: session.sampleRate) ?? .zero
            try check(clip, session.place(of: session.tracks.count))
            try edit(.timeline) { session in
                var track = Track(name: session.freeName(Path.stem(of: clip.file)))
                track.clips = [clip]
                session.append(track)
            }
            return [.added(track: session.tracks.count)]
        case .insert(let reference, let file, let time, let from, let duration, let push):
            try insert(on: reference, file, from: from, duration: duration, push: push) { _ in time.time(atRate: self.session.sampleRate) }
        case .remove(let reference):
            let indices = try tracks(reference)
            try edit(.timeline) { session in for index in indices.reversed() { session.removeTrack(at: index) } }
        default: break
        }
        return []
    }

    /// The clips of tracks.
    func runClips(_ reference: TrackReference, _ command: ClipCommand) throws(CommandError) -> [Answer] {
        let (rate, ruler) = (session.sampleRate, ruler)
        switch command {
        case .list:
            return try tracks(reference).map { index in
                .clips(track: index + 1, session.tracks[index].clips.map { PlacedClip($0, end: ruler.range(of: $0)?.end) })
            }
        case .append(let file, let from, let duration):
            try insert(on: reference, file, from: from, duration: duration, push: false) { $0.end(ruler: ruler) }
        case .split(let time):
            try editClips(reference) { track throws(EditError) in try track.split(at: time.time(atRate: rate), ruler: ruler) }
        case .move(let number, let time, let push):
            try editClips(reference) { track throws(EditError) in
                try track.moveClip(at: number - 1, to: time.time(atRate: rate), push: push, ruler: ruler)
            }
        case .silence(let time, let duration):
            let range = TimeRange(start: time.time(atRate: rate), duration: duration.time(atRate: rate))
            try editClips(reference) { track throws(EditError) in try track.insertSilence(range, ruler: ruler) }
        case .removeRange(let start, let end, let keepsGap):
            let range = TimeRange(start: start.time(atRate: rate), end: end.time(atRate: rate))
            try editClips(reference) { track throws(EditError) in try track.removeRange(range, keepsGap: keepsGap, ruler: ruler) }
        }
        return []
    }

    /// Changes the clips of every track that is meant, or of none.
    private func editClips(_ reference: TrackReference, _ change: (inout Track) throws(EditError) -> Void) throws(CommandError) {
        let indices = try tracks(reference)
        try edit(.timeline) { session throws(CommandError) in
            for index in indices {
                do throws(EditError) {
                    try change(&session.tracks[index])
                } catch {
                    throw CommandError(error.message(place: session.place(of: index)))
                }
            }
        }
    }

    /// Puts a clip of a file where `time` says.
    private func insert(
        on reference: TrackReference, _ file: String, from: TimeSpec?, duration: TimeSpec?, push: Bool, at time: (Track) -> MediaTime
    ) throws(CommandError) {
        let index = try oneTrack(reference)
        var clip = Clip(file: try name(of: file))
        clip.at = time(session.tracks[index])
        clip.from = from?.time(atRate: session.sampleRate) ?? .zero
        clip.duration = duration?.time(atRate: session.sampleRate)
        try check(clip, session.place(of: index))
        let placed = clip
        try editClips(.number(index + 1)) { track throws(EditError) in try track.insert(placed, push: push, ruler: self.ruler) }
    }

    private var ruler: ClipRuler { library.ruler(atRate: session.sampleRate) }

    /// Refuses a clip that cannot be played.
    private func check(_ clip: Clip, _ place: String) throws(CommandError) {
        var alone = Track(name: "")
        alone.clips = [clip]
        if let problem = SessionCheck.problems(alone, place: place, library, rate: session.sampleRate).first { throw CommandError("\(problem)") }
    }
}
