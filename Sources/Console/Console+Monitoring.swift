import Engine
import Remote
import Timeline

/// What is heard in the control room, and what hands hold for the moment: talkbacks, ducks, the soundcheck.
extension Console {
    func runMonitoring(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .monitoring(let control, nil): return [Answer.monitoring(control)(value(of: control))]
        case .monitoring(let control, let value?): try monitor(control, value)
        case .nudgeMonitor(let control, let step): try monitor(control, try moved(control, by: step))
        case .soundcheck(nil): return [.soundcheck(engine.hands.isSoundcheck)]
        case .soundcheck(let flag?): try checkSound(flag)
        default: break
        }
        return []
    }

    // MARK: - Monitoring

    /// Where a control of the monitor stands.
    package func value(of control: MonitorControl) -> ControlValue {
        let monitoring = session.monitoring
        return switch control {
        case .source: .text(text(monitoring.source))
        case .level: .number(monitoring.level)
        case .dim: .flag(monitoring.isDimmed)
        case .dimming: .number(monitoring.dimming)
        case .mono: .flag(monitoring.isMono)
        case .mute: .flag(monitoring.isMuted)
        }
    }

    private func text(_ source: Monitoring.Source) -> String {
        switch source {
        case .solo: "solo"
        case .master: "master"
        case .strip(let id): session.name(of: id) ?? ""
        }
    }

    private func monitor(_ control: MonitorControl, _ value: ControlValue) throws(CommandError) {
        switch (control, value) {
        case (.source, .text(let text)):
            let source = try source(text)
            try edit(.timeline) { $0.monitoring.source = source }
        case (.mono, .flag(let flag)): try edit(.timeline) { $0.monitoring.isMono = flag }
        case (.level, .number(let level)):
            try edit(.monitoring, sweep: "monitor level") { $0.monitoring.level = level }
        case (.dim, .flag(let flag)): try edit(.monitoring) { $0.monitoring.isDimmed = flag }
        case (.dimming, .number(let dimming)):
            try edit(.monitoring, sweep: "monitor dimming") { $0.monitoring.dimming = dimming }
        case (.mute, .flag(let flag)): try edit(.monitoring) { $0.monitoring.isMuted = flag }
        default: throw CommandError("\(control.rawValue) of the monitor cannot be set to that")
        }
    }

    /// To the end of its range at the most.
    private func moved(_ control: MonitorControl, by step: Step) throws(CommandError) -> ControlValue {
        guard case .number(let present) = value(of: control),
            let moved = step.applied(to: present, of: control.kind)
        else { throw CommandError("\(control.rawValue) of the monitor moves by nothing") }
        return .number(moved)
    }

    /// What someone wants to hear: the words before a strip that is called so, which has a number too.
    private func source(_ text: String) throws(CommandError) -> Monitoring.Source {
        switch text {
        case "solo": return .solo
        case "master": return .master
        default:
            let place = try onePlace(StripReference(text))
            guard place.kind == .track || place.kind == .bus else {
                throw CommandError("\(place) cannot be monitored: a track, a bus, master or solo can")
            }
            return .strip(session[place].id)
        }
    }

    // MARK: - Hands

    /// The takes of inputs are heard in place of what comes in, or what comes in is heard again.
    private func checkSound(_ flag: Bool) throws(CommandError) {
        if flag, !session.tracks.contains(where: { $0.input != nil && !$0.clips.isEmpty }) {
            throw CommandError(
                "no track with an input has a take to be heard in its place: arm, record and play make one")
        }
        if flag, engine.recordedFrames != nil {
            throw CommandError(
                """
                a soundcheck plays the takes, and what is recorded meanwhile would cut them: record off ends \
                that first
                """
            )
        }
        engine.hands.isSoundcheck = flag
        applyTimeline()
    }

    /// Presses the buttons of ducks by hand, or lets them go.
    func press(_ reference: StripReference, _ flag: Bool) throws(CommandError) {
        let ducks = session.handDucks
        let able = try places(reference, having: .duck).filter { ducks[session[$0].id] != nil }
        guard !able.isEmpty || !flag else {
            throw CommandError(
                """
                nothing lowers \(reference.text) by hand: duck \(reference.text) --by hand --to 0.3 makes a \
                button of it
                """
            )
        }
        hold(\.ducked, able, flag)
    }

    /// Opens talkbacks, or closes them.
    func talk(_ reference: StripReference, _ flag: Bool) throws(CommandError) {
        let able = try places(reference, having: .talkback).filter {
            session[$0].sends.contains(where: \.isTalkback)
        }
        guard !able.isEmpty || !flag else {
            throw CommandError(
                "\(reference.text) talks back to no bus: talkback \(reference.text) --to BUS gives it one")
        }
        hold(\.talking, able, flag)
    }

    private func hold(_ path: WritableKeyPath<Hands, Set<StripID>>, _ places: [StripPlace], _ flag: Bool) {
        let ids = places.map { session[$0].id }
        if flag {
            holders[path, default: Holders()].hold(ids, by: request.author)
            engine.hands[keyPath: path].formUnion(ids)
        } else {
            holders[path]?.letGo(ids)
            engine.hands[keyPath: path].subtract(ids)
        }
        engine.applyStrips(heard, at: places)
    }

    /// Lets go of what only those hold who are gone: a page that has crashed leaves no microphone open.
    package func letGo(isGone: (ClientID) -> Bool) {
        for path in holders.keys {
            guard let lost = holders[path]?.lost(isGone), !lost.isEmpty else { continue }
            let places = session.places.filter {
                lost.contains(session[$0].id) && engine.hands[keyPath: path].contains(session[$0].id)
            }
            if !places.isEmpty { hold(path, places, false) }
        }
    }

    /// Refuses sends for talking beside those that a strip has.
    private func checkTalkback(_ place: StripPlace, to buses: [StripID]) throws(CommandError) {
        let others = session[place].sends.filter { !$0.isTalkback }
        if let send = others.first(where: { buses.contains($0.bus) }) {
            let (strip, bus) = (session[place].name, session.name(of: send.bus) ?? "")
            throw CommandError(
                """
                \(strip) has a send to \(bus) already, which is always heard: send \(strip) \(bus) off \
                takes it away
                """
            )
        }
        if others.count + buses.count > Session.maximumSends {
            throw CommandError(
                "\(place) would have more than \(Session.maximumSends) sends, and no strip has more")
        }
    }

    /// The buses that a strip talks back to are these from now on: its sends there are heard only while it
    /// does.
    func setTalkback(_ reference: StripReference, _ names: [String]) throws(CommandError) {
        let places = try places(reference, having: .talkbackTo)
        let buses = try buses(ofTalkback: names)
        for place in places { try checkTalkback(place, to: buses) }
        try edit(.timeline) { session throws(CommandError) in
            for place in places {
                for send in session[place].sends where send.isTalkback && !buses.contains(send.bus) {
                    session.removeSend(of: place, to: send.bus)
                }
                for bus in buses where session[place].send(to: bus) == nil {
                    session.setSend(of: place, to: bus) { ($0.isPre, $0.isTalkback) = (true, true) }
                }
            }
            try Self.checkLoops(session)
        }
        if buses.isEmpty { return hold(\.talking, places, false) }
        noteMixed(places)
    }

    private func buses(ofTalkback names: [String]) throws(CommandError) -> [StripID] {
        var buses: [StripID] = []
        for name in names where name != "none" || names.count > 1 {
            let bus = try bus(Selector(name.hasPrefix("bus:") ? String(name.dropFirst(4)) : name))
            if !buses.contains(bus.id) { buses.append(bus.id) }
        }
        return buses
    }

    /// What goes to the master is heard there also while nobody talks.
    private func noteMixed(_ places: [StripPlace]) {
        for place in places where session[place].output == .master {
            request.notes.append(
                """
                \(session[place].name) is heard in the mix too: output \(session[place].name) none keeps it \
                out
                """
            )
        }
    }
}
