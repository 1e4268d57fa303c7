import Remote
import Timeline

/// Finding strips by what people call them.
extension Console {
    /// The strips that are meant: one, or for a pattern all that match.
    func places(_ reference: StripReference) throws(CommandError) -> [StripPlace] {
        switch reference {
        case .master: return [.master]
        case .bus(let selector): return try places(selector, .bus, reference)
        case .dca(let selector): return try places(selector, .dca, reference)
        case .any(let selector): return try anyPlaces(selector)
        case .track(let selector):
            // A name may be of any strip, and may have any of the characters that make a pattern: whoever
            // says it exactly means that strip.
            let name: String? =
                switch selector {
                case .name(let text), .pattern(let text): text
                case .number: nil
                }
            if let name,
                let place = session.places.first(where: { $0 != .master && session[$0].name == name })
            {
                return [place]
            }
            return try places(selector, .track, reference)
        }
    }

    /// Whether any strips are meant, of the kind that is named.
    package func hasStrips(_ reference: StripReference) -> Bool {
        (try? places(reference))?.contains { $0.kind == reference.kind } ?? false
    }

    /// Strips of every kind but the master: tracks by their numbers too.
    private func anyPlaces(_ selector: Selector) throws(CommandError) -> [StripPlace] {
        guard case .pattern(let text) = selector else { return try places(.track(selector)) }
        let found = try matching(text, session.places.filter { $0 != .master }, numbered: .track)
        if found.isEmpty {
            throw CommandError("no track, bus or DCA matches \(text): try tracks, buses and dcas")
        }
        return found
    }

    /// Those of some strips that a pattern means: by their names, and those of one kind by their numbers too.
    /// Whoever says a name exactly means that strip.
    private func matching(
        _ text: String, _ all: [StripPlace], numbered kind: StripKind
    ) throws(CommandError) -> [StripPlace] {
        if let exact = all.first(where: { session[$0].name == text }) { return [exact] }
        guard let pattern = OSCPattern(text) else {
            throw CommandError("\"\(text)\" is a pattern whose bracket or brace does not close")
        }
        return all.filter { place in
            place.kind == kind && pattern.matches("\(place.number)") || pattern.matches(session[place].name)
        }
    }

    /// Those of a kind.
    private func places(
        _ selector: Selector, _ kind: StripKind, _ reference: StripReference
    ) throws(CommandError) -> [StripPlace] {
        let all = session.places.filter { $0.kind == kind }
        var found: [StripPlace] = []
        switch selector {
        case .number(let number): if number > 0, number <= all.count { found = [all[number - 1]] }
        case .name(let name): found = all.filter { session[$0].name == name }
        case .pattern(let text): found = try matching(text, all, numbered: kind)
        }
        if !found.isEmpty { return found }
        try refuse(selector, kind, among: all)
    }

    /// - Throws: always: there is no such strip.
    private func refuse(
        _ selector: Selector, _ kind: StripKind, among all: [StripPlace]
    ) throws(CommandError) -> Never {
        let (one, many, verb) =
            switch kind {
            case .bus: ("bus", "buses", "buses")
            case .dca: ("DCA", "DCAs", "dcas")
            case .track, .master: ("track", "tracks", "tracks")
            }
        let known =
            switch all.count {
            case 0: "the session has no \(many)"
            case 1: "the session has one \(one); try \(verb)"
            default: "the session has \(many) 1 to \(all.count); try \(verb)"
            }
        throw CommandError("there is no \(one) \(selector.text): \(known)")
    }

    func onePlace(_ reference: StripReference) throws(CommandError) -> StripPlace {
        let found = try places(reference)
        guard found.count == 1 else {
            throw CommandError("\(reference.text) means \(found.count) strips, where one is needed")
        }
        return found[0]
    }

    /// The strips that are meant and have a control.
    func places(_ reference: StripReference, having control: Control) throws(CommandError) -> [StripPlace] {
        let found = try places(reference)
        let having = found.filter { place in
            let lane = control.automation.map { Lane(owner: session[place].id, control: $0) }
            return control.entry.kinds.contains(place.kind)
                && !(lane.map(request.movedLanes.contains) ?? false)
        }
        if having.isEmpty { throw CommandError("\(found[0]) has no \(control.word)") }
        return having
    }

