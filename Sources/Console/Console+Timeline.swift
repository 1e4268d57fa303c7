import Engine
import Remote
import Timeline

extension Console {
    /// Automation and ducks.
    func runTimeline(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .automation(let strip, let control):
            return try automated(strip, control).map { target in
                .automation(target.place, target.control, target.automation(session))
            }
        case .duck(let track, let under, let volume, let attack, let release):
            var duck = try newDuck(track, under: under, to: volume, among: [.track])
            set(&duck, attack, release)
            try set(duck)
        case .duckBySignal(let track, let under, let volume, let words):
            var duck = try newDuck(track, under: under, to: volume, among: [.track, .bus])
            try words.set(&duck, atRate: session.sampleRate)
            try set(duck)
        case .ducks: return [.ducks([DuckSummary](json: SessionFile.ducks(of: session)) ?? [])]
        case .duckByHand(let reference, let volume, let attack, let release):
            try duckByHand(reference, to: volume, attack, release)
        default: try editAutomation(command)
        }
        return []
    }

    private func duckByHand(
        _ reference: StripReference, to volume: Double, _ attack: TimeSpec?, _ release: TimeSpec?
    ) throws(CommandError) {
        let place = try onePlace(reference)
        guard place.kind == .track || place.kind == .bus else {
            throw CommandError("\(place) makes way for nobody: tracks and buses duck")
        }
        var duck = Duck(track: session[place].id, under: session[place].id, to: volume)
        duck.trigger = .hand
        set(&duck, attack, release)
        try set(duck)
    }

    private func set(_ duck: inout Duck, _ attack: TimeSpec?, _ release: TimeSpec?) {
        if let attack { duck.attack = attack.time(atRate: session.sampleRate) }
        if let release { duck.release = release.time(atRate: session.sampleRate) }
    }

    private func editAutomation(_ command: Command) throws(CommandError) {
        func at(_ time: TimeSpec) -> MediaTime { time.time(atRate: session.sampleRate) }
        switch command {
        case .point(let strip, let control, let value, let time, let replace):
            try automate(strip, control) { automation throws(AutomationError) in
                try automation.setValue(value, at: at(time), replace: replace)
            }
        case .ramp(let strip, let control, let first, let last, let start, let end, let curve, let replace):
            let range = TimeRange(start: at(start), end: at(end))
            try automate(strip, control) { automation throws(AutomationError) in
                try automation.setRamp(
                    from: first, to: last, over: range, curve: curve, replace: replace)
            }
        case .clearAutomation(let strip, let control, let start?, let end?):
            try clear(strip, control, TimeRange(start: at(start), end: at(end)))
        case .clearAutomation(let strip, let control, _, _): try automate(strip, control) { $0.clear() }
        case .removeEvent(let strip, let control, let number):
            try automate(strip, control) { automation throws(AutomationError) in
                try automation.remove(at: number - 1)
            }
        case .moveEvent(let strip, let control, let number, let time, let replace):
            try automate(strip, control) { automation throws(AutomationError) in
                try automation.move(at: number - 1, to: at(time), replace: replace)
            }
        default: break
        }
    }

    private func clear(
        _ strip: StripReference, _ control: Control, _ range: TimeRange
    ) throws(CommandError) {
        if range.end < range.start { throw CommandError("the range \(range) ends before it begins") }
        try automate(strip, control) { $0.clear(from: range.start, to: range.end) }
    }

    /// What the timeline says of a control: of a strip, or of its send to a bus.
    package struct Automated {
        let place: StripPlace
        let control: Control
        let bus: StripID?
        let kind: Automation.Control

        func automation(_ session: Session) -> Automation {
            session.automation(of: lane(session), at: place)
        }
    }

    package func automated(
        _ reference: StripReference, _ control: Control
    ) throws(CommandError) -> [Automated] {
        guard let kind = control.automation else {
            throw CommandError("the timeline does not move \(control.word)")
        }
        guard case .send(let selector, let part) = control else {
            return try places(reference, having: control).map {
                Automated(place: $0, control: control, bus: nil, kind: kind)
            }
        }
        return try sends(reference, selector, part).map { place, send in
            Automated(
                place: place, control: .send(.name(session.name(of: send.bus) ?? ""), part), bus: send.bus,
                kind: kind)
        }
    }

    /// Changes the automation of a control of every strip that is meant, or of none.
    private func automate(
        _ reference: StripReference, _ control: Control,
        _ change: (inout Automation) throws(AutomationError) -> Void
    ) throws(CommandError) {
        let targets = try automated(reference, control)
        try edit(.timeline) { session throws(CommandError) in
            for target in targets {
                var automation = target.automation(session)
                do throws(AutomationError) {
                    try change(&automation)
                } catch {
                    let place =
                        target.bus == nil ? "\(target.place)" : "\(target.place), \(target.control.path)"
                    throw CommandError(
                        error.message(place: place)
                            + (error.isInTheWay ? "; --replace, in OSC a closing T, makes room" : ""))
                }
                session.setAutomation(automation, of: target.lane(session), at: target.place)
            }
        }
    }

    private func newDuck(
        _ reference: StripReference, under: StripReference, to volume: Double, among kinds: Set<StripKind>
    ) throws(CommandError) -> Duck {
        let (place, keys) = (try onePlace(reference), try keys(under))
        guard place.kind == .track || place.kind == .bus else {
            throw CommandError("\(place) makes way for nobody: tracks and buses duck")
        }
        try Self.checkKeys(keys, of: place, among: kinds)
        var duck = Duck(track: session[place].id, under: session[keys[0]].id, to: volume)
        duck.others = keys.dropFirst().map { session[$0].id }
        return duck
    }

    private static func checkKeys(
        _ keys: [StripPlace], of place: StripPlace, among kinds: Set<StripKind>
    ) throws(CommandError) {
        if let key = keys.first(where: { !kinds.contains($0.kind) }) {
            throw CommandError(
                kinds == [.track]
                    ? "only tracks have clips, and \(key) is none: a bus is ducked under --by signal"
                    : "\(key) is nothing to duck under: a track or a bus is")
        }
        if keys.contains(place) { throw CommandError("\(place) cannot duck under itself") }
        if keys.count > 1, kinds != [.track] {
            throw CommandError(
                "a duck by signal goes under one strip: send them to a bus, and duck under that")
        }
    }

    /// What a duck goes under: a strip, or several with commas between.
    private func keys(_ under: StripReference) throws(CommandError) -> [StripPlace] {
        let names = under.text.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }
        if names.count < 2 || session.places.contains(where: { session[$0].name == under.text }) {
            return [try onePlace(under)]
        }
        var keys: [StripPlace] = []
        for name in names {
            let key = try onePlace(StripReference(name))
            if !keys.contains(key) { keys.append(key) }
        }
        guard keys.count <= Duck.maximumKeys else {
            throw CommandError("a duck goes under at most \(Duck.maximumKeys) tracks")
        }
        return keys
    }

    /// One duck for each pair of strips: a new one takes the old one's place, and one to 1 ends it.
    private func set(_ duck: Duck) throws(CommandError) {
        var duck = duck
        try edit(.timeline) { session throws(CommandError) in
            let existing = session.ducks.firstIndex {
                $0.track == duck.track && Set($0.keys) == Set(duck.keys)
            }
            if let existing { duck.unknown = session.ducks.remove(at: existing).unknown }
            if duck.to != 1 { session.ducks.insert(duck, at: existing ?? session.ducks.count) }
            guard
                session.ducks.count(where: { $0.track == duck.track && $0.trigger == .signal })
                    <= Duck.maximumBySignal
            else {
                throw CommandError(
                    """
                    \(session.name(of: duck.track) ?? "") has \(Duck.maximumBySignal) ducks by signal, which \
                    is all that a strip can have: duck under a bus that all of them go to
                    """
                )
            }
            try Self.checkLoops(session)
        }
        if duck.to != 1, let caution = session.caution(of: duck) { request.notes.append(caution) }
    }
}
