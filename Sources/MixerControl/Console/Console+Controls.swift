import Engine
import Remote
import Timeline

/// Where each control of a strip is kept: what it stands at, and what setting it does.
extension Console {
    /// One answer for each strip that is meant.
    func ask(_ strip: StripReference, _ control: Control) throws(CommandError) -> [Answer] {
        try indices(strip).map { .control(place($0), control, value(of: control, $0, for: .questions)) }
    }

    /// Where a control stands; nil is the master's.
    private func value(of control: Control, _ index: Int?, for reader: MeterBook.Reader) -> ControlValue {
        let track = index.map { session.tracks[$0] }
        switch control {
        case .volume: return .number(engine.presentFader(track?.id))
        case .volumeLevel: return .number(FaderScale.db.value(gain: engine.presentFader(track?.id)))
        case .volumePosition: return .number(FaderScale.position.value(gain: engine.presentFader(track?.id)))
        case .volumeTouch: return .flag(touches.isTouched(track?.id))
        case .mute: return .flag(track?.mute ?? session.master.mute)
        case .solo: return .flag(track?.solo ?? false)
        case .pan: return .number(track?.pan ?? 0)
        case .name: return .text(track?.name ?? "master")
        case .fadeIn: return .time(.time(track?.fadeIn ?? .zero))
        case .fadeOut: return .time(.time(track?.fadeOut ?? .zero))
        case .meter:
            let meter = meters.read(track?.id, from: engine, for: reader)
            return .levels(peakLeft: meter.peakLeft, peakRight: meter.peakRight, rmsLeft: meter.rmsLeft, rmsRight: meter.rmsRight)
        }
    }

    /// Sets a control of every strip that is meant, or of none.
    func set(_ strip: StripReference, _ control: Control, _ value: ControlValue) throws(CommandError) {
        switch (control, value) {
        case (.volume, .number(let volume)): try moveFader(strip, to: { _ in volume }, sweep: "volume") { id, volume in engine.setFader(id, to: volume) }
        case (.volumeLevel, .number(let level)): try set(strip, .volume, .number(try FaderScale.db.gain(level)))
        case (.volumePosition, .number(let position)): try set(strip, .volume, .number(try FaderScale.position.gain(position)))
        case (.volumeTouch, .flag(let flag)): try touch(strip, flag)
        case (.mute, .flag(let flag)):
            let indices = try indices(strip)
            try edit(.allStrips) { session in
                for index in indices { if let index { session.tracks[index].mute = flag } else { session.master.mute = flag } }
            }
        case (.solo, .flag(let flag)): try setTracks(strip, .allStrips) { $0.solo = flag }
        case (.pan, .number(let pan)):
            let tracks = try indices(strip).compactMap { $0 }
            try setTracks(strip, .strips(tracks), sweep: "pan \(tracks)") { $0.pan = pan }
        case (.name, .text(let name)): try rename(strip, name)
        case (.fadeIn, .time(let time)): try setFade(strip, \.fadeIn, time)
        case (.fadeOut, .time(let time)): try setFade(strip, \.fadeOut, time)
        default: throw CommandError("\(control.rawValue) cannot be set to that")
        }
    }

    /// Everything that subscribers are told of, as it stands: settings first, then what moves by itself.
    /// - Parameter tracks: of so many tracks at the most.
    package func told(for reader: MeterBook.Reader = .subscribers, tracks: Int = .max) -> [Answer] {
        var told: [Answer] = []
        for index in session.tracks.indices.prefix(tracks) {
            for control in Control.allCases { told.append(.control(.track(index + 1), control, value(of: control, index, for: reader))) }
        }
        for control in Control.ofMaster { told.append(.control(.master, control, value(of: control, nil, for: reader))) }
        return told + [.state(isRolling: transport.isRolling), .loop(loopSeconds), .stopsAtEnd(stopsAtEnd), position]
    }

    /// What `command` has set, as it is told now.
    func settings(of command: Command) -> [Answer] {
        switch command {
        // A track that was renamed answers to its new name.
        case .set(_, .name, .text(let name)): (try? ask(.track(.name(name)), .name)) ?? []
        case .set(let strip, let control, _): control.alike.flatMap { (try? ask(strip, $0)) ?? [] }
        case .nudge(let strip, _): Control.volume.alike.flatMap { (try? ask(strip, $0)) ?? [] }
        case .loop, .loopOn, .loopOff: [.loop(loopSeconds)]
        case .stopAtEnd: [.stopsAtEnd(stopsAtEnd)]
        default: []
        }
    }

    // MARK: - Strips

    /// The strips that are meant: tracks by their indices, nil for the master.
    func indices(_ strip: StripReference) throws(CommandError) -> [Int?] {
        switch strip {
        case .master: [nil]
        case .track(let track): try tracks(track).map(Optional.some)
        }
    }

    private func place(_ index: Int?) -> StripPlace { index.map { .track($0 + 1) } ?? .master }

