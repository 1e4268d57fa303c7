import Timeline

/// The live sides of all strips and sends, what they are set to, and what is on its way to them. Control
/// thread.
final class StripRack {
    private let sampleRate: Int32
    let mixer: Mixer
    let outbox: Outbox
    var silence = Silence.none
    var strips: [StripID: StripHandle]
    var settings: [StripID: StripSettings] = [:]
    var taps: [StripID: TrackTap] = [:]
    /// When the moves that were asked for, and take their time, will be over, on the mixer's clock.
    private var moves: [GainKey: (end: Int64, curve: Curve)] = [:]
    /// Strips that were removed, and taps that others have taken the place of, each kept until all that was
    /// asked before it left is done.
    var leaving: [(object: AnyObject, mark: Outbox.Mark)] = []
    /// Samples that were no numbers, of strips that were removed.
    private(set) var silencedBefore = 0
    /// What could not be said because the queue was full, and is still to be said.
    private var unsaid: Set<GainKey> = []
    var unsaidTaps: Set<StripID> = []
    var unsaidParts: Set<PartKey> = []
    /// The delays that have been told to end, and when their room is not needed any more, on the mixer's
    /// clock.
    private var ended: [StripID: (mark: Outbox.Mark, until: Int64?)] = [:]
    /// The strips whose loudness is measured.
    var measured: Set<StripID> = []
    /// The strips whose spectrum is looked at, and when it was last asked for.
    var spectra: [StripID: UInt64] = [:]
    lazy var measuring = MeasuringWorker()
    private let filters: EqualiserDesign
    private let dynamics: DynamicsDesign

    /// One of a strip's gains.
    private struct GainKey: Hashable {
        let id: StripID
        let gain: MixerOrder.StripGain
    }

    /// A part of what a strip's sound goes through.
    struct PartKey: Hashable {
        let id: StripID
        let part: Part

        enum Part: Hashable {
            /// Of its equaliser.
            case section(Int)
            case unit(ProcessorBank.Unit)
            case delay
            case limiter
            /// What measures it.
            case measurement
        }
    }

    init(master: StripHandle, mixer: Mixer, outbox: Outbox) {
        (self.mixer, self.outbox, sampleRate) = (mixer, outbox, mixer.sampleRate)
        (filters, dynamics) = (
            EqualiserDesign(sampleRate: mixer.sampleRate), DynamicsDesign(sampleRate: mixer.sampleRate)
        )
        strips = [.master: master]
    }

    /// The live side of a strip or send; nil without such a one.
    subscript(_ id: StripID) -> StripHandle? { strips[id] }

    /// A strip or send that is to have a live side.
    struct Wanted {
        let id: StripID
        let role: StripHandle.Role
        /// How many it has; of a send, the bus that it goes to.
        let channels: Int
        /// Of a send the strip that it leaves.
        var owner: StripID?
    }

