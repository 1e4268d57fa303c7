import Timeline

/// The strips of all tracks and of the master, what they are set to, and what is on its way to them. Control thread.
final class StripRack {
    let master: StripHandle
    private let sampleRate: Int32
    private let mixer: Mixer
    private let outbox: Outbox
    private var masterSettings = StripSettings()
    private var silence = Silence.none
    private var strips: [TrackID: StripHandle] = [:]
    private var settings: [TrackID: StripSettings] = [:]
    private var taps: [TrackID: TrackTap] = [:]
    /// When the fades that were asked for will be over, on the mixer's clock; nil is the master's.
    private var fadeEnds: [TrackID?: Int64] = [:]
    /// Strips of removed tracks, and taps that others have taken the place of, each kept until all that was asked before it left is done.
    private var leaving: [(object: AnyObject, mark: Outbox.Mark)] = []
    /// What is still to be said again, after a queue that was full.
    private var unsaid: [TrackID?] = []

    /// Whether the sum of all is silenced, whatever the master is set to.
    private enum Silence: Equatable {
        case none
        /// It falls silent until then, on the mixer's clock, and is to stop.
        case falling(until: Int64)
        /// It stops.
        case stopping
    }

    init(master: StripHandle, mixer: Mixer, outbox: Outbox) {
        (self.master, self.mixer, self.outbox, sampleRate) = (master, mixer, outbox, mixer.sampleRate)
    }

    /// The strip of a track; nil without such a track. The master's for nil.
    subscript(_ id: TrackID?) -> StripHandle? { id == nil ? master : strips[id!] }

    /// From now on these tracks have strips, and no others.
    func keep(_ ids: [TrackID]) {
        let staying = Set(ids)
        leaving += strips.filter { !staying.contains($0.key) }.map { ($0.value, outbox.mark) }
        strips = strips.filter { staying.contains($0.key) }
        settings = settings.filter { staying.contains($0.key) }
        fadeEnds = fadeEnds.filter { $0.key.map(staying.contains) ?? true }
        for id in ids where strips[id] == nil {
            let strip = StripHandle(settings[id] ?? StripSettings(), sampleRate: sampleRate)
            strips[id] = strip
            if let tap = taps[id] { giveTap(to: strip, tap) }
        }
    }

    /// What has left is let go once nobody looks at it any more.
    func letGo() {
        // While something has not been said, a tap that was taken off may still be called.
        if outbox.isBehind || !unsaid.isEmpty { return }
        leaving.removeAll { outbox.isDone($0.mark) }
    }

    // MARK: - Settings

    /// Sets a strip, nil is the master's; what differs glides over `duration`, or over 5 ms.
    /// - Parameter isStill: nothing is heard, so what is set is heard from the first frame on.
    func set(_ new: StripSettings, for id: TrackID?, over duration: MediaTime?, isStill: Bool) {
        if let strip = self[id] {
            let old = setting(id)
            let frames = duration.map(frames) ?? glideFrames(isStill)
            if duration != nil, old.fader != new.fader { noteFade(id, frames) }
            if old.fader != new.fader { send(strip, .fader, new.fader, frames) }
            if old.isHeard != new.isHeard { sendGate(strip, id, new, frames) }
            if old.left != new.left { send(strip, .left, new.left, frames) }
            if old.right != new.right { send(strip, .right, new.right, frames) }
        }
        if let id { settings[id] = new } else { masterSettings = new }
    }

    /// Sets a fader, in 5 ms, whatever fade it was in; nil is the master's.
    func setFader(_ id: TrackID?, to volume: Double, isStill: Bool) {
        moveFader(id, to: volume, glideFrames(isStill), .linear)
        fadeEnds[id] = nil
    }

    /// The fader glides to `volume` over `duration`; nil is the master's.
    func fade(_ id: TrackID?, to volume: Double, over duration: MediaTime, curve: Curve) {
        moveFader(id, to: volume, frames(duration), curve)
        noteFade(id, frames(duration))
    }

    // MARK: - Silence

    /// It is silent, or on its way there.
    var isSilenced: Bool { silence != .none }

