import Engine
import Timeline

/// Fades, ducks, automixes, taps.
extension Composition {
    /// Fades of a whole track, from the start of its first clip and to the end of its last; they follow when
    /// clips move.
    public mutating func setFades(
        in fadeIn: MediaTime = .zero, out fadeOut: MediaTime = .zero, of id: StripID
    ) throws(CompositionError) {
        for time in [fadeIn, fadeOut] where !time.isOnTimeline {
            throw .refused("\(time) is not the length of a fade")
        }
        let index = try index(id)
        (session.tracks[index].fadeIn, session.tracks[index].fadeOut) = (fadeIn, fadeOut)
    }

    /// Lowers a track or bus while a track has a clip; it follows when clips move. One duck for each pair of
    /// tracks; a volume of 1 ends it.
    public mutating func duck(
        _ id: StripID, under voice: StripID, to volume: Double, attack: MediaTime = Duck.defaultTime,
        release: MediaTime = Duck.defaultTime
    ) throws(CompositionError) {
        _ = (try feeding(id), try index(voice))
        guard id != voice else { throw .refused("a track cannot duck under itself") }
        for time in [attack, release] where !time.isOnTimeline {
            throw .refused("\(time) is not a time of a duck")
        }
        var duck = Duck(track: id, under: voice, to: try checked(volume))
        (duck.attack, duck.release) = (attack, release)
        session.ducks.removeAll { $0.track == id && $0.under == voice }
        if volume != 1 { session.ducks.append(duck) }
    }

    /// Lowers a track or bus while another is heard: while its level, before its automation and fader, is at
    /// `threshold` dB (-120 to 24), and a hold longer. One duck for each pair of strips; a volume of 1 ends
    /// it.
    /// - Throws: `.refused` for a strip that is not there, the strip itself, and what is out of range.
    public mutating func duckBySignal(
        _ id: StripID, under key: StripID, to volume: Double, threshold: Double = -40,
        times: DuckTimes = DuckTimes()
    ) throws(CompositionError) {
        _ = (try feeding(id), try feeding(key))
        guard id != key else { throw .refused("a track cannot duck under itself") }
        guard Duck.thresholds.contains(threshold) else {
            throw .refused("\(threshold) is no threshold: it goes from -120 to 24 dB")
        }
        try times.check()
        var duck = Duck(track: id, under: key, to: try checked(volume))
        (duck.trigger, duck.threshold) = (.signal, threshold)
        (duck.attack, duck.hold) = (times.attack, times.hold)
        (duck.release, duck.lookahead) = (times.release, times.lookahead)
        var changed = session
        changed.ducks.removeAll { $0.track == id && $0.under == key }
        if volume != 1 { changed.ducks.append(duck) }
        guard changed.ducks.count(where: { $0.track == id && $0.trigger == .signal }) <= Duck.maximumBySignal
        else {
            throw .refused("a strip has \(Duck.maximumBySignal) ducks by signal at the most")
        }
        try adopt(changed)
    }

    /// Has a bus share out among those that go there, or nothing any more (`Automix`).
    /// - Throws: `.refused` for a time that is none, and where what a member leaves comes back as another.
    public mutating func setAutomix(_ automix: Automix?, of id: StripID) throws(CompositionError) {
        guard case .bus(let number) = try place(id) else {
            throw .refused("a bus shares out, and no other strip")
        }
        for time in [automix?.attack, automix?.release] {
            if let time, !time.isNumeric || !Automix.allows(time) {
                throw .refused("\(time) is no time of an automix: it goes from 0 to 10 s")
            }
        }
        var changed = session
        changed[.bus(number)].automix = automix
        try adopt(changed)
    }

    /// How a strip takes part in the automix of the bus that it goes to.
    /// - Throws: `.refused` for a weight or a priority out of range, and where what a member leaves comes
    ///   back as another.
    public mutating func setAutomixing(_ member: Automix.Member, of id: StripID) throws(CompositionError) {
        guard Automix.Member.weights.contains(member.weight) else {
            throw .refused("\(member.weight) is no weight: it goes from 0 to 100")
        }
        guard Automix.Member.priorities.contains(member.priority),
            member.priority == member.priority.rounded()
        else {
            throw .refused("\(member.priority) is no priority: a whole number from 0 to 4")
        }
        var changed = session
        changed[try feeding(id)].automixing = member
        try adopt(changed)
    }

    /// What automation, fades and ducks of a strip come to at `time`, as it is played.
    public func volume(of id: StripID, at time: MediaTime) throws(CompositionError) -> Double {
        _ = try place(id)
        return Arrangement(session, library: library(), sampleRate: sampleRate).volume(
            of: id, at: time.frame(atRate: sampleRate))
    }

    /// Puts a tap on a track, in place of the one it had; nil takes it off. Taps are not saved.
    public mutating func setTap(_ tap: TrackTap?, on id: StripID) throws(CompositionError) {
        _ = try index(id)
        taps[id] = tap
    }
}
