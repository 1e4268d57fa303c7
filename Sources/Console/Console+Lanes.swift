import Remote
import Timeline

extension Console {
    /// Hands may write what they do.
    package var isWriting: Bool { writing.isWanted && transport.isRolling || !writing.passes.isEmpty }

    /// All controls that have a mode.
    func allAutomated() -> [Automated] {
        session.places.flatMap { place in
            let strip = session[place]
            let own = strip.writing.controls.compactMap { kind in
                Control(kind).map {
                    Automated(place: place, control: $0, bus: nil, kind: kind)
                }
            }
            let sent = strip.sends.flatMap { send in
                send.writing.controls.compactMap { kind -> Automated? in
                    guard let name = session.name(of: send.bus),
                        let part = SendControl(rawValue: kind.rawValue)
                    else { return nil }
                    return Automated(
                        place: place, control: .send(.name(name), part), bus: send.bus, kind: kind)
                }
            }
            return own + sent
        }
    }
}

extension Console.Automated {
    package func lane(_ session: Session) -> Lane {
        let strip = session[place]
        return Lane(owner: bus.flatMap { strip.send(to: $0)?.id } ?? strip.id, control: kind)
    }

    package func mode(_ session: Session) -> WriteMode {
        session.mode(of: lane(session), at: place)
    }

    func setMode(_ mode: WriteMode, in session: inout Session) {
        session.setMode(mode, of: lane(session), at: place)
    }
}

extension Session {
    /// The strip that has it, or whose send has it.
    func place(ofLane lane: Lane) -> StripPlace? {
        place(of: lane.owner) ?? places.first { self[$0].sends.contains { $0.id == lane.owner } }
    }

    /// The bus that its send goes to; nil: it is no send's.
    private func bus(of lane: Lane, at place: StripPlace) -> StripID? {
        self[place].sends.first { $0.id == lane.owner }?.bus
    }

    func automation(of lane: Lane, at place: StripPlace) -> Automation {
        guard let bus = bus(of: lane, at: place) else { return self[place][automation: lane.control] }
        return self[place].send(to: bus)?[automation: lane.control] ?? Automation(lane.control)
    }

    mutating func setAutomation(_ automation: Automation, of lane: Lane, at place: StripPlace) {
        if let bus = bus(of: lane, at: place) {
            return setSend(of: place, to: bus) { $0[automation: lane.control] = automation }
        }
        self[place][automation: lane.control] = automation
        if !automation.events.isEmpty { self[place].makeProcessor(of: lane.control) }
    }

    package func mode(of lane: Lane) -> WriteMode {
        place(ofLane: lane).map { mode(of: lane, at: $0) } ?? .read
    }

    package func mode(of lane: Lane, at place: StripPlace) -> WriteMode {
        guard let bus = bus(of: lane, at: place) else { return self[place].writing[lane.control] }
        return self[place].send(to: bus)?.writing[lane.control] ?? .read
    }

    mutating func setMode(_ mode: WriteMode, of lane: Lane, at place: StripPlace) {
        if let bus = bus(of: lane, at: place) {
            return setSend(of: place, to: bus) { $0.writing[lane.control] = mode }
        }
        self[place].writing[lane.control] = mode
    }

    /// Where a hand has put it: a gain, 1 or 0 for heard or silent, or what the control has; nil for what is
    /// not there.
    func hand(of lane: Lane, at place: StripPlace) -> Double? {
        let strip = self[place]
        if let send = strip.sends.first(where: { $0.id == lane.owner }) {
            return lane.control == .volume ? send.volume : lane.control == .pan ? send.pan : send.mute ? 0 : 1
        }
        switch lane.control {
        case .volume: return strip.fader
        case .pan: return strip.pan
        case .trim: return strip.trim
        case .mute: return strip.mute ? 0 : 1
        default: return Self.processorHand(of: lane.control, strip)
        }
    }

    private static func processorHand(of control: Automation.Control, _ strip: Strip) -> Double? {
        let value: ControlValue? =
            switch Control(control) {
            case .eq(let part)?: (strip.equaliser ?? Equaliser()).value(of: part)
            case .dynamics(let part)?: strip.value(of: part)
            default: nil
            }
        if case .number(let number)? = value { return number }
        return nil
    }

    /// Puts it there.
    mutating func setHand(_ value: Double, of lane: Lane, at place: StripPlace) {
        if let bus = bus(of: lane, at: place) {
            return setSend(of: place, to: bus) { send in
                switch lane.control {
                case .volume: send.volume = value
                case .pan: send.pan = value
                default: send.mute = value < 1
                }
            }
        }
        switch lane.control {
        case .volume: self[place].fader = value
        case .mute: self[place].mute = value < 1
        default:
            if let control = Control(lane.control) { try? Console.set(control, value, of: &self[place]) }
        }
    }
}
