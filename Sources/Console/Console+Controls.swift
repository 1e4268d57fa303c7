import Engine
import Remote
import Timeline

/// Where each control of a strip is kept: what it stands at, and what setting it does.
extension Console {
    /// One answer for each strip that is meant.
    func ask(_ strip: StripReference, _ control: Control) throws(CommandError) -> [Answer] {
        if isOfNone(strip) { return [] }
        switch control {
        case .touch(let moved) where moved != .volume:
            return try automated(strip, moved).map {
                .control($0.place, .touch($0.control), .flag(touches.isTouched($0.lane(session))))
            }
        case .writeMode(let moved):
            return try automated(strip, moved).map {
                .control($0.place, .writeMode($0.control), .text($0.mode(session).rawValue))
            }
        default: break
        }
        return try named(control, of: try places(strip, having: control)).map {
            .control($0, $1, value(of: $1, $0, for: .questions))
        }
    }

    /// A pattern that means all of a kind, where there are none: it gives no answer and no error.
    func isOfNone(_ strip: StripReference) -> Bool {
        guard case .pattern("*")? = strip.selector else { return false }
        if case .any = strip { return session.places == [.master] }
        return !session.places.contains { $0.kind == strip.kind }
    }

    /// Where a control stands.
    package func value(of control: Control, _ place: StripPlace, for reader: MeterBook.Reader) -> ControlValue
    {
        let strip = heard[place]
        switch control {
        case .volume, .volumeLevel, .volumePosition, .touch(.volume): return fader(control, strip.id)
        case .touch(let moved), .writeMode(let moved): return hand(on: moved, place, of: control)
        case .monitor, .arm, .fadeIn, .fadeOut: return value(of: control, track(place))
        case .duck, .talkback, .talkbackTo: return hand(control, strip)
        case .meter:
            let meter = meters.read(strip.id, from: engine, for: reader)
            return .levels(peaks: meter.peaks, rms: meter.rms)
        case .members: return .names(dca(place)?.members.compactMap { session.name(of: $0) } ?? [])
        case .send(let bus, let control):
            return heardSend(bus, of: place).map { value(of: control, $0) } ?? .number(0)
        case .eq(let control): return (strip.equaliser ?? Equaliser()).value(of: control)
        case .dynamics(let control): return value(of: control, strip)
        case .automix(.gain): return .number(engine.share(strip.id))
        case .automix(let control): return strip.value(of: control)
        case .mute, .muteMode, .solo, .soloSafe, .pan, .trim, .delay, .polarity, .output, .channels, .name:
            return value(of: control, strip)
        }
    }

    /// Whether a hand is on a control, or what hands do to its automation.
    private func hand(on moved: Control, _ place: StripPlace, of control: Control) -> ControlValue {
        let target = try? automated(StripReference(place), moved).first
        if case .touch = control {
            return .flag(target.map { touches.isTouched($0.lane(session)) } ?? false)
        }
        return .text((target?.mode(session) ?? .read).rawValue)
    }

    /// What the session says of a strip.
    private func value(of control: Control, _ strip: Strip) -> ControlValue {
        switch control {
        case .mute: .flag(strip.mute)
        case .muteMode: .text(strip.muteMode.rawValue)
        case .solo: .flag(strip.solo)
        case .soloSafe: .flag(strip.soloSafe)
        case .pan: .number(strip.pan)
        case .trim: .number(strip.trim)
        case .delay: .time(.time(strip.delay))
        case .polarity: .flag(strip.polarity)
        case .output: .text(text(strip.output))
        case .channels: .channels(strip.layout)
        default: .text(strip.name)
        }
    }

    /// What the session says of a track, and would of one that is not there.
    private func value(of control: Control, _ track: Track?) -> ControlValue {
        switch control {
        case .monitor: .text((track?.monitor ?? .auto).rawValue)
        case .arm: .flag(track?.isArmed ?? false)
        case .fadeIn: .time(.time(track?.fadeIn ?? .zero))
        default: .time(.time(track?.fadeOut ?? .zero))
        }
    }

