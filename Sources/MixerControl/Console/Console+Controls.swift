import Engine
import Remote
import Timeline

/// Where each control of a strip is kept: what it stands at, and what setting it does.
extension Console {
    /// One answer for each strip that is meant.
    func ask(_ strip: StripReference, _ control: Control) throws(CommandError) -> [Answer] {
        if isOfNone(strip) { return [] }
        return try named(control, of: try places(strip, having: control)).map {
            .control($0, $1, value(of: $1, $0, for: .questions))
        }
    }

    /// A pattern that means all of a kind, where there are none: it gives no answer and no error.
    func isOfNone(_ strip: StripReference) -> Bool {
        if case .pattern("*")? = strip.selector {
            !session.places.contains { $0.kind == strip.kind }
        } else {
            false
        }
    }

    /// Where a control stands.
    private func value(of control: Control, _ place: StripPlace, for reader: MeterBook.Reader) -> ControlValue
    {
        let strip = session[place]
        switch control {
        case .volume: return .number(engine.presentFader(strip.id))
        case .volumeLevel: return .number(FaderScale.db.value(gain: engine.presentFader(strip.id)))
        case .volumePosition: return .number(FaderScale.position.value(gain: engine.presentFader(strip.id)))
        case .volumeTouch: return .flag(touches.isTouched(strip.id))
        case .mute: return .flag(strip.mute)
        case .muteMode: return .text(strip.muteMode.rawValue)
        case .solo: return .flag(strip.solo)
        case .soloSafe: return .flag(strip.soloSafe)
        case .pan: return .number(strip.pan)
        case .trim: return .number(strip.trim)
        case .delay: return .time(.time(strip.delay))
        case .polarity: return .flag(strip.polarity)
        case .output: return .text(text(strip.output))
        case .channels: return .channels(strip.layout)
        case .monitor: return .text((track(place)?.monitor ?? .auto).rawValue)
        case .arm: return .flag(track(place)?.isArmed ?? false)
        case .members: return .names(dca(place)?.members.compactMap { session.name(of: $0) } ?? [])
        case .name: return .text(strip.name)
        case .fadeIn: return .time(.time(track(place)?.fadeIn ?? .zero))
        case .fadeOut: return .time(.time(track(place)?.fadeOut ?? .zero))
        case .meter:
            let meter = meters.read(strip.id, from: engine, for: reader)
            return .levels(peaks: meter.peaks, rms: meter.rms)
        case .send(let bus, let control):
            return send(bus, of: place).map { value(of: control, $0) } ?? .number(0)
        case .eq(let control): return (strip.equaliser ?? Equaliser()).value(of: control)
        case .dynamics(let control): return value(of: control, strip)
        case .duck: return .flag(engine.hands.ducked.contains(strip.id) && session.handDucks[strip.id] != nil)
        case .talkback:
            return .flag(engine.hands.talking.contains(strip.id) && strip.sends.contains(where: \.isTalkback))
        case .automix(.gain): return .number(engine.share(strip.id))
        case .automix(let control): return strip.value(of: control)
        case .talkbackTo:
            return .names(strip.sends.filter(\.isTalkback).compactMap { session.name(of: $0.bus) })
        }
    }

    private func value(of control: SendControl, _ send: Send) -> ControlValue {
        switch control {
        case .volume: .number(engine.presentFader(send.id))
        case .volumeLevel: .number(FaderScale.db.value(gain: engine.presentFader(send.id)))
        case .volumePosition: .number(FaderScale.position.value(gain: engine.presentFader(send.id)))
        case .pan: .number(send.pan)
        case .mute: .flag(send.mute)
        case .pre: .flag(send.isPre)
        }
    }

    private func track(_ place: StripPlace) -> Track? {
        if case .track(let number) = place { session.tracks[number - 1] } else { nil }
    }
    private func dca(_ place: StripPlace) -> DCA? {
        if case .dca(let number) = place { session.dcas[number - 1] } else { nil }
    }

