import Timeline

/// The live sides of all strips and sends, what they are set to, and what is on its way to them. Control thread.
final class StripRack {
    private let sampleRate: Int32
    private let mixer: Mixer
    private let outbox: Outbox
    private var silence = Silence.none
    private var strips: [StripID: StripHandle]
    private var settings: [StripID: StripSettings] = [:]
    private var taps: [StripID: TrackTap] = [:]
    /// When the fades that were asked for will be over, on the mixer's clock.
    private var fadeEnds: [StripID: Int64] = [:]
    /// Strips that were removed, and taps that others have taken the place of, each kept until all that was asked before it left is done.
    private var leaving: [(object: AnyObject, mark: Outbox.Mark)] = []
    /// What is still to be said again, after a queue that was full.
    private var unsaid: [StripID] = []

    /// Whether the sum of all is silenced, whatever the master is set to.
    private enum Silence: Equatable {
        case none
        /// It falls silent until then, on the mixer's clock, and is to stop.
        case falling(until: Int64)
        /// It stops.
        case stopping
    }

    init(master: StripHandle, mixer: Mixer, outbox: Outbox) {
        (self.mixer, self.outbox, sampleRate) = (mixer, outbox, mixer.sampleRate)
        strips = [.master: master]
    }

    /// The live side of a strip or send; nil without such a one.
    subscript(_ id: StripID) -> StripHandle? { strips[id] }

    /// From now on these strips have live sides, and these sends of theirs, and no others.
    /// - Parameter tracks: how many of the strips are tracks: they are the first.
    func keep(_ ids: [StripID], tracks: Int, sends: [(id: StripID, owner: StripID)]) {
        let roles = Dictionary(ids.enumerated().map { ($1, $0 < tracks ? StripHandle.Role.track : .sum) } + sends.map { ($0.id, .send) }, uniquingKeysWith: { first, _ in first })
        // Another session has other strips of the same ids: what was a track there, and is a bus here, is another.
        drop { roles[$0] != $1.role }
        settings = settings.filter { roles[$0.key] != nil }
        fadeEnds = fadeEnds.filter { roles[$0.key] != nil }
        for (index, id) in ids.enumerated() where strips[id] == nil {
            let strip = StripHandle(setting(id), index < tracks ? .track : .sum, sampleRate: sampleRate)
            strips[id] = strip
            if let tap = taps[id] { giveTap(to: strip, tap) }
        }
        let owners = Dictionary(sends.map { ($0.id, $0.owner) }, uniquingKeysWith: { first, _ in first })
        drop { id, handle in handle.owner != nil && handle.owner !== owners[id].flatMap { strips[$0] } }
        for (id, owner) in sends where strips[id] == nil {
            let send = StripHandle(setting(id), .send, owner: strips[owner], sampleRate: sampleRate)
            strips[id] = send
            // So that its strip knows that it is open.
            outbox.send(.glide(send.strip, .fader, MixerOrder.Movement(target: setting(id).fader, frames: 0, curve: .linear)), at: nil)
        }
    }

    private func drop(_ isLeaving: (StripID, StripHandle) -> Bool) {
        let gone = strips.filter(isLeaving)
        for (id, handle) in gone {
            leaving.append((handle, outbox.mark))
            strips[id] = nil
        }
    }

    /// What has left is let go once nobody looks at it any more.
    func letGo() {
        // While something has not been said, a tap that was taken off may still be called.
        if outbox.isBehind || !unsaid.isEmpty { return }
        leaving.removeAll { outbox.isDone($0.mark) }
    }

    // MARK: - Settings

    /// Sets a strip; what differs glides over `duration`, or over 5 ms.
    /// - Parameter isStill: nothing is heard, so what is set is heard from the first frame on.
    func set(_ new: StripSettings, for id: StripID, over duration: MediaTime?, curve: Curve, isStill: Bool) {
        if let strip = strips[id] {
            let old = setting(id)
            let frames = duration.map(frames) ?? glideFrames(isStill)
            if duration != nil, old.fader != new.fader { noteFade(id, frames) }
            if old.fader != new.fader { send(strip, .fader, new.fader, frames, curve) }
            if old.isHeard != new.isHeard { sendGate(strip, id, new, frames) }
            if old.left != new.left { send(strip, .left, new.left, frames, curve) }
            if old.right != new.right { send(strip, .right, new.right, frames, curve) }
            if old.trim != new.trim { send(strip, .trim, new.trim, frames, curve) }
        }
        settings[id] = new
    }

    /// Sets a fader, in 5 ms, whatever fade it was in.
    func setFader(_ id: StripID, to volume: Double, isStill: Bool) {
        moveFader(id, to: volume, glideFrames(isStill), .linear)
        fadeEnds[id] = nil
    }

