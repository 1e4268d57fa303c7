import Engine
import OSC
import Remote
import Timeline

extension Console {
    /// Faders, mutes, solos, pans, names, meters.
    func runStrip(_ command: Command) throws(CommandError) -> [OSCMessage] {
        switch command {
        case .volume(let strip, nil):
            return try ask(strip, "volume") { index in
                let fader = engine.presentFader(index.map { session.tracks[$0].id })
                return [.float(Float(fader))]
            }
        case .volume(let strip, let volume?):
            try each(strip, sweep: "volume") { session, index in
                if let index { session.tracks[index].fader = volume } else { session.master.fader = volume }
            } then: { id in engine.setFader(id, to: volume) }
        case .level(let strip, let scale, nil):
            return try ask(strip, "volume/\(scale.rawValue)") { index in
                [.float(Float(scale.value(gain: engine.presentFader(index.map { session.tracks[$0].id }))))]
            }
        case .level(let strip, let scale, let value?): return try runStrip(.volume(strip, try scale.gain(value)))
        case .touch(let strip, nil):
            return try ask(strip, "volume/touch") { index in [.int32(touches.isTouched(index.map { session.tracks[$0].id }) ? 1 : 0)] }
        case .touch(let strip, let flag?): try touch(strip, flag)
        case .fade(let strip, let volume, let time, let curve):
            let duration = time.time(atRate: session.sampleRate)
            try each(strip, sweep: nil) { session, index in
                if let index { session.tracks[index].fader = volume } else { session.master.fader = volume }
            } then: { id in engine.fade(id, to: volume, over: duration, curve: curve) }
        case .mute(let strip, nil):
            return try ask(strip, "mute") { index in [.int32((index.map { session.tracks[$0].mute } ?? session.master.mute) ? 1 : 0)] }
        case .mute(.master, let flag?):
            try edit(.allStrips) { $0.master.mute = flag }
        case .mute(.track(let track), let flag?):
            let places = try tracks(track)
            try edit(.allStrips) { session in for place in places { session.tracks[place].mute = flag } }
        case .solo(let track, nil):
            return try ask(.track(track), "solo") { index in [.int32(session.tracks[index!].solo ? 1 : 0)] }
        case .solo(let track, let flag?):
            let places = try tracks(track)
            try edit(.allStrips) { session in for place in places { session.tracks[place].solo = flag } }
        case .pan(let track, nil):
            return try ask(.track(track), "pan") { index in [.float(Float(session.tracks[index!].pan))] }
        case .pan(let track, let pan?):
            guard (-1...1).contains(pan) else { throw CommandError("\(pan) is not a pan: it goes from -1 (left) to 1 (right)") }
            let places = try tracks(track)
            try edit(.strips(places), sweep: "pan \(places)") { session in for place in places { session.tracks[place].pan = pan + 0 } }
        case .name(let track, nil):
            return try ask(.track(track), "name") { index in [.string(session.tracks[index!].name)] }
        case .name(let track, let name?):
            let place = try oneTrack(track)
            if let problem = TrackName.problem(name) { throw CommandError(problem) }
            if let other = session.tracks.firstIndex(where: { $0.name == name }), other != place {
                throw CommandError("\"\(name)\" is already the name of track \(other + 1)")
            }
            try edit(.strips([place])) { $0.tracks[place].name = name }
        case .meter(let strip):
            return try ask(strip, "meter") { index in
                meterMessage("", meters.read(index.map { session.tracks[$0].id }, from: engine, for: .questions)).arguments
            }
        default: break
        }
        return []
    }

    /// A finger is on a fader, or leaves it. A fade that moves the fader ends under the finger.
    private func touch(_ strip: StripReference, _ flag: Bool) throws(CommandError) {
        guard let author else { throw CommandError("only a controller can touch a fader") }
        let strips: [TrackID?] = switch strip {
        case .master: [nil]
        case .track(let track): try tracks(track).map { session.tracks[$0].id }
        }
        if let held = strips.first(where: { touches.isHeld($0, against: author) }) {
            throw CommandError("someone else has a finger on the fader of \(held.flatMap { id in session.tracks.first { $0.id == id }?.name } ?? "the master")")
        }
        for strip in strips {
            guard flag else {
                touches.end(strip)
                continue
            }
            _ = touches.begin(strip, author)
            if engine.isFading(strip) { try stopFade(strip) }
        }
    }

    private func stopFade(_ strip: TrackID?) throws(CommandError) {
        let volume = engine.presentFader(strip)
        let reference: StripReference = strip.flatMap { id in session.tracks.firstIndex { $0.id == id } }.map { .track(.number($0 + 1)) } ?? .master
        _ = try runStrip(.volume(reference, volume))
    }

    /// One answer for each strip that was asked; nil is the master.
    private func ask(_ strip: StripReference, _ name: String, _ value: (Int?) -> [OSCArgument]) throws(CommandError) -> [OSCMessage] {
        switch strip {
        case .master: return [OSCMessage("/master/\(name)", value(nil))]
        case .track(let track): return try tracks(track).map { OSCMessage("/track/\($0 + 1)/\(name)", value($0)) }
        }
    }

    /// Changes each strip that is meant, in the document and then in the engine.
    private func each(
        _ strip: StripReference, sweep: String?, _ change: (inout Session, Int?) -> Void, then tell: (TrackID?) -> Void
    ) throws(CommandError) {
        guard case .track(let track) = strip else {
            return try edit(.allStrips, sweep: sweep.map { "\($0) master" }, { change(&$0, nil) }, then: { tell(nil) })
        }
        let places = try tracks(track)
        try edit(
            .strips(places), sweep: sweep.map { "\($0) \(places)" }, { session in for place in places { change(&session, place) } },
            then: { for place in places { tell(session.tracks[place].id) } })
    }
}