    /// Sets a control of every strip that is meant, or of none.
    func set(_ strip: StripReference, _ control: Control, _ value: ControlValue) throws(CommandError) {
        switch (control, value) {
        case (.volume, .number(let volume)):
            try moveFader(strip, control, to: { _ in volume }, sweep: "volume") { id, volume in
                engine.setFader(id, to: volume)
            }
        case (.volumeLevel, .number(let level)):
            try set(strip, .volume, .number(try FaderScale.db.gain(level)))
        case (.volumePosition, .number(let position)):
            try set(strip, .volume, .number(try FaderScale.position.gain(position)))
        case (.volumeTouch, .flag(let flag)): try touch(strip, flag)
        case (.mute, .flag(let flag)): try setStrips(strip, control, .allStrips) { $0.mute = flag }
        case (.muteMode, .text(let word)):
            try setStrips(strip, control, .allStrips) { $0.muteMode = MuteMode(rawValue: word) ?? .main }
        case (.solo, .flag(let flag)):
            try setStrips(strip, control, session.soloMode == .inPlace ? .allStrips : .timeline) {
                $0.solo = flag
            }
        case (.soloSafe, .flag(let flag)): try setStrips(strip, control, .allStrips) { $0.soloSafe = flag }
        case (.pan, .number(let pan)): try setStrips(strip, control, sweep: "pan") { $0.pan = pan }
        case (.trim, .number(let trim)): try setStrips(strip, control, sweep: "trim") { $0.trim = trim }
        case (.delay, .time(let time)):
            let (delay, places) = (time.time(atRate: session.sampleRate), try places(strip, having: control))
            try edit(.strips(places), sweep: "delay \(places)") { session throws(CommandError) in
                for place in places { session[place].delay = delay }
                try Self.checkCounts(session)
            }
        case (.polarity, .flag(let flag)): try setStrips(strip, control) { $0.polarity = flag }
        case (.output, .text(let text)):
            let (output, places) = (try output(text), try places(strip, having: control))
            try edit(.timeline) { session throws(CommandError) in
                for place in places { session[place].output = output }
                try Self.checkLoops(session)
            }
        case (.channels, .channels(let layout)): try setLayout(layout, of: strip)
        case (.monitor, .text(let word)):
            let (indices, monitor) = (try tracks(strip), Monitor(rawValue: word) ?? .auto)
            try edit(.timeline) { session in for index in indices { session.tracks[index].monitor = monitor }
            }
        case (.arm, .flag(let flag)): try arm(strip, flag)
        case (.members, .names(let names)):
            let members = try members(names.map { StripReference($0) })
            let places = try places(strip, having: control)
            try edit(.timeline) { session in
                for case .dca(let number) in places { session.setMembers(members, ofDCA: number - 1) }
            }
        case (.name, .text(let name)): try rename(strip, name)
        case (.fadeIn, .time(let time)): try setFade(strip, \.fadeIn, time)
        case (.fadeOut, .time(let time)): try setFade(strip, \.fadeOut, time)
        case (.send(let bus, let control), _): try set(strip, bus, control, value)
        case (.duck, .flag(let flag)): try press(strip, flag)
        case (.talkback, .flag(let flag)): try talk(strip, flag)
        case (.automix(let control), _):
            try automix(strip, [AutomixSetting(control, value)], sweep: "automix \(control)")
        case (.talkbackTo, .names(let names)): try setTalkback(strip, names)
        case (.eq(let control), _):
            try equalise(strip, [EqualiserSetting(control, value)], sweep: "eq \(control)")
        case (.dynamics(let control), _):
            try setDynamics(
                strip, [DynamicsPart(control, value)], sweep: "\(control.kind.rawValue) \(control.word)")
        default: throw CommandError("\(control.word) cannot be set to that")
        }
    }

