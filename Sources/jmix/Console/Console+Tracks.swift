import AudioFile
import Engine
import Files
import OSC
import Remote
import Timeline

extension Console {
    /// Tracks and clips.
    func runTracks(_ command: Command) throws(CommandError) -> [OSCMessage] {
        switch command {
        case .add(let file, let time):
            guard session.tracks.count < Session.maximumTracks else { throw CommandError("a session has at most \(Session.maximumTracks) tracks") }
            var clip = Clip(file: try media.name(of: file, from: store.folder))
            clip.at = time?.time(atRate: session.sampleRate) ?? .zero
            try edit(.timeline) { session throws(CommandError) in
                var track = Track(name: session.freeName(Path.stem(of: clip.file)))
                track.clips = [clip]
                session.append(track)
                try self.check(clip, on: track, session.place(of: session.tracks.count - 1))
            }
            return [OSCMessage("/track/add", .int32(Int32(session.tracks.count)))]
        case .insert(let reference, let file, let time, let from, let duration):
            let place = try oneTrack(reference)
            var clip = Clip(file: try media.name(of: file, from: store.folder))
            clip.at = time.time(atRate: session.sampleRate)
            clip.from = from?.time(atRate: session.sampleRate) ?? .zero
            clip.duration = duration?.time(atRate: session.sampleRate)
            if clip.duration == .zero { throw CommandError("a clip lasts longer than 0") }
            try edit(.timeline) { session throws(CommandError) in
                let index = session.tracks[place].clips.firstIndex { $0.at > clip.at } ?? session.tracks[place].clips.count
                session.tracks[place].clips.insert(clip, at: index)
                try self.check(clip, on: session.tracks[place], session.place(of: place))
            }
        case .remove(let reference):
            let places = try tracks(reference)
            try edit(.timeline) { session in for place in places.reversed() { session.removeTrack(at: place) } }
        default: break
        }
        return []
    }

    /// Refuses a new clip that cannot be played or overlaps. What is wrong with other clips is no reason.
    private func check(_ clip: Clip, on track: Track, _ place: String) throws(CommandError) {
        var alone = track
        alone.clips = [clip]
        let problems = SessionCheck.problems(alone, place: place, library)
            + SessionCheck.problems(track, place: place, library).filter { $0.kind == .document }
        if let problem = problems.first { throw CommandError("\(problem)") }
    }
}
