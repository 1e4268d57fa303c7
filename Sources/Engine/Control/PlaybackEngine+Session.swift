import Timeline

extension PlaybackEngine {
    /// Plays `session` from now on: its strips as they are set, its timeline compiled.
    public func apply(_ session: Session, library: MediaLibrary) {
        let use: Arrangement.Use = !isLive ? .offline : hands.isSoundcheck ? .soundcheck : .live
        apply(session, Arrangement(session, library: library, sampleRate: sampleRate, use))
        if isLive { captures.follow(session) }
    }

    /// The same with its timeline as it was compiled before.
    func apply(_ session: Session, _ arrangement: Arrangement) {
        hands.keep(to: session)
        applyStrips(session)
        play(arrangement)
    }

    /// Sets faders, trims, mutes, solos, pans and sends as the session has them, at once or as a fade.
    public func applyStrips(_ session: Session, over duration: MediaTime? = nil) {
        let change = StripChange(session, over: duration)
        for strip in session.strips { apply(strip, change) }
        applyMonitoring(session)
    }

    /// Sets some strips as the session has them, at once or as a fade.
    /// - Parameter moved: is moved even where it stays the same.
    public func applyStrips(
        _ session: Session, at places: [StripPlace], over duration: MediaTime? = nil, curve: Curve = .linear,
        moving moved: StripSettings.Moved? = nil
    ) {
        let change = StripChange(session, over: duration, curve, moving: moved)
        // Whoever moves several sends of a strip may name it for each.
        var done: Set<StripPlace> = []
        for place in places where done.insert(place).inserted { apply(session[place], change) }
    }

    /// How strips get to where a session has them, and what of that is about all strips.
    private struct StripChange {
        let audible: Set<StripID>
        let closed: Set<StripID>
        let ducks: [StripID: Duck]
        let duration: MediaTime?
        let curve: Curve
        let moved: StripSettings.Moved?

        init(
            _ session: Session, over duration: MediaTime?, _ curve: Curve = .linear,
            moving moved: StripSettings.Moved? = nil
        ) {
            (audible, closed, ducks) = (session.audible, session.closed, session.handDucks)
            (self.duration, self.curve, self.moved) = (duration, curve, moved)
        }
    }

    private func apply(_ strip: Strip, _ change: StripChange) {
        let isAudible = change.audible.contains(strip.id)
        set(settings(strip, isHeard: isAudible, change.ducks[strip.id]), for: strip.id, change)
        let isTalking = hands.talking.contains(strip.id)
        for send in strip.sends {
            // Those behind the fader too, which are silent anyway: one may become the other meanwhile.
            let isHeard =
                !send.mute && (isTalking || !send.isTalkback) && !change.closed.contains(strip.id)
            set(StripSettings(fader: send.volume, isHeard: isHeard, pan: send.pan), for: send.id, change)
        }
    }

    private func set(_ settings: StripSettings, for id: StripID, _ change: StripChange) {
        let moved = change.moved.flatMap { $0.ids.contains(id) ? $0.part : nil }
        set(settings, for: id, over: change.duration, curve: change.curve, moving: moved)
    }

    private func settings(_ strip: Strip, isHeard: Bool, _ duck: Duck?) -> StripSettings {
        var settings = StripSettings(
            fader: strip.fader, isHeard: isHeard, pan: strip.pan,
            trim: strip.polarity ? -strip.trim : strip.trim)
        (settings.gate, settings.equaliser, settings.compressor, settings.delay) = (
            strip.gate, strip.equaliser, strip.compressor, strip.delay
        )
        settings.limiter = strip.limiter
        if let duck {
            let isDown = hands.ducked.contains(strip.id)
            (settings.duck.level, settings.duck.duration, settings.duck.way) = (
                isDown ? duck.to : 1, isDown ? duck.attack : duck.release, abs(1 - duck.to)
            )
        }
        return settings
    }

    /// Sets what is monitored as the session has it.
    public func applyMonitoring(_ session: Session) {
        guard session.hasMonitor else { return }
        set(
            StripSettings(fader: session.monitoring.gain, isHeard: !session.monitoring.isMuted), for: .monitor
        )
    }
}