    /// Sets a send of every strip that is meant; its level makes it where there is none.
    private func set(
        _ strip: StripReference, _ bus: Selector, _ control: SendControl, _ value: ControlValue
    ) throws(CommandError) {
        switch (control, value) {
        case (.volume, .number(let volume)):
            let isNew =
                bus.isPattern
                ? false : try places(strip, having: .output).contains { send(bus, of: $0) == nil }
            if isNew { return try setSends(strip, bus) { $0.volume = volume } }
            try moveFader(strip, .send(bus, .volume), to: { _ in volume }, sweep: "send") { id, volume in
                engine.setFader(id, to: volume)
            }
        case (.volumeLevel, .number(let level)):
            try set(strip, bus, .volume, .number(try FaderScale.db.gain(level)))
        case (.volumePosition, .number(let position)):
            try set(strip, bus, .volume, .number(try FaderScale.position.gain(position)))
        case (.pan, .number(let pan)):
            try setExistingSends(strip, bus, control, sweep: "pan of send") { $0.pan = pan }
        case (.mute, .flag(let flag)): try setExistingSends(strip, bus, control) { $0.mute = flag }
        case (.pre, .flag(let flag)): try setExistingSends(strip, bus, control, .timeline) { $0.isPre = flag }
        default: throw CommandError("\(control.rawValue) of a send cannot be set to that")
        }
    }

    /// Everything that subscribers are told of, as it stands: settings first, then what moves by itself.
    /// - Parameter strips: of so many tracks and buses at the most.
    package func told(for reader: MeterBook.Reader = .subscribers, strips: Int = .max) -> [Answer] {
        var told: [Answer] = []
        let places = session.places
        let shown =
            places.filter { $0.kind == .track }.prefix(strips)
            + places.filter { $0.kind == .bus }.prefix(strips)
            + places.filter { $0.kind == .dca || $0.kind == .master }
        let controls = Dictionary(uniqueKeysWithValues: StripKind.allCases.map { ($0, Control.of($0)) })
        let buses = Dictionary(uniqueKeysWithValues: session.buses.map { ($0.id, $0.name) })
        let handDucks = session.handDucks
        let mixes = Set(session.buses.filter { $0.automix != nil }.map(\.id))
        for place in shown {
            for control in controls[place.kind]! {
                told.append(.control(place, control, value(of: control, place, for: reader)))
            }
            // Its meter has just been read.
            if place.kind != .dca { told.append(heldPeak(place)) }
            if isToldOfEqualiser(place) {
                let equaliser = session[place].equaliser ?? Equaliser()
                for control in EqualiserControl.all {
                    told.append(.control(place, .eq(control), equaliser.value(of: control)))
                }
            }
            if handDucks[session[place].id] != nil {
                told.append(.control(place, .duck, value(of: .duck, place, for: reader)))
            }
            if talks(place) {
                for control in [Control.talkback, .talkbackTo] {
                    told.append(.control(place, control, value(of: control, place, for: reader)))
                }
            }
            told += automixControls(place, mixes).map {
                .control(place, .automix($0), value(of: .automix($0), place, for: reader))
            }
            if engine.measuresLoudness(session[place].id) { told += allLoudness(place) }
            for kind in DynamicsKind.allCases where isTold(of: kind, place) {
                for control in DynamicsControl.all(kind) {
                    told.append(.control(place, .dynamics(control), value(of: control, session[place])))
                }
            }
            for send in session[place].sends {
                for control in SendControl.allCases {
                    told.append(
                        .control(
                            place, .send(.name(buses[send.bus] ?? ""), control), value(of: control, send)))
                }
            }
        }
        told.append(muteGroups)
        told += MonitorControl.allCases.map { .monitoring($0, value(of: $0)) }
        return told + [
            .silenced(engine.isFallingSilent), .soundcheck(engine.hands.isSoundcheck),
            .soloMode(session.soloMode), .record(isOn: engine.recordedFrames != nil, recordSeconds),
            .state(isRolling: transport.isRolling), .loop(loopSeconds), .stopsAtEnd(stopsAtEnd),
            presentEdition, position,
        ]
    }