    private func setTracks(_ strip: StripReference, _ reach: Reach, sweep: String? = nil, _ change: (inout Track) -> Void) throws(CommandError) {
        guard case .track(let track) = strip else { throw CommandError("the master has no such control") }
        let indices = try tracks(track)
        try edit(reach, sweep: sweep) { session in for index in indices { change(&session.tracks[index]) } }
    }

    /// A fade over a track's whole length; one that is longer is not heard to its end, which whoever asks is told.
    private func setFade(_ strip: StripReference, _ fade: WritableKeyPath<Track, MediaTime>, _ time: TimeSpec) throws(CommandError) {
        let (duration, ruler) = (time.time(atRate: session.sampleRate), library.ruler(atRate: session.sampleRate))
        try setTracks(strip, .timeline) { $0[keyPath: fade] = duration }
        for case let index? in try indices(strip) {
            let track = session.tracks[index]
            guard let start = track.clips.map(\.at).min() else { continue }
            let length = track.end(ruler: ruler) - start
            if duration > length { notes.append("\(session.place(of: index)) plays for \(Readable.clock(length.seconds)): a fade of \(Readable.clock(duration.seconds)) is not over by then") }
        }
    }

    private func rename(_ strip: StripReference, _ name: String) throws(CommandError) {
        guard case .track(let track) = strip else { throw CommandError("the master's name is the master's") }
        let index = try oneTrack(track)
        if let problem = TrackName.problem(ofNew: name) { throw CommandError(problem) }
        if let other = session.tracks.firstIndex(where: { $0.name == name }), other != index {
            throw CommandError("\"\(name)\" is already the name of track \(other + 1)")
        }
        try edit(.strips([index])) { $0.tracks[index].name = name }
    }

    /// Fades from where the fader is.
    func fade(_ strip: StripReference, to volume: Double, over time: TimeSpec, curve: Curve) throws(CommandError) {
        let duration = time.time(atRate: session.sampleRate)
        try moveFader(strip, to: { _ in volume }, sweep: nil) { id, volume in engine.fade(id, to: volume, over: duration, curve: curve) }
    }

    /// Each fader so much higher or lower than it stands at this moment; all of them, or none.
    func nudge(_ strip: StripReference, by decibels: Double) throws(CommandError) {
        try moveFader(strip, to: { id throws(CommandError) in
            let volume = engine.presentFader(id) * Volume.gain(level: decibels)
            if Volume.range.contains(volume) { return volume }
            let name = id.flatMap { id in session.tracks.first { $0.id == id }?.name } ?? "master"
            throw CommandError("\(name) stands at \(Readable.level(gain: engine.presentFader(id))): \(decibels) dB more is above +12 dB")
        }, sweep: "volume") { id, volume in engine.setFader(id, to: volume) }
    }

    /// Moves each fader that is meant, in the document and then in the engine; nil is the master's.
    private func moveFader(
        _ strip: StripReference, to volume: (TrackID?) throws(CommandError) -> Double, sweep: String?, then tell: (TrackID?, Double) -> Void
    ) throws(CommandError) {
        guard case .track(let track) = strip else {
            let volume = try volume(nil)
            return try edit(.allStrips, sweep: sweep.map { "\($0) master" }, { $0.master.fader = volume }, then: { tell(nil, volume) })
        }
        let indices = try tracks(track)
        var volumes: [(index: Int, volume: Double)] = []
        for index in indices { volumes.append((index, try volume(session.tracks[index].id))) }
        try edit(
            .strips(indices), sweep: sweep.map { "\($0) \(indices)" }, { session in for (index, volume) in volumes { session.tracks[index].fader = volume } },
            // Not those that are left where they are.
            then: { for (index, volume) in volumes where !touches.isHeld(session.tracks[index].id, against: author) { tell(session.tracks[index].id, volume) } })
    }

    // MARK: - A finger on a fader

    /// A finger is on a fader, or leaves it. A fade that moves the fader ends under the finger.
    private func touch(_ strip: StripReference, _ flag: Bool) throws(CommandError) {
        guard let author else { throw CommandError("only a controller can touch a fader") }
        let strips = try indices(strip).map { $0.map { session.tracks[$0].id } }
        if let held = strips.first(where: { touches.isHeld($0, against: author) }) {
            throw CommandError("someone else has a finger on the fader of \(held.flatMap { id in session.tracks.first { $0.id == id }?.name } ?? "the master")")
        }
        for strip in strips {
            guard flag else {
                touches.end(strip)
                continue
            }
            _ = touches.begin(strip, author)
            if engine.isFading(strip) { try stopFade(strip) }
        }
    }

    private func stopFade(_ strip: TrackID?) throws(CommandError) {
        let reference: StripReference = strip.flatMap { id in session.tracks.firstIndex { $0.id == id } }.map { .track(.number($0 + 1)) } ?? .master
        try set(reference, .volume, .number(engine.presentFader(strip)))
    }
}
