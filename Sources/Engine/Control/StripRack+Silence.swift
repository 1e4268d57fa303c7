import Timeline

/// The silence that a panic and a stop over a time make.
extension StripRack {
    /// Silences the sum of all over `duration`, until `soundAgain`. Whoever asks for it again does not have
    /// to wait longer.
    func fallSilent(over duration: MediaTime) {
        let frames = max(frames(duration), Int64(mixer.fadeFrames))
        let end = end(after: frames)
        if case .falling(let earlier) = silence, earlier <= end { return }
        silence = .falling(until: end)
        if let master = strips[.master] { send(master, .master, .muteGate, 0, frames) }
        sendHush(frames)
    }

    /// The transport is told to stop: nobody else has to.
    func noteStop() { if isSilenced { silence = .stopping } }

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