    /// Whether a strip has an equaliser, or had one that was told: that it is gone is told too.
    private func isToldOfEqualiser(_ place: StripPlace) -> Bool {
        let strip = session[place]
        if strip.equaliser != nil { equalised.insert(strip.id) }
        return equalised.contains(strip.id)
    }

    /// Whether a strip talks back, or did when that was told.
    private func talks(_ place: StripPlace) -> Bool {
        let strip = session[place]
        if strip.sends.contains(where: \.isTalkback) { talkers.insert(strip.id) }
        return talkers.contains(strip.id)
    }

    /// The same of a gate or a compressor.
    private func isTold(of kind: DynamicsKind, _ place: StripPlace) -> Bool {
        let strip = session[place]
        if strip.has(kind) { withDynamics[kind, default: []].insert(strip.id) }
        return withDynamics[kind]?.contains(strip.id) ?? false
    }

    /// What `command` has set, as it is told now.
    func settings(of command: Command) -> [Answer] {
        switch command {
        // A strip that was renamed answers to its new name.
        case .set(_, .name, .text(let name)): (try? ask(.track(.name(name)), .name)) ?? []
        case .set(let strip, let control, _): control.alike.flatMap { (try? ask(strip, $0)) ?? [] }
        case .nudge(let strip, let control, _): control.alike.flatMap { (try? ask(strip, $0)) ?? [] }
        case .send(let strip, let bus, _, _):
            (Control.send(bus, .volume).alike + [.send(bus, .pre)]).flatMap { (try? ask(strip, $0)) ?? [] }
        case .equalise(let strip, .set(let settings)):
            settings.flatMap { (try? ask(strip, .eq($0.control))) ?? [] }
        case .setDynamics(let strip, _, .set(let settings)):
            settings.flatMap { (try? ask(strip, .dynamics($0.control))) ?? [] }
        case .automix(let bus, let member, let settings):
            settings.flatMap { (try? ask(member ?? bus, .automix($0.control))) ?? [] }
        case .assign(let dca, _, _): (try? ask(dca, .members)) ?? []
        case .loop, .loopOn, .loopOff: [.loop(loopSeconds)]
        case .stopAtEnd: [.stopsAtEnd(stopsAtEnd)]
        case .soloMode: [.soloMode(session.soloMode)]
        case .muteGroup: [muteGroups]
        case .monitoring(let control, _): [.monitoring(control, value(of: control))]
        case .soundcheck: [.soundcheck(engine.hands.isSoundcheck)]
        case .silenced: [.silenced(engine.isFallingSilent)]
        case .record: [.record(isOn: engine.recordedFrames != nil, recordSeconds)]
        case .input(let strip, nil): (try? ask(strip, .arm)) ?? []
        default: []
        }
    }

    // MARK: - Strips

    /// Changes every strip that is meant, and has the control.
    /// - Parameter reach: nil: the strips alone.
    func setStrips(
        _ reference: StripReference, _ control: Control, _ reach: Reach? = nil, sweep: String? = nil,
        _ change: (inout Strip) -> Void
    ) throws(CommandError) {
        let places = try places(reference, having: control)
        try edit(reach ?? .strips(places), sweep: sweep.map { "\($0) \(places)" }) { session in
            for place in places { change(&session[place]) }
        }
    }

    private func setExistingSends(
        _ reference: StripReference, _ selector: Selector, _ control: SendControl, _ reach: Reach? = nil,
        sweep: String? = nil, _ change: (inout Send) -> Void
    ) throws(CommandError) {
        let targets = try sends(reference, selector, control)
        let places = targets.map(\.place)
        try edit(reach ?? .strips(places), sweep: sweep.map { "\($0) \(places) \(selector)" }) { session in
            for (place, send) in targets { session.setSend(of: place, to: send.bus, change) }
        }
    }

    /// The sends that are meant, all of which are there.
    func sends(
        _ reference: StripReference, _ selector: Selector, _ control: SendControl
    ) throws(CommandError) -> [(place: StripPlace, send: Send)] {
        try named(.send(selector, control), of: try places(reference, having: .send(selector, control)))
            .compactMap { place, control in
                guard case .send(let bus, _) = control else { return nil }
                return send(bus, of: place).map { (place, $0) }
            }
    }

