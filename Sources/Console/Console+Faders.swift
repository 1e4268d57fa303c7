import Engine
import Remote
import Timeline

/// What moves: faders, balances and other numbers that fade, are nudged, or are under a finger.
extension Console {
    /// A fader fades from where it is; of a balance the gains of both sides do, each by itself.
    func fade(
        _ strip: StripReference, _ control: Control, to goal: Goal, over time: TimeSpec, curve: Curve
    ) throws(CommandError) {
        let duration = time.time(atRate: session.sampleRate)
        if curve == .exponential { try noteSilence(strip, control, goal) }
        if try moveWritten(strip, control, to: goal, over: duration, curve: curve) { return }
        switch control {
        case .volume, .send(_, .volume):
            try moveFader(strip, control, to: goal, over: duration, curve: curve, sweep: nil)
        case .send(let bus, .pan):
            let targets = try sends(strip, bus, .pan)
            let approach = Approach.of(control, targets.map(\.send.id), over: duration, curve: curve)
            try edit(.strips(targets.map(\.place), approach)) { session throws(CommandError) in
                try Self.movePans(of: targets, control, to: goal, in: &session)
            }
        case .pan, .trim, .eq, .dynamics:
            let places = try places(strip, having: control)
            let approach = Approach.of(
                control, places.map { session[$0].id }, over: duration, curve: curve)
            try edit(.strips(places, approach)) { session throws(CommandError) in
                try move(control, of: places, to: goal, in: &session)
            }
        default: throw CommandError("\(control.word) does not fade")
        }
    }

    private static func movePans(
        of sends: [(place: StripPlace, send: Send)], _ control: Control, to goal: Goal,
        in session: inout Session
    ) throws(CommandError) {
        for (place, send) in sends {
            let pan = try goal.value(of: control, from: send.pan)
            session.setSend(of: place, to: send.bus) { $0.pan = pan }
        }
    }

    /// Between silence and anything there is no exponential curve: a line stands in for it.
    private func noteSilence(
        _ strip: StripReference, _ control: Control, _ goal: Goal
    ) throws(CommandError) {
        guard control.entry.kind == .volume else { return }
        for (name, gain) in try gains(strip, control) {
            if gain != 0, try goal.value(of: control, from: gain) != 0 { continue }
            request.notes.append("\(name) fades linearly: no exponential curve begins or ends at silence")
        }
    }

    /// Moves what is written at present, each from where it stands.
    private func moveWritten(
        _ strip: StripReference, _ control: Control, to goal: Goal, over duration: MediaTime? = nil,
        curve: Curve = .linear
    ) throws(CommandError) -> Bool {
        try moveWritten(strip, control, over: duration, curve: curve) { target throws(CommandError) in
            try goal.value(of: control, from: present(target))
        }
    }

    /// Moves faders, each from where it stands.
    private func moveFader(
        _ strip: StripReference, _ control: Control, to goal: Goal, over duration: MediaTime? = nil,
        curve: Curve = .linear, sweep: String?
    ) throws(CommandError) {
        try moveFader(strip, control, over: duration, curve: curve, sweep: sweep) { id throws(CommandError) in
            try goal.value(of: control, from: engine.presentFader(id))
        }
    }

    /// Where a control that hands write stands.
    private func present(_ target: Automated) -> Double {
        let lane = target.lane(session)
        return target.kind == .volume
            ? engine.presentFader(lane.owner) : heard.hand(of: lane, at: target.place) ?? 0
    }

