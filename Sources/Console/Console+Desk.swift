import Engine
import Remote
import Speakers
import Timeline

/// Buses, sends and DCAs.
extension Console {
    func runDesk(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .buses: return [busList]
        case .addBus(let name, let layout):
            return try addBus(name, layout)
        case .sends(let reference): return try senders(reference).map(sendList)
        case .send(let reference, let bus, let settings): try setSends(reference, bus, settings)
        case .removeSend(let reference, let selector): try removeSends(reference, selector)
        case .soloMode(nil): return [.soloMode(heard.soloMode)]
        case .soloMode(let mode?): try edit(.timeline) { $0.soloMode = mode }
        case .dcas: return [dcaList]
        case .addDCA(let name, let references):
            return try addDCA(name, references)
        case .assign(let reference, let references, let isMember):
            try assign(references, to: reference, isMember)
        default: break
        }
        return []
    }

    private func addBus(_ name: String, _ layout: SpeakerLayout) throws(CommandError) -> [Answer] {
        guard session.buses.count < Session.maximumBuses else {
            throw CommandError("a session has at most \(Session.maximumBuses) buses")
        }
        if let problem = nameProblem(name) { throw problem }
        try edit(.timeline) { _ = $0.addBus(named: name, layout: layout) }
        return [.added(.bus(session.buses.count))]
    }

    private func addDCA(_ name: String, _ references: [StripReference]) throws(CommandError) -> [Answer] {
        guard session.dcas.count < Session.maximumDCAs else {
            throw CommandError("a session has at most \(Session.maximumDCAs) DCAs")
        }
        if let problem = nameProblem(name) { throw problem }
        let members = try members(references)
        try edit(.timeline) { _ = $0.addDCA(named: name, members: members) }
        return [.added(.dca(session.dcas.count))]
    }

    // MARK: - Lists

    private var busList: Answer {
        .buses(
            session.buses.enumerated().map { index, bus in
                BusSummary(
                    number: index + 1, bus: bus, fader: engine.presentFader(bus.id),
                    output: text(bus.output))
            })
    }

    private func sendList(_ place: StripPlace) -> Answer {
        let strip = session[place]
        let sends = strip.sends.map { send in
            SendSummary(
                strip: strip.name, bus: session.name(of: send.bus) ?? "", send: send,
                volume: engine.presentFader(send.id))
        }
        return .sends(place, sends)
    }

    private var dcaList: Answer {
        .dcas(
            session.dcas.enumerated().map { index, dca in
                DCASummary(
                    number: index + 1, dca: dca, fader: engine.presentFader(dca.id),
                    members: dca.members.compactMap { session.name(of: $0) })
            })
    }

    // MARK: - Changes

    private func removeSends(_ reference: StripReference, _ selector: Selector) throws(CommandError) {
        let bus = try bus(selector)
        let places = try senders(reference).filter { session[$0].send(to: bus.id) != nil }
        if places.isEmpty { throw CommandError("\(reference.text) has no send to \(bus.name)") }
        try edit(.timeline) { for place in places { $0.removeSend(of: place, to: bus.id) } }
    }

    /// Hangs strips on a DCA, or takes them off it.
    private func assign(
        _ references: [StripReference], to reference: StripReference, _ isMember: Bool
    ) throws(CommandError) {
        let strips = try members(references)
        guard case .dca(let number) = try onePlace(reference) else {
            throw CommandError("\(reference.text) is no DCA: dcas lists them")
        }
        let dca = session.dcas[number - 1]
        if !isMember, !dca.members.contains(where: strips.contains) {
            throw CommandError("nothing of that hangs on \(dca.name)")
        }
        // What hangs on it already keeps its place.
        let members =
            isMember
            ? dca.members + strips.filter { !dca.members.contains($0) }
            : dca.members.filter { !strips.contains($0) }
        try edit(.timeline) { $0.setMembers(members, ofDCA: number - 1) }
    }

    /// Gives tracks and buses other channels.
    func setLayout(_ layout: SpeakerLayout, of reference: StripReference) throws(CommandError) {
        let places = try places(reference, having: .channels)
        var next = session
        for place in places { next.setLayout(layout, of: place) }
        for case .track(let number) in places {
            let track = next.tracks[number - 1]
            if let input = track.input, track.layout != layout {
                throw CommandError(
                    """
                    \(track.name) has an input of \(input.channels) channels: input \(track.name) --channels \
                    \(layout.channels) changes that first
                    """
                )
            }
            let problem = SessionCheck.problems(track, place: track.name, library, rate: session.sampleRate)
                .first { $0.place.hasSuffix("channels") }
            if let problem { throw CommandError("\(problem.place): \(problem.message)") }
        }
        let changed = next
        try edit(.timeline) { $0 = changed }
    }

    /// The strips that are to hang on a DCA, each once.
    func members(_ references: [StripReference]) throws(CommandError) -> [StripID] {
        var members: [StripID] = []
        for reference in references {
            let isAny = if case .any = reference { true } else { false }
            for place in try places(reference) where !(isAny && place.kind == .dca) {
                if place.kind == .dca {
                    throw CommandError("\(session[place].name) is a DCA, which cannot hang on another")
                }
                if !members.contains(session[place].id) { members.append(session[place].id) }
            }
        }
        return members
    }

    /// Makes settings of the send to a bus of every strip that is meant; a level makes it where none is.
    private func setSends(
        _ reference: StripReference, _ bus: Selector, _ settings: [SendSetting]
    ) throws(CommandError) {
        if !settings.contains(where: { $0.control == .volume }) {
            _ = try sends(reference, bus, settings.first?.control ?? .volume)
        }
        try setSends(reference, bus) { send in for setting in settings { setting.set(&send) } }
    }

    /// Changes the send of every strip that is meant to a bus, and makes it where there is none.
    func setSends(
        _ reference: StripReference, _ selector: Selector, _ change: (inout Send) -> Void
    ) throws(CommandError) {
        let bus = try bus(selector)
        let places = withoutLoops(try senders(reference), reference) { session, place in
            session.setSend(of: place, to: bus.id, change)
        }
        for place in places
        where session[place].send(to: bus.id) == nil && session[place].sends.count >= Session.maximumSends {
            throw CommandError("\(place) has \(Session.maximumSends) sends, and no strip has more")
        }
        try edit(.timeline) { session throws(CommandError) in
            for place in places { session.setSend(of: place, to: bus.id, change) }
            try Self.checkMatrices(session)
            try Self.checkLoops(session)
        }
    }

    /// Of a pattern over strips of every kind those are meant that a change leads into no loop.
    func withoutLoops(
        _ places: [StripPlace], _ reference: StripReference, _ change: (inout Session, StripPlace) -> Void
    ) -> [StripPlace] {
        guard case .any = reference else { return places }
        return places.filter { place in
            if place.kind != .bus { return true }
            var trial = session
            change(&trial, place)
            return Routing(trial).loop == nil
        }
    }

    /// Refuses a session with a matrix that does not lead from its strip's channels to its bus's.
    static func checkMatrices(_ session: Session) throws(CommandError) {
        guard let (place, send) = session.misfits.first, let matrix = send.matrix else { return }
        throw CommandError(matrix.misfit(from: session[place].layout, to: session.layout(of: send.bus)))
    }

    /// Refuses a session whose buses would feed each other.
    static func checkLoops(_ session: Session) throws(CommandError) {
        if let loop = Routing(session).loop { throw CommandError(Routing.problem(loop, in: session)) }
    }

    /// Where a strip's sound goes, as it is written.
    func text(_ output: Output) -> String {
        switch output {
        case .master: "master"
        case .none: "none"
        case .ports: "ports"
        case .bus(let id): session.name(of: id) ?? ""
        }
    }

    /// The same as it is read: a bus by its name or number.
    func output(_ text: String) throws(CommandError) -> Output {
        switch text {
        case "master": return .master
        case "none": return .none
        case "ports": return .ports
        default:
            if case .track(let number) = StripReference(text), case .number = number {
                throw CommandError("\"\(text)\" would be a track, which takes no sound: bus:\(text) is a bus")
            }
            let reference = StripReference(text)
            if case .track(.name) = reference, !session.strips.contains(where: { $0.name == text }) {
                throw CommandError("there is no bus \(text): say a bus, master, none or ports")
            }
            let place = try onePlace(reference)
            guard place.kind == .bus else {
                throw CommandError("\(text) is \(place), which takes no sound: a bus, master, none or ports")
            }
            return .bus(session[place].id)
        }
    }
}