    /// A fade over a track's whole length; one that is longer is not heard to its end, which whoever asks is
    /// told.
    private func setFade(
        _ strip: StripReference, _ fade: WritableKeyPath<Track, MediaTime>, _ time: TimeSpec
    ) throws(CommandError) {
        let (duration, ruler) = (
            time.time(atRate: session.sampleRate), library.ruler(atRate: session.sampleRate)
        )
        let indices = try tracks(strip)
        try edit(.timeline) { session in
            for index in indices { session.tracks[index][keyPath: fade] = duration }
        }
        for index in indices {
            let track = session.tracks[index]
            guard let start = track.clips.map(\.at).min() else { continue }
            let length = track.end(ruler: ruler) - start
            if duration > length {
                notes.append(
                    """
                    \(StripPlace.track(index + 1)) plays for \(Readable.clock(length.seconds)): a fade of \
                    \(Readable.clock(duration.seconds)) is not over by then
                    """
                )
            }
        }
    }

    private func rename(_ strip: StripReference, _ name: String) throws(CommandError) {
        if strip == .master { throw CommandError("the master's name is the master's") }
        let place = try onePlace(strip)
        if let problem = nameProblem(name, for: place) { throw problem }
        try edit(.strips([place])) { $0[place].name = name }
        edition += 1
    }

    // MARK: - Faders

    /// A fader fades from where it is; of a balance the gains of both sides do, each by itself.
    func fade(
        _ strip: StripReference, _ control: Control, to value: Double, over time: TimeSpec, curve: Curve
    ) throws(CommandError) {
        let duration = time.time(atRate: session.sampleRate)
        switch control {
        case .volume, .send(_, .volume):
            try moveFader(strip, control, to: { _ in value }, sweep: nil) { id, volume in
                engine.fade(id, to: volume, over: duration, curve: curve)
            }
        case .pan, .trim:
            let places = try places(strip, having: control)
            try glide(places, over: duration, curve) { session in
                for place in places {
                    if control == .pan { session[place].pan = value } else { session[place].trim = value }
                }
            }
        case .send(let bus, .pan):
            let targets = try sends(strip, bus, .pan)
            try glide(targets.map(\.place), over: duration, curve) { session in
                for (place, send) in targets { session.setSend(of: place, to: send.bus) { $0.pan = value } }
            }
        case .eq, .dynamics:
            let places = try places(strip, having: control)
            var next = session
            for place in places { try Self.set(control, value, of: &next[place]) }
            try glide(places, over: duration, curve) { [next] session in
                for place in places { session[place] = next[place] }
            }
        default: throw CommandError("\(control.word) does not fade")
        }
    }

    /// Sets a number of a strip.
    private static func set(_ control: Control, _ value: Double, of strip: inout Strip) throws(CommandError) {
        switch control {
        case .pan: strip.pan = value
        case .trim: strip.trim = value
        case .automix(let control): try strip.set(AutomixSetting(control, .number(value)))
        case .eq(let control):
            var equaliser = strip.equaliser ?? Equaliser()
            try equaliser.set(EqualiserSetting(control, .number(value)))
            strip.equaliser = equaliser
        case .dynamics(let control):
            try strip.set(control, .number(value))
            if let problem = strip.gate?.problem { throw CommandError("\(strip.name): \(problem)") }
        default: throw CommandError("\(control.word) is no number")
        }
    }

    /// Changes strips, and lets the engine glide there.
    private func glide(
        _ places: [StripPlace], over duration: MediaTime, _ curve: Curve, _ change: (inout Session) -> Void
    ) throws(CommandError) {
        var next = session
        change(&next)
        try edit(
            .strips(places), change,
            then: { engine.applyStrips(next, at: places, over: duration, curve: curve) })
    }