    /// Sets a number of strips, each from where it stands.
    private func move(
        _ control: Control, of places: [StripPlace], to goal: Goal, in session: inout Session
    ) throws(CommandError) {
        for place in places {
            guard case .number(let present) = value(of: control, place, for: .subscribers) else { continue }
            try Self.set(control, try goal.value(of: control, from: present), of: &session[place])
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

    /// A fader, or another number, fades by a step from where it stands.
    func fade(
        _ strip: StripReference, _ control: Control, by step: Step, over time: TimeSpec, curve: Curve
    ) throws(CommandError) {
        let goal = Goal.step(step, isAlone: try checkRoom(strip, control, for: step))
        try fade(strip, control, to: goal, over: time, curve: curve)
    }

    /// Each so much higher or lower than it stands at this moment: to the end of its range at the most.
    /// Volumes of several keep what they are to each other: all of them move, or none.
    func nudge(_ strip: StripReference, _ control: Control, by step: Step) throws(CommandError) {
        let goal = Goal.step(step, isAlone: try checkRoom(strip, control, for: step))
        if try moveWritten(strip, control, to: goal) { return }
        switch control {
        case .volume, .send(_, .volume):
            try moveFader(strip, control, to: goal, sweep: "\(control.path)")
        case .send(let bus, .pan):
            try setExistingSends(strip, bus, .pan, sweep: "pan of send") {
                $0.pan = step.applied(to: $0.pan, of: control.entry.kind) ?? $0.pan
            }
        case .delay:
            let places = try places(strip, having: .delay)
            try setDelay(places) { Self.moved($0, by: step, atMost: Strip.longestDelay) }
        case .fadeIn, .fadeOut:
            try setFade(strip, control == .fadeIn ? \.fadeIn : \.fadeOut) {
                Self.moved($0, by: step, atMost: .latest)
            }
        default:
            try nudgeControl(strip, control, to: goal)
        }
    }

    private func nudgeControl(
        _ strip: StripReference, _ control: Control, to goal: Goal
    ) throws(CommandError) {
        let places = try places(strip, having: control)
        let isPlanned = if case .automix = control { true } else { false }
        let strips = Reach.strips(places, .of(control, places.map { session[$0].id }))
        try edit(isPlanned ? .timeline : strips, sweep: "\(control.path) \(places)") {
            session throws(CommandError) in try move(control, of: places, to: goal, in: &session)
        }
    }

    private static func moved(_ time: MediaTime, by step: Step, atMost end: MediaTime) -> MediaTime {
        let change = MediaTime(seconds: step.applied(to: 0), preferredTimescale: 1_000_000)
        return min(end, max(.zero, time + change))
    }

    /// - Returns: whether it is one control that is to be moved.
    /// - Throws: one of several would be above the end of its range.
    private func checkRoom(
        _ strip: StripReference, _ control: Control, for step: Step
    ) throws(CommandError) -> Bool {
        guard control.entry.kind == .volume else { return true }
        let gains = try gains(strip, control)
        if gains.count < 2 { return true }
        if let (name, gain) = gains.first(where: {
            step.applied(toGain: $0.gain, leavesSilence: false) > Volume.range.upperBound
        }) {
            throw CommandError(
                "\(name) stands at \(Readable.level(gain: gain)): \(step.readable) is above +12 dB")
        }
        return false
    }

    /// Where gains stand at this moment, with the names of their strips.
    private func gains(
        _ strip: StripReference, _ control: Control
    ) throws(CommandError) -> [(name: String, gain: Double)] {
        if case .send(let bus, let part) = control {
            return try sends(strip, bus, part).map {
                (session[$0.place].name, engine.presentFader($0.send.id))
            }
        }
        return try places(strip, having: control).map { place in
            guard case .number(let gain) = value(of: control, place, for: .subscribers) else {
                return (session[place].name, 0)
            }
            return (session[place].name, gain)
        }
    }

    /// A fader that is to be moved; `bus` is that of a send.
    private typealias Move = (place: StripPlace, bus: StripID?, id: StripID, volume: Double)

    private func moves(
        _ reference: StripReference, _ control: Control,
        to volume: (StripID) throws(CommandError) -> Double
    ) throws(CommandError) -> [Move] {
        var moves: [Move] = []
        if case .send(let bus, let part) = control {
            for (place, send) in try sends(reference, bus, part) {
                moves.append((place, send.bus, send.id, try volume(send.id)))
            }
        } else {
            for place in try places(reference, having: control) {
                moves.append((place, nil, session[place].id, try volume(session[place].id)))
            }
        }
        return moves
    }

    /// Moves each fader that is meant: of strips, or of sends that are there.
    func moveFader(
        _ reference: StripReference, _ control: Control, over duration: MediaTime? = nil,
        curve: Curve = .linear, sweep: String?, to volume: (StripID) throws(CommandError) -> Double
    ) throws(CommandError) {
        let moves = try moves(reference, control, to: volume)
        // Not those that stay where they are.
        let free = moves.map(\.id).filter { !touches.isHeld($0, against: request.author) }
        let approach = Approach.of(control, free, over: duration, curve: curve)
        let sweep = sweep.map { "\($0) \(moves.map(\.id))" }
        try edit(.strips(moves.map(\.place), approach), sweep: sweep) { session in
            for (place, bus, _, volume) in moves {
                if let bus {
                    session.setSend(of: place, to: bus) { $0.volume = volume }
                } else {
                    session[place].fader = volume
                }
            }
        }
    }
}