    /// It is silent, and not stopping yet.
    var hasFallenSilent: Bool { if case .falling(let end) = silence { mixer.clock >= end } else { false } }

    /// Silences the sum of all over `duration`, until `soundAgain`. Whoever asks for it again does not have to wait longer.
    func fallSilent(over duration: MediaTime) {
        let frames = max(frames(duration), Int64(mixer.fadeFrames))
        let end = end(after: frames)
        if case .falling(let earlier) = silence, earlier <= end { return }
        silence = .falling(until: end)
        send(master, .muteGate, 0, frames)
    }

    /// The transport is told to stop: nobody else has to.
    func noteStop() { if isSilenced { silence = .stopping } }

    /// It is heard again, if the master is.
    func soundAgain(isStill: Bool) {
        guard isSilenced else { return }
        silence = .none
        sendGate(master, nil, masterSettings, glideFrames(isStill))
    }

    /// Mutes a strip or not; of the master nothing is said while it is silenced: what comes behind that says it.
    private func sendGate(_ strip: StripHandle, _ id: TrackID?, _ settings: StripSettings, _ frames: Int64) {
        if id != nil || !isSilenced { send(strip, .muteGate, settings.isHeard ? 1 : 0, frames) }
    }

    private func moveFader(_ id: TrackID?, to volume: Double, _ frames: Int64, _ curve: Curve) {
        guard let strip = self[id] else { return }
        if let id { settings[id]?.fader = volume } else { masterSettings.fader = volume }
        send(strip, .fader, volume, frames, curve)
    }

    private func setting(_ id: TrackID?) -> StripSettings { id.map { settings[$0] ?? StripSettings() } ?? masterSettings }

    private func glideFrames(_ isStill: Bool) -> Int64 { isStill ? 0 : Int64(mixer.fadeFrames) }

    private func frames(_ duration: MediaTime) -> Int64 { max(0, duration.timelineFrame(atRate: sampleRate)) }

    private func noteFade(_ id: TrackID?, _ frames: Int64) { fadeEnds[id] = end(after: frames) }

    /// When what is asked now, and takes so many frames, is over.
    private func end(after frames: Int64) -> Int64 { max(mixer.clock, outbox.moment ?? 0) + frames }

    private func send(_ strip: StripHandle, _ gain: MixerOrder.StripGain, _ value: Double, _ frames: Int64, _ curve: Curve = .linear) {
        outbox.send(.glide(strip.strip, gain, MixerOrder.Movement(target: value, frames: frames, curve: GainCurve(curve))))
    }

    /// Has everything said again, after an audio thread that stood still could not be told all of it.
    func catchUp() { unsaid = [nil] + strips.keys.map(Optional.some) }

    /// Says again how strips are to be, as many as there is room for.
    func sayAgain(isStill: Bool) {
        let frames = glideFrames(isStill)
        while let id = unsaid.last, outbox.room >= 8 {
            unsaid.removeLast()
            guard let strip = self[id] else { continue }
            let settings = setting(id)
            if strip.hasBeenTapped { outbox.send(.tap(strip.strip, strip.tap?.cell), at: nil) }
            // A fade that is on its way is not ended by it.
            if !isFading(id) { send(strip, .fader, settings.fader, frames) }
            sendGate(strip, id, settings, frames)
            send(strip, .left, settings.left, frames)
            send(strip, .right, settings.right, frames)
        }
    }

    // MARK: - Faders as they stand

    /// Whether a fader is on its way; nil is the master's.
    func isFading(_ id: TrackID?) -> Bool { fadeEnds[id].map { mixer.clock < $0 } ?? false }

    /// Where a fader stands: what it was set to, or how far a fade has come; nil is the master's.
    func presentFader(_ id: TrackID?) -> Double {
        if isFading(id), let strip = self[id] { return strip.presentFader }
        return id.map { settings[$0]?.fader ?? 1 } ?? masterSettings.fader
    }

    // MARK: - Taps

    /// Puts a tap on a track, in place of the one it had; nil takes it off. A track that is yet to come gets it when it comes.
    func setTap(_ tap: TrackTap?, on id: TrackID) {
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