    /// Each so much higher or lower than it stands at this moment: a gain by so many dB, and another number
    /// to the end of its range at the most. All of them, or none.
    func nudge(_ strip: StripReference, _ control: Control, by change: Double) throws(CommandError) {
        switch control {
        case .volume, .send(_, .volume):
            try moveFader(
                strip, control,
                to: { id throws(CommandError) in
                    try raised(engine.presentFader(id), by: change, session.name(of: id) ?? "the send")
                }, sweep: "\(control.path)"
            ) { id, volume in engine.setFader(id, to: volume) }
        case .send(let bus, .pan):
            try setExistingSends(strip, bus, .pan, sweep: "pan of send") {
                $0.pan = min(1, max(-1, $0.pan + change))
            }
        default:
            let places = try places(strip, having: control)
            var next = session
            for place in places {
                guard case .number(let present) = value(of: control, place, for: .subscribers) else {
                    continue
                }
                try Self.set(
                    control, try moved(control, present, by: change, session[place].name), of: &next[place])
            }
            let isPlanned = if case .automix = control { true } else { false }
            try edit(isPlanned ? .timeline : .strips(places), sweep: "\(control.path) \(places)") {
                [next] session in for place in places { session[place] = next[place] }
            }
        }
    }

    private func moved(
        _ control: Control, _ present: Double, by change: Double, _ name: String
    ) throws(CommandError) -> Double {
        switch control.entry.kind {
        case .volume: return try raised(present, by: change, name)
        case .number(let range): return min(range.upperBound, max(range.lowerBound, present + change))
        default: throw CommandError("\(control.word) moves by nothing")
        }
    }

    private func raised(_ gain: Double, by decibels: Double, _ name: String) throws(CommandError) -> Double {
        let volume = gain * Volume.gain(level: decibels)
        if Volume.range.contains(volume) { return volume }
        throw CommandError(
            "\(name) stands at \(Readable.level(gain: gain)): \(decibels) dB more is above +12 dB")
    }

    /// Moves each fader that is meant, in the document and then in the engine: of strips, or of sends that
    /// are there.
    private func moveFader(
        _ reference: StripReference, _ control: Control, to volume: (StripID) throws(CommandError) -> Double,
        sweep: String?, then tell: (StripID, Double) -> Void
    ) throws(CommandError) {
        var moves: [(place: StripPlace, bus: StripID?, id: StripID, volume: Double)] = []
        if case .send(let bus, let part) = control {
            for (place, send) in try sends(reference, bus, part) {
                moves.append((place, send.bus, send.id, try volume(send.id)))
            }
        } else {
            for place in try places(reference, having: control) {
                moves.append((place, nil, session[place].id, try volume(session[place].id)))
            }
        }
        try edit(
            .strips(moves.map(\.place)), sweep: sweep.map { "\($0) \(moves.map(\.id))" },
            { session in
                for (place, bus, _, volume) in moves {
                    if let bus {
                        session.setSend(of: place, to: bus) { $0.volume = volume }
                    } else {
                        session[place].fader = volume
                    }
                }
            },
            // Not those that are left where they are.
            then: {
                for (_, _, id, volume) in moves where !touches.isHeld(id, against: author) {
                    tell(id, volume)
                }
            })
    }

    // MARK: - A finger on a fader

    /// A finger is on a fader, or leaves it. A fade that moves the fader ends under the finger.
    private func touch(_ strip: StripReference, _ flag: Bool) throws(CommandError) {
        guard let author else { throw CommandError("only a controller can touch a fader") }
        let places = try places(strip)
        if let held = places.first(where: { touches.isHeld(session[$0].id, against: author) }) {
            throw CommandError(
                """
                someone else has a finger on the fader of \
                \(held == .master ? "the master" : session[held].name)
                """
            )
        }
        for place in places {
            let id = session[place].id
            guard flag else {
                touches.end(id)
                continue
            }
            _ = touches.begin(id, author)
            if engine.isFading(id) {
                try moveFader(
                    StripReference(place), .volume, to: { engine.presentFader($0) }, sweep: "volume"
                ) { engine.setFader($0, to: $1) }
            }
        }
    }
}