    /// Whether a selector means buses by a pattern: an exact name wins over that.
    func isPattern(_ bus: Selector) -> Bool {
        guard case .pattern(let text) = bus else { return false }
        return !session.buses.contains { $0.name == text }
    }

    /// The strips that are meant and may have sends.
    func senders(_ reference: StripReference) throws(CommandError) -> [StripPlace] {
        let found = try places(reference)
        let having = found.filter { Control.output.entry.kinds.contains($0.kind) }
        if having.isEmpty { throw CommandError("\(found[0]) has no sends") }
        return having
    }

    /// The indices of the tracks that are meant; of others there are no clips.
    func tracks(_ reference: StripReference) throws(CommandError) -> [Int] {
        let found = try places(reference)
        let indices = found.compactMap { if case .track(let number) = $0 { number - 1 } else { nil } }
        if indices.isEmpty { throw CommandError("\(found[0]) is no track, and only tracks have clips") }
        return indices
    }

    func oneTrack(_ reference: StripReference) throws(CommandError) -> Int {
        let found = try tracks(reference)
        guard found.count == 1 else {
            throw CommandError("\(reference.text) means \(found.count) tracks, where one is needed")
        }
        return found[0]
    }

    /// The bus that is meant.
    func bus(_ selector: Selector) throws(CommandError) -> Strip { session[try onePlace(.bus(selector))] }

    /// A control of each strip that is meant, as it is told: a send by the name of its bus. Of a pattern over
    /// strips or buses those that there are.
    func named(
        _ control: Control, of places: [StripPlace]
    ) throws(CommandError) -> [(place: StripPlace, control: Control)] {
        guard case .send(let selector, let part) = control else { return places.map { ($0, control) } }
        let buses = try self.places(.bus(selector)).map { session[$0] }
        let names = Dictionary(uniqueKeysWithValues: buses.map { ($0.id, $0.name) })
        let sends = places.flatMap { place in
            session[place].sends.compactMap { send in
                names[send.bus].map { (place: place, control: Control.send(.name($0), part)) }
            }
        }
        if sends.isEmpty {
            throw CommandError(
                """
                \(places[0]) has no send to \(buses[0].name): send \(session[places[0]].name) \
                \(buses[0].name) 0dB makes one
                """
            )
        }
        return sends
    }

    /// The send that a control is of.
    package func send(_ selector: Selector, of place: StripPlace) -> Send? {
        // By name, which is how they are told: that takes no search of all strips.
        if case .name(let name) = selector, let bus = session.buses.first(where: { $0.name == name }) {
            return session[place].send(to: bus.id)
        }
        guard let bus = try? bus(selector) else { return nil }
        return session[place].send(to: bus.id)
    }

    /// Why no strip but that at `place` can be called `name`, if it cannot.
    /// - Parameters:
    ///   - hasInput: it has an input, or is about to; nil: as the strip at `place` has.
    ///   - isNew: else it has it already.
    func nameProblem(
        _ name: String, for place: StripPlace? = nil, hasInput: Bool? = nil, isNew: Bool = true
    ) -> CommandError? {
        if isNew, let problem = StripName.problem(ofNew: name) { return CommandError(problem) }
        let ports = StripName.ports(name, hasInput: hasInput ?? place.map { hasOwnInput($0) } ?? false)
        for other in session.places where other != place {
            if session[other].name == name {
                return CommandError("\"\(name)\" is already the name of \(other)")
            }
            if !StripName.ports(session[other].name, hasInput: hasOwnInput(other)).isDisjoint(with: ports) {
                return CommandError(
                    "\"\(name)\": its ports would be called as those of \(other), \"\(session[other].name)\"")
            }
        }
        return nil
    }

    private func hasOwnInput(_ place: StripPlace) -> Bool {
        if case .track(let number) = place { session.tracks[number - 1].input != nil } else { false }
    }
}

extension Strip {
    /// Points and ramps of all its controls.
    var eventCount: Int {
        Automation.Control.allCases.reduce(0) { $0 + self[automation: $1].events.count }
            + sends.reduce(0) { sum, send in
                sum
                    + [Automation.Control.volume, .pan, .mute].reduce(0) {
                        $0 + send[automation: $1].events.count
                    }
            }
    }
}
