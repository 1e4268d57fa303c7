import Engine
import Remote
import Timeline

extension Console {
    /// Automation, fades and ducks.
    func runTimeline(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .point(let track, let volume, let time, let replace):
            let at = time.time(atRate: session.sampleRate)
            try automate(track) { automation throws(AutomationError) in try automation.setVolume(volume, at: at, replace: replace) }
        case .ramp(let track, let first, let last, let start, let end, let curve, let replace):
            let range = TimeRange(start: start.time(atRate: session.sampleRate), end: end.time(atRate: session.sampleRate))
            try automate(track) { automation throws(AutomationError) in
                try automation.setVolumeRamp(from: first, to: last, over: range, curve: curve, replace: replace)
            }
        case .clearAutomation(let track, let start, let end):
            let range = start.map { ($0.time(atRate: session.sampleRate), end!.time(atRate: session.sampleRate)) }
            if let range, range.1 < range.0 { throw CommandError("the range \(range.0)-\(range.1) ends before it begins") }
            try automate(track) { automation in
                if let range { automation.clear(from: range.0, to: range.1) } else { automation.clear() }
            }
        case .removeEvent(let track, let number):
            try automate(track) { automation throws(AutomationError) in try automation.remove(at: number - 1) }
        case .moveEvent(let track, let number, let time, let replace):
            let at = time.time(atRate: session.sampleRate)
            try automate(track) { automation throws(AutomationError) in try automation.move(at: number - 1, to: at, replace: replace) }
        case .automation(let track):
            return try tracks(track).map { .automation(track: $0 + 1, session.tracks[$0].automation) }
        case .duck(let track, let under, let volume, let attack, let release):
            try duck(track, under: under, to: volume, attack: attack, release: release)
        default: break
        }
        return []
    }

    /// Changes the automation of every track that is meant, or of none.
    private func automate(
        _ reference: TrackReference, _ change: (inout VolumeAutomation) throws(AutomationError) -> Void
    ) throws(CommandError) {
        let indices = try tracks(reference)
        try edit(.timeline) { session throws(CommandError) in
            for index in indices {
                do throws(AutomationError) {
                    try change(&session.tracks[index].automation)
                } catch {
                    throw CommandError(error.message(place: session.place(of: index)) + (error.isInTheWay ? "; --replace, in OSC a closing T, makes room" : ""))
                }
            }
        }
    }

    /// One duck for each pair of tracks: a new one takes the old one's place, and one to 1 ends it.
    private func duck(
        _ reference: TrackReference, under: TrackReference, to volume: Double, attack: TimeSpec?, release: TimeSpec?
    ) throws(CommandError) {
        let (index, underIndex) = (try oneTrack(reference), try oneTrack(under))
        if index == underIndex { throw CommandError("track \(index + 1) cannot duck under itself") }
        var duck = Duck(track: session.tracks[index].id, under: session.tracks[underIndex].id, to: volume)
        if let attack { duck.attack = attack.time(atRate: session.sampleRate) }
        if let release { duck.release = release.time(atRate: session.sampleRate) }
        try edit(.timeline) { session in
            let existing = session.ducks.firstIndex { $0.track == duck.track && $0.under == duck.under }
            if let existing { duck.unknown = session.ducks.remove(at: existing).unknown }
            if volume != 1 { session.ducks.insert(duck, at: existing ?? session.ducks.count) }
        }
    }
}
