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
        let (audible, closed, ducks) = (session.audible, session.closed, session.handDucks)
        for strip in session.strips {
            apply(strip, audible, closed, ducks[strip.id], over: duration, .linear)
        }
        applyMonitoring(session)
    }

    /// Sets some strips as the session has them, at once or as a fade.
    public func applyStrips(
        _ session: Session, at places: [StripPlace], over duration: MediaTime? = nil, curve: Curve = .linear
    ) {
        let (audible, closed, ducks) = (session.audible, session.closed, session.handDucks)
        for place in places {
            apply(session[place], audible, closed, ducks[session[place].id], over: duration, curve)
        }
    }

    private func apply(
        _ strip: Strip, _ audible: Set<StripID>, _ closed: Set<StripID>, _ duck: Duck?,
        over duration: MediaTime?, _ curve: Curve
    ) {
        let settings = settings(strip, isHeard: audible.contains(strip.id), duck)
        set(settings, for: strip.id, over: duration, curve: curve)
        let isTalking = hands.talking.contains(strip.id)
        for send in strip.sends {
            // Those behind the fader too, which are silent anyway: one may become the other meanwhile.
            let isHeard = !send.mute && (isTalking || !send.isTalkback) && !closed.contains(strip.id)
            set(
                StripSettings(fader: send.volume, isHeard: isHeard, pan: send.pan), for: send.id,
                over: duration, curve: curve)
        }
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