    /// From now on these strips have live sides, and these sends of theirs, and no others.
    /// - Returns: whether a strip has a live side that it did not have: also one that went and came back
    ///   before anybody looked.
    func keep(_ wanted: [Wanted]) -> Bool {
        let known = Dictionary(wanted.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        // Another session has other strips of the same ids: what was a track there, and is a bus here, is
        // another. So is one of other channels.
        let before = strips
        drop { known[$0]?.role != $1.role || known[$0]?.channels != $1.channels }
        forgetAll { known[$0] == nil }
        for next in wanted where next.role != .send && strips[next.id] == nil {
            makeStrip(next, present(next.id, before[next.id]))
        }
        drop { id, handle in handle.owner != nil && handle.owner !== known[id]?.owner.flatMap { strips[$0] } }
        for next in wanted where next.role == .send && strips[next.id] == nil {
            makeSend(next, present(next.id, before[next.id]))
        }
        return wanted.contains { $0.role != .send && before[$0.id] !== strips[$0.id] }
    }

    /// What strips that are not there any more were set to.
    private func forgetAll(_ hasGone: (StripID) -> Bool) {
        settings = settings.filter { !hasGone($0.key) }
        measured = measured.filter { !hasGone($0) }
        spectra = spectra.filter { !hasGone($0.key) }
        moves = moves.filter { !hasGone($0.key.id) }
    }

    private func makeStrip(_ next: Wanted, _ settings: StripSettings) {
        let strip = StripHandle(settings, next.role, channels: next.channels, sampleRate: sampleRate)
        strips[next.id] = strip
        // One that ended was another live side's.
        ended[next.id] = nil
        if isMeasured(next.id) { sendMeasurement(next.id) }
        if measured.contains(next.id) { strip.measurement?.reset() }
        goOn(next.id)
        process(next.id, from: StripSettings(), to: setting(next.id), 0)
        if strip.role == .track, let tap = taps[next.id] { giveTap(to: strip, next.id, tap) }
    }

    private func makeSend(_ next: Wanted, _ settings: StripSettings) {
        let send = StripHandle(
            settings, .send, channels: next.channels, owner: next.owner.flatMap { strips[$0] },
            sampleRate: sampleRate)
        strips[next.id] = send
        // So that its strip knows that it is open.
        self.send(send, GainKey(id: next.id, gain: .fader), settings.fader, 0, at: nil)
        goOn(next.id)
    }

    /// What a strip that gets another live side stands at: its fader where that has come on its way.
    private func present(_ id: StripID, _ before: StripHandle?) -> StripSettings {
        var settings = setting(id)
        if isFading(id), let before { settings.fader = before.presentFader }
        return settings
    }

    /// A fade that was under way by another live side goes on by this.
    private func goOn(_ id: StripID) {
        guard isFading(id), let move = moves[GainKey(id: id, gain: .fader)], let strip = strips[id] else {
            return
        }
        let key = GainKey(id: id, gain: .fader)
        send(strip, key, setting(id).fader, move.end - mixer.clock, move.curve, at: nil)
    }

    /// These strips have other live sides, as they are set, when they are kept next.
    func forget(_ ids: Set<StripID>) { drop { id, _ in ids.contains(id) } }

    private func drop(_ isLeaving: (StripID, StripHandle) -> Bool) {
        let gone = strips.filter(isLeaving)
        for (id, handle) in gone {
            leaving.append((handle, outbox.mark))
            silencedBefore += handle.silencedSamples
            strips[id] = nil
            if isMeasured(id) { followMeasured() }
        }
    }

    /// How many samples came in for each strip that were no numbers, of strips with any.
    var silencedInputs: [StripID: Int] {
        var silenced: [StripID: Int] = [:]
        for (id, strip) in strips where strip.silencedSamples > 0 { silenced[id] = strip.silencedSamples }
        return silenced
    }

    /// What has left is let go once nobody looks at it any more.
    func letGo() {
        // While something has not been said, a tap that was taken off may still be called.
        if outbox.isBehind || !unsaid.isEmpty || !unsaidTaps.isEmpty || !unsaidParts.isEmpty { return }
        leaving.removeAll { outbox.isDone($0.mark) }
        freeDelays()
    }

    // MARK: - Settings

    /// Sets a strip; what differs glides over `duration`, or over 5 ms.
    /// - Parameters:
    ///   - moved: is moved even if it does not differ.
    ///   - isStill: nothing is heard, so what is set is heard from the first frame on.
    func set(
        _ new: StripSettings, for id: StripID, over duration: MediaTime?, curve: Curve,
        moving moved: StripSettings.Moved.Part?, isStill: Bool
    ) {
        if let strip = strips[id] {
            let old = setting(id)
            let frames = duration.map(frames) ?? glideFrames(isStill)
            if moved == .fader || old.fader != new.fader { send(strip, id, .fader, new.fader, frames, curve) }
            if old.isHeard != new.isHeard { sendGate(strip, id, new, frames) }
            if moved == .pan || old.left != new.left { send(strip, id, .left, new.left, frames, curve) }
            if moved == .pan || old.right != new.right { send(strip, id, .right, new.right, frames, curve) }
            if moved == .trim || old.trim != new.trim { send(strip, id, .trim, new.trim, frames, curve) }
            if old.duck.level != new.duck.level { sendDuck(strip, id, new, isStill, at: outbox.moment) }
            process(id, from: old, to: new, frames)
        }
        settings[id] = new
    }

    /// Lowers a strip by hand, or lets it come back: at the pace of the whole way, wherever it stands.
    private func sendDuck(
        _ strip: StripHandle, _ id: StripID, _ settings: StripSettings, _ isStill: Bool, at moment: Int64?
    ) {
        let movement = MixerOrder.Movement(
            target: settings.duck.level,
            frames: isStill || settings.duck.way == 0 ? glideFrames(isStill) : frames(settings.duck.duration),
            curve: GainCurve(.linear), way: settings.duck.way)
        let key = GainKey(id: id, gain: .duck)
        if outbox.send(.glide(strip.strip, .duck, movement), at: moment) {
            unsaid.remove(key)
        } else {
            unsaid.insert(key)
        }
    }

    /// Moves what differs of all that a strip's sound goes through.
    private func process(_ id: StripID, from old: StripSettings, to new: StripSettings, _ frames: Int64) {
        if old.equaliser != new.equaliser {
            let (sections, before) = (filters.sections(new.equaliser), filters.sections(old.equaliser))
            for section in sections.indices where sections[section] != before[section] {
                sendPart(PartKey(id: id, part: .section(section)), of: new, frames, at: outbox.moment)
            }
        }
        for unit in ProcessorBank.Unit.allCases where setting(of: unit, old) != setting(of: unit, new) {
            sendPart(PartKey(id: id, part: .unit(unit)), of: new, frames, at: outbox.moment)
        }
        if dynamics.setting(old.limiter) != dynamics.setting(new.limiter) {
            sendPart(PartKey(id: id, part: .limiter), of: new, frames, at: outbox.moment)
        }
        if delay(old) != delay(new) {
            sendPart(PartKey(id: id, part: .delay), of: new, frames, at: outbox.moment)
        }
    }

    private func delay(_ settings: StripSettings) -> Int64 {
        settings.delay.timelineFrame(atRate: sampleRate)
    }

    private func setting(of unit: ProcessorBank.Unit, _ settings: StripSettings) -> DynamicsSetting? {
        switch unit {
        case .gate: dynamics.setting(settings.gate)
        case .compressor: dynamics.setting(settings.compressor)
        }
    }

    /// Notes what there was no room to say.
    func sendPart(_ key: PartKey, of settings: StripSettings, _ frames: Int64, at moment: Int64?) {
        guard let strip = strips[key.id] else { return }
        let order = order(key, strip, settings, frames)
        if outbox.send(order, at: moment) { unsaidParts.remove(key) } else { unsaidParts.insert(key) }
        if key.part == .delay { ended[key.id] = delay(settings) == 0 ? (outbox.mark, nil) : nil }
    }

    private func order(
        _ key: PartKey, _ strip: StripHandle, _ settings: StripSettings, _ frames: Int64
    ) -> MixerOrder {
        switch key.part {
        case .section(let section):
            .filter(
                strip.strip, strip.processors, section: section,
                filters.sections(settings.equaliser)[section], frames: frames)
        case .unit(let unit):
            .dynamics(strip.strip, strip.processors, unit, setting(of: unit, settings), frames: frames)
        case .delay:
            .delay(strip.strip, strip.processors, strip.delayLines, delay(settings), frames: frames)
        case .limiter:
            .limiter(
                strip.strip, strip.processors, strip.limiterRoom, dynamics.setting(settings.limiter),
                frames: frames)
        case .measurement: .measure(strip.strip, isMeasured(key.id) ? strip.measurement?.ring : nil)
        }
    }

    /// Gives back the room of delays that have ended, and have been crossed over from: once all is done that
    /// was asked, and said to be.
    private func freeDelays() {
        for (id, end) in ended where outbox.isDone(end.mark) {
            guard let until = end.until else {
                ended[id]!.until = mixer.clock + 4 * Int64(mixer.fadeFrames)
                continue
            }
            if mixer.clock < until { continue }
            ended[id] = nil
            if delay(setting(id)) == 0 { strips[id]?.freeDelay() }
        }
    }

    /// Sets a fader, in 5 ms, whatever fade it was in.
    func setFader(_ id: StripID, to volume: Double, isStill: Bool) {
        moveFader(id, to: volume, glideFrames(isStill), .linear)
    }

    /// The fader glides to `volume` over `duration`.
    func fade(_ id: StripID, to volume: Double, over duration: MediaTime, curve: Curve) {
        moveFader(id, to: volume, frames(duration), curve)
    }

    /// Mutes a strip or not; of the master nothing is said while it is silenced: what comes behind that says
    /// it.
    func sendGate(_ strip: StripHandle, _ id: StripID, _ settings: StripSettings, _ frames: Int64) {
        if id != .master || !isSilenced { send(strip, id, .muteGate, settings.isHeard ? 1 : 0, frames) }
    }

    private func moveFader(_ id: StripID, to volume: Double, _ frames: Int64, _ curve: Curve) {
        guard let strip = strips[id] else { return }
        settings[id, default: StripSettings()].fader = volume
        send(strip, id, .fader, volume, frames, curve)
    }

    func setting(_ id: StripID) -> StripSettings { settings[id] ?? StripSettings() }

    func glideFrames(_ isStill: Bool) -> Int64 { isStill ? 0 : Int64(mixer.fadeFrames) }

    func frames(_ duration: MediaTime) -> Int64 { max(0, duration.timelineFrame(atRate: sampleRate)) }

    /// When what is asked now, and takes so many frames, is over.
    func end(after frames: Int64) -> Int64 { max(mixer.clock, outbox.moment ?? 0) + frames }

    func send(
        _ strip: StripHandle, _ id: StripID, _ gain: MixerOrder.StripGain, _ value: Double, _ frames: Int64,
        _ curve: Curve = .linear
    ) {
        send(strip, GainKey(id: id, gain: gain), value, frames, curve, at: outbox.moment)
    }

    /// Notes how long it takes, and what there was no room to say.
    private func send(
        _ strip: StripHandle, _ key: GainKey, _ value: Double, _ frames: Int64, _ curve: Curve = .linear,
        at moment: Int64?
    ) {
        moves[key] = frames > Int64(mixer.fadeFrames) ? (end(after: frames), curve) : nil
        if outbox.send(
            .glide(
                strip.strip, key.gain,
                MixerOrder.Movement(target: value, frames: frames, curve: GainCurve(curve))), at: moment)
        {
            unsaid.remove(key)
        } else {
            unsaid.insert(key)
        }
    }

    /// What is for all strips is said again, after an audio thread that stood still could not be told all.
    func catchUp() { sendHush(Int64(mixer.fadeFrames)) }

    /// Says what could not be said, as much as there is room for: what takes its time in what is left of
    /// that.
    func sayAgain(isStill: Bool) {
        if outbox.isBehind { return }
        while let id = unsaidTaps.first, outbox.room >= 8 {
            unsaidTaps.remove(id)
            if let strip = strips[id] { outbox.send(.tap(strip.strip, strip.tap?.cell), at: nil) }
        }
        while let key = unsaidParts.first, outbox.room >= 8 {
            unsaidParts.remove(key)
            sendPart(key, of: setting(key.id), glideFrames(isStill), at: nil)
        }
        while let key = unsaid.first, outbox.room >= 8 {
            unsaid.remove(key)
            sayAgain(key, isStill: isStill)
        }
    }

    private func sayAgain(_ key: GainKey, isStill: Bool) {
        guard let strip = strips[key.id] else { return }
        if key.gain == .duck { return sendDuck(strip, key.id, setting(key.id), isStill, at: nil) }
        let move = moves[key]
        let frames = max(glideFrames(isStill), (move?.end ?? 0) - mixer.clock)
        send(strip, key, value(of: key), frames, move?.curve ?? .linear, at: nil)
    }

    /// What one of a strip's gains is set to.
    private func value(of key: GainKey) -> Double {
        let settings = setting(key.id)
        return switch key.gain {
        case .fader: settings.fader
        case .muteGate: settings.isHeard && (key.id != .master || !isSilenced) ? 1 : 0
        case .left: settings.left
        case .right: settings.right
        case .trim: settings.trim
        case .duck: settings.duck.level
        }
    }

    // MARK: - Faders as they stand

    /// Whether a fader is on its way.
    func isFading(_ id: StripID) -> Bool {
        moves[GainKey(id: id, gain: .fader)].map { mixer.clock < $0.end } ?? false
    }

    /// Where a fader stands: what it was set to, or how far a fade has come.
    func presentFader(_ id: StripID) -> Double {
        if isFading(id), let strip = strips[id] { return strip.presentFader }
        return setting(id).fader
    }
}
