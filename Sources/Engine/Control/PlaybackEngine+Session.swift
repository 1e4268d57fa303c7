import Timeline

extension PlaybackEngine {
    /// Plays `session` from now on: its strips as they are set, its timeline compiled.
    public func apply(_ session: Session, library: MediaLibrary) {
        applyStrips(session)
        play(Arrangement(session, library: library, sampleRate: sampleRate))
    }

    /// Sets faders, mutes, solos and pans as the session has them, at once or as a fade.
    public func applyStrips(_ session: Session, over duration: MediaTime? = nil) {
        for index in session.tracks.indices { applyStrip(session, index, over: duration) }
        setMaster(StripSettings(fader: session.master.fader, isHeard: !session.master.mute), over: duration)
    }

    /// Sets the strip of one track as the session has it.
    public func applyStrip(_ session: Session, _ index: Int, over duration: MediaTime? = nil) {
        let track = session.tracks[index]
        set(StripSettings(fader: track.fader, isHeard: session.isAudible(track), pan: track.pan), for: track.id, over: duration)
    }
}
