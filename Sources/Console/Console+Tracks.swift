import AudioFile
import Engine
import Files
import Remote
import Speakers
import Timeline

extension Console {
    /// Tracks, and clips that become of files.
    func runTracks(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .add(let file, let place): return [try addTrack(file, at: place)]
        case .insert(let reference, let file, let place, let from, let duration, let push, let crossfade):
            let index = try oneTrack(reference)
            var clip = Clip(file: try name(of: file))
            (clip.at, clip.from) = (try time(place), from.map(time) ?? .zero)
            clip.duration = duration.map(time)
            if let crossfade { clip.crossfade = fade(crossfade) }
            try insert(clip, on: index, push: push)
        case .remove(let reference): try removeStrips(reference)
        default: break
        }
        return []
    }

    /// The command with a time for what is counted from the playhead: that goes on while a file is looked at.
    func placed(_ command: Command) -> Command {
        switch command {
        case .add(let file, let place?): .add(file: file, at: placed(place))
        case .insert(let track, let file, let place, let from, let duration, let push, let crossfade):
            .insert(
                track, file: file, at: placed(place), from: from, duration: duration, push: push,
                crossfade: crossfade)
        default: command
        }
    }

    private func placed(_ place: Place) -> Place {
        guard place.needsPlayhead, let time = try? time(place) else { return place }
        return .time(.time(time))
    }

    private func addTrack(_ file: String, at place: Place?) throws(CommandError) -> Answer {
        guard session.tracks.count < Session.maximumTracks else {
            throw CommandError("a session has at most \(Session.maximumTracks) tracks")
        }
        var clip = Clip(file: try name(of: file))
        if let place { clip.at = try time(place) }
        let layout = naturalLayout(of: clip)
        try check(clip, on: layout, "\(StripPlace.track(session.tracks.count + 1))")
        try edit(.timeline) { session in
            var track = Track(name: session.freeName(Path.stem(of: clip.file.text)), layout: layout)
            track.clips = [clip]
            session.append(track)
        }
        return .added(.track(session.tracks.count))
    }

    private func removeStrips(_ reference: StripReference) throws(CommandError) {
        if reference == .master { throw CommandError("the master stays") }
        let places = try places(reference)
        try edit(.timeline) { session in
            for place in places.reversed() {
                switch place {
                case .track(let number): session.removeTrack(at: number - 1)
                case .bus(let number): session.removeBus(at: number - 1)
                case .dca(let number): session.removeDCA(at: number - 1)
                case .master: break
                }
            }
        }
    }

    /// The clips of tracks.
    func runClips(_ reference: StripReference, _ command: ClipCommand) throws(CommandError) -> [Answer] {
        switch command {
        case .list: return try tracks(reference).map(clips)
        case .gaps(let minimum, let start):
            let (minimum, start) = (time(minimum ?? .standardGap), start.map(time) ?? .zero)
            return try tracks(reference).map { gaps($0, atLeast: minimum, from: start) }
        case .append(let file, let from, let duration, let crossfade):
            let index = try oneTrack(reference)
            var clip = Clip(file: try name(of: file))
            (clip.from, clip.duration) = (from.map(time) ?? .zero, duration.map(time))
            if let crossfade { clip.crossfade = fade(crossfade) }
            try append(clip, on: index)
        case .playlist(let files, let crossfade):
            try append(files, crossfade.map(fade), on: try oneTrack(reference))
        case .stripSilence: throw CommandError("that waits for a disk: it has to be begun")
        case .step(let number, let what, let step):
            return try runClips(reference, try stepped(reference, number, what, by: step))
        case .pace(let number, let pace, let value): try setPace(reference, number, pace, value)
        case .removeRange(let start, let end, keepsGap: false, keepsAutomation: false)
        where meansAllTracks(reference):
            return try removeRange(TimeRange(start: time(start), end: time(end)))
        default:
            if case .repeat(_, let times, _) = command { try checkRoom(times * tracks(reference).count) }
            if let change = try clipEdit(command) {
                try editClips(reference, waysOut: waysOut(of: command), change)
            }
        }
        return []
    }

    /// Puts a clip behind the last of a track, from which it crosses over.
    private func append(_ clip: Clip, on index: Int) throws(CommandError) {
        var clip = clip
        clip.at = max(.zero, session.tracks[index].end(ruler: ruler) - clip.crossfade.duration)
        try insert(clip, on: index, push: false)
    }

    /// Refuses more clips than there may be before they are made.
    private func checkRoom(_ clips: Int) throws(CommandError) {
        if session.tracks.reduce(clips, { $0 + $1.clips.count }) > Session.maximumClips {
            throw Self.tooManyClips
        }
    }

    /// What makes room for a clip that lies on another.
    private func waysOut(of command: ClipCommand) -> String {
        switch command {
        case .move: ": --push makes room, --crossfade means it"
        case .repeat: ": --push makes room"
        default: ""
        }
    }

    /// What sets a number of one clip to where a step leads.
    func stepped(
        _ reference: StripReference, _ number: Int, _ what: ClipNumber, by step: Step
    ) throws(CommandError) -> ClipCommand {
        let index = try oneTrack(reference)
        let clips = session.tracks[index].clips
        guard clips.indices.contains(number - 1) else {
            let error = EditError.noClip(number: number, count: clips.count)
            throw CommandError(error.message(place: "track \(index + 1)"))
        }
        return what.command(moving: clips[number - 1], number, by: step)
    }

    private func clips(_ index: Int) -> Answer {
        let ruler = library.presumingRuler(atRate: session.sampleRate)
        let clips = session.tracks[index].clips.map {
            ClipSummary(
                $0, end: ruler.range(of: $0)?.end, isEstimated: $0.duration == nil && library.isGuessed($0))
        }
        return .clips(.track(index + 1), clips)
    }

    private func gaps(_ index: Int, atLeast minimum: MediaTime, from start: MediaTime) -> Answer {
        var gaps: [TimeRange] = []
        // nil: behind a clip whose end nobody knows yet.
        var end: MediaTime? = start
        for clip in session.tracks[index].clips {
            if let end, clip.at > end, clip.at - end >= minimum {
                gaps.append(TimeRange(start: end, end: clip.at))
            }
            let isKnown = clip.duration != nil || !library.isGuessed(clip)
            end = isKnown ? ruler.range(of: clip).map { max(end ?? start, $0.end) } : nil
        }
        return .gaps(.track(index + 1), gaps)
    }

    /// What a command does to a track that looks at no file; nil where it does more.
    private func clipEdit(
        _ command: ClipCommand
    ) throws(CommandError) -> ((inout Track) throws(EditError) -> Void)? {
        let ruler = ruler
        switch command {
        case .remove(let number):
            return { track throws(EditError) in try track.removeClip(at: number - 1, ruler: ruler) }
        case .trim(let number, let start, let end):
            let range = TimeRange(start: time(start), end: time(end))
            return { track throws(EditError) in try track.trimClip(at: number - 1, to: range, ruler: ruler) }
        case .gain, .fade: return clipShape(command)
        case .move(let number, let place, let push, let crossfade):
            return try clipMove(number, to: place, push: push, crossfade.map(fade))
        case .repeat(let number, let times, let push):
            return { track throws(EditError) in
                try track.repeatClip(at: number - 1, times: times, push: push, ruler: ruler)
            }
        case .split, .silence, .removeRange: return try rangeEdit(command)
        case .list, .gaps, .append, .playlist, .pace, .step, .stripSilence: return nil
        }
    }

    /// The same of what shapes one clip.
    private func clipShape(_ command: ClipCommand) -> ((inout Track) throws(EditError) -> Void)? {
        switch command {
        case .gain(let number, let gain):
            return { track throws(EditError) in try track.shapeClip(at: number - 1) { $0.gain = gain } }
        case .fade(let number, let edge, let time, let curve):
            let fade = ClipFade(self.time(time), curve: curve)
            let path: WritableKeyPath<Clip, ClipFade> = edge == .fadeIn ? \.fadeIn : \.fadeOut
            return { track throws(EditError) in
                try track.shapeClip(at: number - 1) { $0[keyPath: path] = fade }
            }
        default: return nil
        }
    }

    /// The same of what cuts all clips at a time, or in a range of it.
    private func rangeEdit(
        _ command: ClipCommand
    ) throws(CommandError) -> ((inout Track) throws(EditError) -> Void)? {
        let ruler = ruler
        switch command {
        case .split(let place):
            let time = try time(place)
            return { track throws(EditError) in try track.split(at: time, ruler: ruler) }
        case .silence(let time, let duration):
            let range = TimeRange(start: self.time(time), duration: self.time(duration))
            return { track throws(EditError) in try track.insertSilence(range, ruler: ruler) }
        case .removeRange(let start, let end, let keepsGap, _):
            let range = TimeRange(start: time(start), end: time(end))
            return { track throws(EditError) in
                try track.removeRange(range, keepsGap: keepsGap, ruler: ruler)
            }
        default: return nil
        }
    }

    private func clipMove(
        _ number: Int, to place: Place, push: Bool, _ crossfade: ClipFade?
    ) throws(CommandError) -> (inout Track) throws(EditError) -> Void {
        let (ruler, time) = (ruler, try time(place))
        let distance: MediaTime? =
            switch place {
            case .later(let time): self.time(time)
            case .earlier(let time): .zero - self.time(time)
            default: nil
            }
        return { track throws(EditError) in
            let lies = track.clips.indices.contains(number - 1) ? track.clips[number - 1].at : .zero
            try track.moveClip(
                at: number - 1, to: distance.map { max(.zero, lies + $0) } ?? time, push: push,
                crossfade: crossfade, ruler: ruler)
        }
    }

    /// Whether every track is meant, whatever it is called.
    private func meansAllTracks(_ reference: StripReference) -> Bool {
        reference.selector == .pattern("*") && !session.tracks.isEmpty
    }

    /// Takes a stretch out of the timeline as a whole.
    /// - Returns: a note where the movie does not come along.
    private func removeRange(_ range: TimeRange) throws(CommandError) -> [Answer] {
        let video = session.video
        try edit(.timeline) { session throws(CommandError) in
            do throws(RippleError) {
                try session.removeRange(range, ruler: ruler)
            } catch {
                switch error {
                case .range(let range): throw CommandError("there is no frame from \(range) to take out")
                case .clips(let track, let error):
                    throw CommandError(error.message(place: "\(StripPlace.track(track))"))
                case .automation(let name, let error):
                    throw CommandError("\(error.message(place: name)); --keep-automation leaves it as it is")
                }
            }
        }
        guard let video, video == session.video else { return [] }
        return [
            .note(
                """
                the movie is not cut, and its picture begins before \(range.start.readable): what is seen \
                of it behind that is \(range.duration.readable) late
                """)
        ]
    }

    /// Changes the clips of every track that is meant, or of none.
    private func editClips(
        _ reference: StripReference, waysOut: String = "",
        _ change: (inout Track) throws(EditError) -> Void
    ) throws(CommandError) {
        let indices = try tracks(reference)
        try edit(.timeline) { session throws(CommandError) in
            for index in indices {
                do throws(EditError) {
                    try change(&session.tracks[index])
                } catch {
                    throw CommandError(
                        error.message(place: "\(StripPlace.track(index + 1))")
                            + (error.isInTheWay ? waysOut : ""))
                }
            }
        }
    }

    /// What clips would be that play their files otherwise.
    func paced(
        _ reference: StripReference, _ number: Int, _ pace: ClipPace, _ value: ControlValue
    ) throws(CommandError) -> [Clip] {
        var paced: [Clip] = []
        for index in try tracks(reference) {
            let clips = session.tracks[index].clips
            guard clips.indices.contains(number - 1) else {
                throw CommandError(
                    EditError.noClip(number: number, count: clips.count).message(
                        place: "\(StripPlace.track(index + 1))"))
            }
            var clip = clips[number - 1]
            try pace.set(value, of: &clip)
            paced.append(clip)
        }
        return paced
    }

    private func setPace(
        _ reference: StripReference, _ number: Int, _ pace: ClipPace, _ value: ControlValue
    ) throws(CommandError) {
        var paced = try paced(reference, number, pace, value)
        for (index, clip) in zip(try tracks(reference), paced) {
            try check(clip, on: session.tracks[index].layout, "\(StripPlace.track(index + 1))")
        }
        try editClips(reference) { track throws(EditError) in
            try track.setPace(ofClipAt: number - 1, as: paced.removeFirst(), ruler: self.ruler)
        }
    }

    private func insert(_ clip: Clip, on index: Int, push: Bool) throws(CommandError) {
        try check(clip, on: session.tracks[index].layout, "\(StripPlace.track(index + 1))")
        try editClips(
            .track(.number(index + 1)), waysOut: ": --push makes room, --crossfade means it"
        ) { track throws(EditError) in
            try track.insert(clip, push: push, ruler: self.ruler)
        }
    }

    /// Files one behind the other, all of them or none; the first of a track has nothing to be crossfaded
    /// with.
    private func append(_ files: [String], _ crossfade: ClipFade?, on index: Int) throws(CommandError) {
        let (place, ruler) = ("\(StripPlace.track(index + 1))", ruler)
        try edit(.timeline) { session throws(CommandError) in
            for file in files {
                var clip = Clip(file: try name(of: file))
                if let crossfade, !session.tracks[index].clips.isEmpty { clip.crossfade = crossfade }
                clip.at = max(.zero, session.tracks[index].end(ruler: ruler) - clip.crossfade.duration)
                try check(clip, on: session.tracks[index].layout, place)
                do throws(EditError) { try session.tracks[index].insert(clip, ruler: ruler) } catch {
                    throw CommandError("\(clip.file): \(error.message(place: place))")
                }
            }
        }
    }

    func time(_ time: TimeSpec) -> MediaTime { time.time(atRate: session.sampleRate) }

    private func time(_ place: Place) throws(CommandError) -> MediaTime {
        switch place {
        case .time(let time): self.time(time)
        case .here: markedHere?.at ?? playhead
        case .later(let time): playhead + self.time(time)
        case .earlier(let time): max(.zero, playhead - self.time(time))
        case .end: session.tracks.map { $0.end(ruler: ruler) }.max() ?? .zero
        case .marker(let name): try marker(name).at
        }
    }

    private func fade(_ crossfade: Crossfade) -> ClipFade {
        ClipFade(time(crossfade.duration), curve: crossfade.curve)
    }

    private var ruler: ClipRuler { library.ruler(atRate: session.sampleRate) }

    /// Refuses a clip that cannot be played.
    private func check(_ clip: Clip, on layout: SpeakerLayout, _ place: String) throws(CommandError) {
        var alone = Track(name: "", layout: layout)
        alone.clips = [clip]
        // What it overlaps is looked at where it is put.
        alone.clips[0].crossfade.duration = .zero
        if let problem = SessionCheck.problems(alone, place: place, library, rate: session.sampleRate).first {
            throw CommandError("\(problem)")
        }
    }

    /// The channels of a track that is made of a clip: those of its file, where that is for more speakers
    /// than two.
    private func naturalLayout(of clip: Clip) -> SpeakerLayout {
        let channels = (try? library.info(of: clip).get().channels) ?? 2
        return max(.stereo, SpeakerLayout(rawValue: channels) ?? .stereo)
    }
}
