import Timeline

/// The silence that a panic and a stop over a time make.
extension StripRack {
    /// Whether the sum of all is silenced, whatever the master is set to.
    enum Silence: Equatable {
        case none
        /// It falls silent until then, on the mixer's clock, and is to stop; one that holds goes on until
        /// somebody says otherwise, whatever stands still.
        case falling(until: Int64, holds: Bool)
        /// It stops, or stands still.
        case stopping(holds: Bool)
    }

    /// It is silent, or on its way there.
    var isSilenced: Bool { silence != .none }

    /// It is silent, and not stopping yet. The audio thread has the last word: it begins the fade a period or
    /// two after it was asked for.
    var hasFallenSilent: Bool {
        if case .falling(let end, _) = silence { mixer.clock >= end && mixer.isHushed } else { false }
    }

    /// It has fallen silent and was told to stop, and nobody has taken that back.
    var staysSilent: Bool { if case .stopping = silence { true } else { false } }

    /// It stays silent until somebody says otherwise.
    var holdsSilence: Bool {
        switch silence {
        case .none: false
        case .falling(_, let holds), .stopping(let holds): holds
        }
    }

    /// Silences the sum of all over `duration`, until `soundAgain`. Whoever asks for it again does not have
    /// to wait longer.
    /// - Parameter holds: nothing else ends it.
    func fallSilent(over duration: MediaTime, holds: Bool) {
        let holds = holds || holdsSilence
        let frames = max(frames(duration), Int64(mixer.fadeFrames))
        let end = end(after: frames)
        if case .falling(let earlier, _) = silence, earlier <= end {
            silence = .falling(until: earlier, holds: holds)
            return
        }
        silence = .falling(until: end, holds: holds)
        if let master = strips[.master] { send(master, .master, .muteGate, 0, frames) }
        sendHush(frames)
    }

    /// The transport is told to stop: nobody else has to.
    func noteStop() { if isSilenced { silence = .stopping(holds: holdsSilence) } }

    /// It is heard again, if the master is.
    func soundAgain(isStill: Bool) {
        guard isSilenced else { return }
        silence = .none
        sendHush(glideFrames(isStill))
        if let master = strips[.master] { sendGate(master, .master, setting(.master), glideFrames(isStill)) }
    }

    /// Ports of single strips are silent where the sum of all is.
    func sendHush(_ frames: Int64) {
        outbox.send(
            .hush(MixerOrder.Movement(target: isSilenced ? 0 : 1, frames: frames, curve: GainCurve(.linear))))
    }
}
