import Engine
import Remote
import Timeline

/// What moves: faders, balances and other numbers that fade, are nudged, or are under a finger.
extension Console {
    /// A fader fades from where it is; of a balance the gains of both sides do, each by itself.
    func fade(
        _ strip: StripReference, _ control: Control, to value: Double, over time: TimeSpec, curve: Curve
    ) throws(CommandError) {
        let duration = time.time(atRate: session.sampleRate)
        if try moveWritten(strip, control, over: duration, curve: curve, to: { _ in value }) { return }
        switch control {
        case .volume, .send(_, .volume):
            try moveFader(strip, control, to: { _ in value }, sweep: nil) { id, volume in
                engine.fade(id, to: volume, over: duration, curve: curve)
            }
        case .pan, .trim:
            let places = try places(strip, having: control)
            try glide(places, over: duration, curve) { session in
                for place in places {
                    if control == .pan { session[place].pan = value } else { session[place].trim = value }
                }
            }
        case .send(let bus, .pan):
            let targets = try sends(strip, bus, .pan)
            try glide(targets.map(\.place), over: duration, curve) { session in
                for (place, send) in targets { session.setSend(of: place, to: send.bus) { $0.pan = value } }
            }
        case .eq, .dynamics:
            let places = try places(strip, having: control)
            var next = session
            for place in places { try Self.set(control, value, of: &next[place]) }
            try glide(places, over: duration, curve) { [next] session in
                for place in places { session[place] = next[place] }
            }
        default: throw CommandError("\(control.word) does not fade")
        }
    }

    /// Sets a number of a strip.
    static func set(_ control: Control, _ value: Double, of strip: inout Strip) throws(CommandError) {
        switch control {
        case .pan: strip.pan = value
        case .trim: strip.trim = value
        case .automix(let control): try strip.set(AutomixSetting(control, .number(value)))
        case .eq(let control):
            var equaliser = strip.equaliser ?? Equaliser()
            try equaliser.set(EqualiserSetting(control, .number(value)))
            strip.equaliser = equaliser
        case .dynamics(let control):
            try strip.set(control, .number(value))
            if let problem = strip.gate?.problem { throw CommandError("\(strip.name): \(problem)") }
        default: throw CommandError("\(control.word) is no number")
        }
    }

    /// Changes strips, and lets the engine glide there.
    private func glide(
        _ places: [StripPlace], over duration: MediaTime, _ curve: Curve, _ change: (inout Session) -> Void
    ) throws(CommandError) {
        var next = session
        change(&next)
        try edit(
            .strips(places), change,
            then: { engine.applyStrips(hearing(next), at: places, over: duration, curve: curve) })
    }

    /// Each so much higher or lower than it stands at this moment, a gain by so many dB: to the end of its
    /// range at the most. Volumes of several keep what they are to each other: all of them move, or none.
    func nudge(_ strip: StripReference, _ control: Control, by change: Double) throws(CommandError) {
        let isOne = try checkRoom(strip, control, for: change)
        let isDone = try moveWritten(
            strip, control,
            to: { target throws(CommandError) in
                let lane = target.lane(session)
                let present =
                    target.kind == .volume
                    ? engine.presentFader(lane.owner) : heard.hand(of: lane, at: target.place) ?? 0
                return try moved(control, present, by: change, isOne)
            })
        if isDone { return }
        switch control {
        case .volume, .send(_, .volume):
            try moveFader(
                strip, control,
                to: { Self.raised(engine.presentFader($0), by: change, isOne) }, sweep: "\(control.path)"
            ) { id, volume in engine.setFader(id, to: volume) }
        case .send(let bus, .pan):
            try setExistingSends(strip, bus, .pan, sweep: "pan of send") {
                $0.pan = min(1, max(-1, $0.pan + change))
            }
        default:
            let places = try places(strip, having: control)
            var next = session
            for place in places {
                guard case .number(let present) = value(of: control, place, for: .subscribers) else {
                    continue
                }
                try Self.set(
                    control, try moved(control, present, by: change, isOne), of: &next[place])
            }
            let isPlanned = if case .automix = control { true } else { false }
            try edit(isPlanned ? .timeline : .strips(places), sweep: "\(control.path) \(places)") {
                [next] session in for place in places { session[place] = next[place] }
            }
        }
    }

    private func moved(
        _ control: Control, _ present: Double, by change: Double, _ isOne: Bool
    ) throws(CommandError) -> Double {
        switch control.entry.kind {
        case .volume: return Self.raised(present, by: change, isOne)
        case .number(let range): return min(range.upperBound, max(range.lowerBound, present + change))
        default: throw CommandError("\(control.word) moves by nothing")
        }
    }

    /// - Returns: whether it is one control that is to be moved.
    /// - Throws: one of several would be above the end of its range.
    private func checkRoom(
        _ strip: StripReference, _ control: Control, for decibels: Double
    ) throws(CommandError) -> Bool {
        guard control.entry.kind == .volume else { return true }
        let gains: [(name: String, gain: Double)]
        if case .send(let bus, let part) = control {
            gains = try sends(strip, bus, part).map {
                (session[$0.place].name, engine.presentFader($0.send.id))
            }
        } else {
            gains = try places(strip, having: control).map { place in
                if case .number(let gain) = value(of: control, place, for: .subscribers) {
                    (session[place].name, gain)
                } else {
                    (session[place].name, 0)
                }
            }
        }
        if gains.count < 2 { return true }
        if let (name, gain) = gains.first(where: {
            $0.gain * Volume.gain(level: decibels) > Volume.range.upperBound
        }) {
            throw CommandError(
                "\(name) stands at \(Readable.level(gain: gain)): \(decibels) dB more is above +12 dB")
        }
        return false
    }

    /// Silence, from which no number of dB leads away, counts as -60 dB for what goes up by itself.
    private static func raised(_ gain: Double, by decibels: Double, _ isOne: Bool) -> Double {
        let from = gain == 0 && decibels > 0 && isOne ? Volume.gain(level: -60) : gain
        return min(Volume.range.upperBound, from * Volume.gain(level: decibels))
    }

    /// Moves each fader that is meant, in the document and then in the engine: of strips, or of sends that
    /// are there.
    func moveFader(
        _ reference: StripReference, _ control: Control, to volume: (StripID) throws(CommandError) -> Double,
        sweep: String?, then tell: (StripID, Double) -> Void
    ) throws(CommandError) {
        var moves: [(place: StripPlace, bus: StripID?, id: StripID, volume: Double)] = []
        if case .send(let bus, let part) = control {
            for (place, send) in try sends(reference, bus, part) {
                moves.append((place, send.bus, send.id, try volume(send.id)))
            }
        } else {
            for place in try places(reference, having: control) {
                moves.append((place, nil, session[place].id, try volume(session[place].id)))
            }
        }
        try edit(
            .strips(moves.map(\.place)), sweep: sweep.map { "\($0) \(moves.map(\.id))" },
            { session in
                for (place, bus, _, volume) in moves {
                    if let bus {
                        session.setSend(of: place, to: bus) { $0.volume = volume }
                    } else {
                        session[place].fader = volume
                    }
                }
            },
            // Not those that are left where they are.
            then: {
                for (_, _, id, volume) in moves where !touches.isHeld(id, against: author) {
                    tell(id, volume)
                }
            })
    }
}