    /// Where a fader stands at present, in the scale that is asked for.
    private func fader(_ control: Control, _ id: StripID) -> ControlValue {
        switch control {
        case .touch: .flag(touches.isTouched(Lane(owner: id, control: .volume)))
        case .volumeLevel: .number(FaderScale.db.value(gain: engine.presentFader(id)))
        case .volumePosition: .number(FaderScale.position.value(gain: engine.presentFader(id)))
        default: .number(engine.presentFader(id))
        }
    }

    /// What hands hold down of a strip, and where it talks back to.
    private func hand(_ control: Control, _ strip: Strip) -> ControlValue {
        let talkbacks = strip.sends.filter(\.isTalkback)
        return switch control {
        case .duck: .flag(engine.hands.ducked.contains(strip.id) && session.handDucks[strip.id] != nil)
        case .talkback: .flag(engine.hands.talking.contains(strip.id) && !talkbacks.isEmpty)
        default: .names(talkbacks.compactMap { session.name(of: $0.bus) })
        }
    }

    /// A send as it is heard.
    private func heardSend(_ bus: Selector, of place: StripPlace) -> Send? {
        send(bus, of: place).flatMap { heard[place].send(to: $0.bus) }
    }

    func value(of control: SendControl, _ send: Send) -> ControlValue {
        switch control {
        case .volume: .number(engine.presentFader(send.id))
        case .volumeLevel: .number(FaderScale.db.value(gain: engine.presentFader(send.id)))
        case .volumePosition: .number(FaderScale.position.value(gain: engine.presentFader(send.id)))
        case .pan: .number(send.pan)
        case .mute: .flag(send.mute)
        case .pre: .flag(send.isPre)
        case .matrix: .text(send.matrix?.text ?? SendMatrix.standardWord)
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
        if try setWritten(strip, control, value) { return }
        switch (control, value) {
        case (.volume, _), (.volumeLevel, _), (.volumePosition, _):
            try setFader(strip, control, value)
        case (.send(let bus, let control), _): try set(strip, bus, control, value)
        case (.automix, _), (.eq, _), (.dynamics, _): try setProcessor(strip, control, value)
        case (_, .time(let time)):
            try setTime(strip, control, time.time(atRate: session.sampleRate))
        case (.touch(let moved), .flag(let flag)): try touch(strip, moved, flag)
        case (.arm, .flag(let flag)): try arm(strip, flag)
        case (.duck, .flag(let flag)): try press(strip, flag)
        case (.talkback, .flag(let flag)): try talk(strip, flag)
        case (.members, .names(let names)): try setMembers(of: strip, names)
        case (.talkbackTo, .names(let names)): try setTalkback(strip, names)
        case (.channels, .channels(let layout)): try setLayout(layout, of: strip)
        case (_, .text(let text)): try setText(strip, control, text)
        default: try setStrip(strip, control, value)
        }
    }

    private func setTime(
        _ strip: StripReference, _ control: Control, _ time: MediaTime
    ) throws(CommandError) {
        switch control {
        case .delay: try setDelay(try places(strip, having: .delay)) { _ in time }
        case .fadeIn: try setFade(strip, \.fadeIn) { _ in time }
        case .fadeOut: try setFade(strip, \.fadeOut) { _ in time }
        default: try setStrip(strip, control, .time(.time(time)))
        }
    }

    private func setText(
        _ strip: StripReference, _ control: Control, _ text: String
    ) throws(CommandError) {
        switch control {
        case .writeMode(let moved): try setWriteMode(strip, moved, text)
        case .output: try setOutput(strip, text)
        case .name: try rename(strip, text)
        case .monitor:
            let (indices, monitor) = (try tracks(strip), Monitor(rawValue: text) ?? .auto)
            try edit(.timeline) { for index in indices { $0.tracks[index].monitor = monitor } }
        default: try setStrip(strip, control, .text(text))
        }
    }

    /// The same of those whose moves are written at present.
    /// - Returns: whether that is all of them.
    private func setWritten(
        _ strip: StripReference, _ control: Control, _ value: ControlValue
    ) throws(CommandError) -> Bool {
        switch (control, value) {
        case (_, .flag(let flag)): return try moveWritten(strip, control) { _ in flag ? 0 : 1 }
        case (.send(let bus, .volumeLevel), .number(let level)):
            let gain = try FaderScale.db.gain(level)
            return try moveWritten(strip, .send(bus, .volume)) { _ in gain }
        case (.send(let bus, .volumePosition), .number(let position)):
            let gain = try FaderScale.position.gain(position)
            return try moveWritten(strip, .send(bus, .volume)) { _ in gain }
        case (_, .number(let number)): return try moveWritten(strip, control) { _ in number }
        default: return false
        }
    }

    private func setFader(
        _ strip: StripReference, _ control: Control, _ value: ControlValue
    ) throws(CommandError) {
        switch (control, value) {
        case (.volume, .number(let volume)):
            try moveFader(strip, control, sweep: "volume") { _ in volume }
        case (.volumeLevel, .number(let level)):
            try set(strip, .volume, .number(try FaderScale.db.gain(level)))
        case (.volumePosition, .number(let position)):
            try set(strip, .volume, .number(try FaderScale.position.gain(position)))
        default: throw CommandError("\(control.word) cannot be set to that")
        }
    }

    /// Sets what the session says of a strip, and nothing else hangs on.
    private func setStrip(
        _ strip: StripReference, _ control: Control, _ value: ControlValue
    ) throws(CommandError) {
        switch (control, value) {
        case (.mute, .flag(let flag)): try setStrips(strip, control, .allStrips) { $0.mute = flag }
        case (.muteMode, .text(let word)):
            try setStrips(strip, control, .allStrips) { $0.muteMode = MuteMode(rawValue: word) ?? .main }
        case (.solo, .flag(let flag)):
            let reach: Reach = heard.soloMode == .inPlace ? .allStrips : .timeline
            try setStrips(strip, control, reach) { $0.solo = flag }
        case (.soloSafe, .flag(let flag)): try setStrips(strip, control, .allStrips) { $0.soloSafe = flag }
        case (.pan, .number(let pan)): try setStrips(strip, control, sweep: "pan") { $0.pan = pan }
        case (.trim, .number(let trim)): try setStrips(strip, control, sweep: "trim") { $0.trim = trim }
        case (.polarity, .flag(let flag)): try setStrips(strip, control) { $0.polarity = flag }
        default: throw CommandError("\(control.word) cannot be set to that")
        }
    }

    private func setProcessor(
        _ strip: StripReference, _ control: Control, _ value: ControlValue
    ) throws(CommandError) {
        switch control {
        case .automix(let control):
            try automix(strip, [AutomixSetting(control, value)], sweep: "automix \(control)")
        case .eq(let control):
            try equalise(strip, [EqualiserSetting(control, value)], sweep: "eq \(control)")
        case .dynamics(let control):
            let sweep = "\(control.kind.rawValue) \(control.word)"
            try setDynamics(strip, [DynamicsPart(control, value)], sweep: sweep)
        default: throw CommandError("\(control.word) cannot be set to that")
        }
    }

    func setDelay(_ places: [StripPlace], to delay: (MediaTime) -> MediaTime) throws(CommandError) {
        try edit(.strips(places), sweep: "delay \(places)") { session throws(CommandError) in
            for place in places { session[place].delay = delay(session[place].delay) }
            try Self.checkCounts(session)
        }
    }

    private func setOutput(_ strip: StripReference, _ text: String) throws(CommandError) {
        let output = try output(text)
        let places = withoutLoops(try places(strip, having: .output), strip) { $0[$1].output = output }
        try edit(.timeline) { session throws(CommandError) in
            for place in places { session[place].output = output }
            try Self.checkLoops(session)
        }
    }

    private func setMembers(of dca: StripReference, _ names: [String]) throws(CommandError) {
        let members = try members(names.map { StripReference($0) })
        let places = try places(dca, having: .members)
        try edit(.timeline) { session in
            for case .dca(let number) in places { session.setMembers(members, ofDCA: number - 1) }
        }
    }

    /// Sets a send of every strip that is meant; its level makes it where there is none.
    private func set(
        _ strip: StripReference, _ bus: Selector, _ control: SendControl, _ value: ControlValue
    ) throws(CommandError) {
        switch (control, value) {
        case (.volume, .number(let volume)):
            let isNew = isPattern(bus) ? false : try senders(strip).contains { send(bus, of: $0) == nil }
            if isNew { return try setSends(strip, bus) { $0.volume = volume } }
            try moveFader(strip, .send(bus, .volume), sweep: "send") { _ in volume }
        case (.volumeLevel, .number(let level)):
            try set(strip, bus, .volume, .number(try FaderScale.db.gain(level)))
        case (.volumePosition, .number(let position)):
            try set(strip, bus, .volume, .number(try FaderScale.position.gain(position)))
        case (.pan, .number(let pan)):
            try setExistingSends(strip, bus, control, sweep: "pan of send") { $0.pan = pan }
        case (.mute, .flag(let flag)): try setExistingSends(strip, bus, control) { $0.mute = flag }
        case (.pre, .flag(let flag)): try setExistingSends(strip, bus, control, .timeline) { $0.isPre = flag }
        case (.matrix, .text): try setMatrix(strip, bus, SendSetting(control, value))
        default: throw CommandError("\(control.rawValue) of a send cannot be set to that")
        }
    }

    private func setMatrix(
        _ strip: StripReference, _ bus: Selector, _ setting: SendSetting
    ) throws(CommandError) {
        let targets = try sends(strip, bus, setting.control)
        try edit(.timeline) { session throws(CommandError) in
            for (place, send) in targets {
                session.setSend(of: place, to: send.bus) { setting.set(&$0) }
            }
            try Self.checkMatrices(session)
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
        let strips = Reach.strips(places, .of(control, places.map { session[$0].id }))
        try edit(reach ?? strips, sweep: sweep.map { "\($0) \(places)" }) { session in
            for place in places { change(&session[place]) }
        }
    }

    func setExistingSends(
        _ reference: StripReference, _ selector: Selector, _ control: SendControl, _ reach: Reach? = nil,
        sweep: String? = nil, _ change: (inout Send) -> Void
    ) throws(CommandError) {
        let targets = try sends(reference, selector, control)
        let places = targets.map(\.place)
        let strips = Reach.strips(places, .of(.send(selector, control), targets.map(\.send.id)))
        try edit(reach ?? strips, sweep: sweep.map { "\($0) \(places) \(selector)" }) { session in
            for (place, send) in targets { session.setSend(of: place, to: send.bus, change) }
        }
    }

    /// The sends that are meant, all of which are there.
    func sends(
        _ reference: StripReference, _ selector: Selector, _ control: SendControl
    ) throws(CommandError) -> [(place: StripPlace, send: Send)] {
        try named(.send(selector, control), of: try places(reference, having: .send(selector, control)))
            .compactMap { place, control in
                guard case .send(let bus, _) = control, let send = send(bus, of: place) else { return nil }
                let lane = control.automation.map { Lane(owner: send.id, control: $0) }
                return lane.map(request.movedLanes.contains) ?? false ? nil : (place, send)
            }
    }

    /// A fade over a track's whole length; one that is longer is not heard to its end, which whoever asks is
    /// told.
    func setFade(
        _ strip: StripReference, _ fade: WritableKeyPath<Track, MediaTime>,
        to duration: (MediaTime) -> MediaTime
    ) throws(CommandError) {
        let ruler = library.ruler(atRate: session.sampleRate)
        let indices = try tracks(strip)
        try edit(.timeline) { session in
            for index in indices {
                session.tracks[index][keyPath: fade] = duration(session.tracks[index][keyPath: fade])
            }
        }
        for index in indices {
            let track = session.tracks[index]
            guard let start = track.clips.map(\.at).min(), !track.clips.contains(where: library.isGuessed)
            else { continue }
            let (length, duration) = (track.end(ruler: ruler) - start, track[keyPath: fade])
            if duration > length {
                request.notes.append(
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
        // Takes of what comes in are called so.
        let isRecorded = session.tracks.contains { $0.id == session[place].id && $0.input != nil }
        try edit(isRecorded ? .timeline : .strips([place])) { $0[place].name = name }
        changeDocument { $0.beginEdition() }
    }
}