    /// The fader glides to `volume` over `duration`.
    func fade(_ id: StripID, to volume: Double, over duration: MediaTime, curve: Curve) {
        moveFader(id, to: volume, frames(duration), curve)
        noteFade(id, frames(duration))
    }

    // MARK: - Silence

    /// It is silent, or on its way there.
    var isSilenced: Bool { silence != .none }

    /// It is silent, and not stopping yet.
    var hasFallenSilent: Bool { if case .falling(let end) = silence { mixer.clock >= end } else { false } }

    /// It has fallen silent and was told to stop, and nobody has taken that back.
    var staysSilent: Bool { silence == .stopping }

    /// Silences the sum of all over `duration`, until `soundAgain`. Whoever asks for it again does not have to wait longer.
    func fallSilent(over duration: MediaTime) {
        let frames = max(frames(duration), Int64(mixer.fadeFrames))
        let end = end(after: frames)
        if case .falling(let earlier) = silence, earlier <= end { return }
        silence = .falling(until: end)
        if let master = strips[.master] { send(master, .muteGate, 0, frames) }
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
    private func sendHush(_ frames: Int64) {
        outbox.send(.hush(MixerOrder.Movement(target: isSilenced ? 0 : 1, frames: frames, curve: GainCurve(.linear))))
    }

    /// Mutes a strip or not; of the master nothing is said while it is silenced: what comes behind that says it.
    private func sendGate(_ strip: StripHandle, _ id: StripID, _ settings: StripSettings, _ frames: Int64) {
        if id != .master || !isSilenced { send(strip, .muteGate, settings.isHeard ? 1 : 0, frames) }
    }

    private func moveFader(_ id: StripID, to volume: Double, _ frames: Int64, _ curve: Curve) {
        guard let strip = strips[id] else { return }
        settings[id, default: StripSettings()].fader = volume
        send(strip, .fader, volume, frames, curve)
    }

    private func setting(_ id: StripID) -> StripSettings { settings[id] ?? StripSettings() }

    private func glideFrames(_ isStill: Bool) -> Int64 { isStill ? 0 : Int64(mixer.fadeFrames) }

    private func frames(_ duration: MediaTime) -> Int64 { max(0, duration.timelineFrame(atRate: sampleRate)) }

    private func noteFade(_ id: StripID, _ frames: Int64) { fadeEnds[id] = end(after: frames) }

    /// When what is asked now, and takes so many frames, is over.
    private func end(after frames: Int64) -> Int64 { max(mixer.clock, outbox.moment ?? 0) + frames }

    private func send(_ strip: StripHandle, _ gain: MixerOrder.StripGain, _ value: Double, _ frames: Int64, _ curve: Curve = .linear) {
        outbox.send(.glide(strip.strip, gain, MixerOrder.Movement(target: value, frames: frames, curve: GainCurve(curve))))
    }

    /// Has everything said again, after an audio thread that stood still could not be told all of it.
    func catchUp() {
        unsaid = Array(strips.keys)
        sendHush(Int64(mixer.fadeFrames))
    }

    /// Says again how strips are to be, as many as there is room for.
    func sayAgain(isStill: Bool) {
        let frames = glideFrames(isStill)
        while let id = unsaid.last, outbox.room >= 8 {
            unsaid.removeLast()
            guard let strip = strips[id] else { continue }
            let settings = setting(id)
            if strip.hasBeenTapped { outbox.send(.tap(strip.strip, strip.tap?.cell), at: nil) }
            // A fade that is on its way is not ended by it.
            if !isFading(id) { send(strip, .fader, settings.fader, frames) }
            sendGate(strip, id, settings, frames)
            send(strip, .left, settings.left, frames)
            send(strip, .right, settings.right, frames)
            send(strip, .trim, settings.trim, frames)
        }
    }

    // MARK: - Faders as they stand

    /// Whether a fader is on its way.
    func isFading(_ id: StripID) -> Bool { fadeEnds[id].map { mixer.clock < $0 } ?? false }

    /// Where a fader stands: what it was set to, or how far a fade has come.
    func presentFader(_ id: StripID) -> Double {
        if isFading(id), let strip = strips[id] { return strip.presentFader }
        return setting(id).fader
    }

    // MARK: - Taps

    /// Puts a tap on a track, in place of the one it had; nil takes it off. A track that is yet to come gets it when it comes.
    func setTap(_ tap: TrackTap?, on id: StripID) {
        taps[id] = tap
        if let strip = strips[id] { giveTap(to: strip, tap) }
    }

    private func giveTap(to strip: StripHandle, _ tap: TrackTap?) {
        let old = strip.tap
        strip.tap = tap
        strip.hasBeenTapped = true
        outbox.send(.tap(strip.strip, tap?.cell))
        // Behind the order that puts it away.
        if let old, old !== tap { leaving.append((old, outbox.mark)) }
    }
}
