import Engine
import JmixKit
import Timeline

/// What is moved and read while it plays: `composition` has it from then on.
extension Player {
    /// Moves a strip's fader, at once or as a fade.
    /// - Parameters:
    ///   - volume: linear, 0 to 4.
    ///   - id: the strip, `.master` among them.
    ///   - duration: how long the fade takes, which begins now; nil for at once, in 5 ms.
    ///   - curve: its way.
    public func setFader(
        _ volume: Double, of id: StripID, over duration: MediaTime? = nil, curve: Curve = .linear
    ) throws(CompositionError) {
        try set(id, .fader, over: duration, curve) { composition throws(CompositionError) in
            try composition.setFader(volume, of: id)
        }
    }

    /// Moves a strip's balance, -1 left to 1 right, at once or as a fade.
    public func setPan(
        _ pan: Double, of id: StripID, over duration: MediaTime? = nil, curve: Curve = .linear
    ) throws(CompositionError) {
        try set(id, .pan, over: duration, curve) { composition throws(CompositionError) in
            try composition.setPan(pan, of: id)
        }
    }

    /// Silences a strip or lets it be heard, and has strips on solo be heard alone, in 5 ms.
    public func set(mute: Bool? = nil, solo: Bool? = nil, of id: StripID) throws(CompositionError) {
        try composition.set(mute: mute, solo: solo, of: id)
        // A solo is about all strips.
        engine?.applyStrips(composition.session)
    }

    private func set(
        _ id: StripID, _ part: StripSettings.Moved.Part, over duration: MediaTime?, _ curve: Curve,
        _ change: (inout Composition) throws(CompositionError) -> Void
    ) throws(CompositionError) {
        if let duration, !duration.isNumeric || duration < .zero {
            throw .refused("\(duration) is no duration of a fade")
        }
        try change(&composition)
        guard let place = composition.session.place(of: id) else { return }
        engine?.applyStrips(
            composition.session, at: [place], over: duration, curve: curve,
            moving: StripSettings.Moved(part, of: [id]))
    }

    /// How loud a strip is, `.master` among them, linear, channel by channel: its highest samples since this
    /// was last asked, and its RMS over 300 ms; nil before the player is prepared, and for a strip that is
    /// not there.
    public func meter(of id: StripID) -> MeterReading? {
        guard let engine, composition.session.place(of: id) != nil else { return nil }
        return engine.readMeter(id)
    }
}
