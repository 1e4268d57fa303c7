import Engine
import Remote
import Timeline

/// What sets strips' gains by levels.
extension Console {
    /// Where a control of a gate or a compressor stands.
    func value(of control: DynamicsControl, _ strip: Strip) -> ControlValue {
        switch control.part {
        case .key: return .text(strip.key(of: control.kind).flatMap { session.name(of: $0) } ?? "")
        case .reduction:
            let reductions = engine.reductions(strip.id)
            switch control.kind {
            case .gate: return .number(reductions.gate)
            case .comp: return .number(reductions.compressor)
            case .limit: return .number(reductions.limiter)
            }
        case .on, .parameter: return strip.value(of: control)
        }
    }

    /// Sets something of the gate or the compressor of every strip that is meant, and makes it where there is
    /// none; all of it, or nothing.
    /// - Parameter sweep: nil: a step of its own to undo.
    func setDynamics(
        _ reference: StripReference, _ settings: [DynamicsPart], sweep: String?
    ) throws(CommandError) {
        guard let first = settings.first else { return }
        let places = try places(reference, having: .dynamics(first.control))
        var changed: [Strip] = []
        for place in places { changed.append(try strip(session[place], with: settings)) }
        let isOfKeys = settings.contains { $0.control.part == .key }
        try edit(isOfKeys ? .timeline : .strips(places), sweep: sweep.map { "\($0) \(places)" }) {
            session throws(CommandError) in
            for (place, strip) in zip(places, changed) { session[place] = strip }
            try Self.checkCounts(session)
            if isOfKeys { try Self.checkLoops(session) }
        }
    }

    private func strip(
        _ strip: Strip, with settings: [DynamicsPart]
    ) throws(CommandError) -> Strip {
        var strip = strip
        // The threshold takes the level at which a gate closes along, in whichever order they are asked for.
        let isThreshold = { (setting: DynamicsPart) in setting.control.part == .parameter("threshold") }
        for setting in settings.filter(isThreshold) + settings.filter({ !isThreshold($0) }) {
            if case (.key, .text(let name)) = (setting.control.part, setting.value) {
                strip.setKey(try key(name, of: strip), of: setting.control.kind)
            } else {
                try strip.set(setting.control, setting.value)
            }
        }
        if let problem = strip.gate?.problem { throw CommandError("\(strip.name): \(problem)") }
        return strip
    }

    /// There is room for all limiters and delays.
    static func checkCounts(_ session: Session) throws(CommandError) {
        let strips = session.strips
        if strips.count(where: { $0.limiter != nil }) > Strip.maximumLimiters {
            throw CommandError(
                "at most \(Strip.maximumLimiters) strips have a limiter: limit STRIP clear takes one away")
        }
        if strips.count(where: { $0.delay > .zero }) > Strip.maximumDelays {
            throw CommandError(
                "at most \(Strip.maximumDelays) strips have a delay: give a bus one that they go to")
        }
    }

    /// The strip that a name means as a key; nil for none.
    private func key(_ name: String, of strip: Strip) throws(CommandError) -> StripID? {
        if name.isEmpty { return nil }
        // A strip may be called so.
        if ["off", "none"].contains(name), !session.strips.contains(where: { $0.name == name }) {
            return nil
        }
        let place = try onePlace(StripReference(name))
        let key = session[place]
        guard place.kind == .track || place.kind == .bus else {
            throw CommandError("\(place) cannot be a key: a track or a bus can")
        }
        if key.id == strip.id {
            throw CommandError(
                "\(strip.name) goes by its own level unless it has a key: it cannot be its own")
        }
        return key.id
    }
}
