import Engine
import Remote
import Timeline

/// What buses share out among those that go there.
extension Console {
    func runAutomix(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .askAutomix(let reference):
            return try places(reference, having: .automix(.on)).map { .automix($0, summary(session[$0])) }
        case .automix(let bus, nil, let settings): try automix(bus, settings, sweep: nil)
        case .automix(let bus, let member?, let settings):
            try automix(member, of: bus, settings)
        case .clearAutomix(let bus):
            let places = try places(bus, having: .automix(.on))
            try edit(.timeline) { session in for place in places { session[place].automix = nil } }
        default: break
        }
        return []
    }

    private func automix(
        _ member: StripReference, of bus: StripReference, _ settings: [AutomixSetting]
    ) throws(CommandError) {
        let (id, places) = (session[try onePlace(bus)].id, try places(member, having: .automix(.isIn)))
        if let other = places.first(where: { session[$0].output != .bus(id) }) {
            let (name, bus) = (session[other].name, session.name(of: id) ?? "")
            throw CommandError("\(name) does not go to \(bus): output \(name) \(bus) has it go there")
        }
        try automix(member, settings, sweep: nil)
    }

    /// - Parameter sweep: nil: a step of its own to undo.
    func automix(
        _ reference: StripReference, _ settings: [AutomixSetting], sweep: String?
    ) throws(CommandError) {
        guard let first = settings.first else { return }
        let places = try places(reference, having: .automix(first.control))
        try edit(.timeline, sweep: sweep.map { "\($0) \(places)" }) { session throws(CommandError) in
            for place in places { for setting in settings { try session[place].set(setting) } }
            try Self.checkLoops(session)
        }
    }

    private func summary(_ bus: Strip) -> AutomixSummary? {
        guard let automix = bus.automix else { return nil }
        let strips = session.tracks.map(\.strip) + session.buses
        return AutomixSummary(
            automix,
            strips.filter { $0.output == .bus(bus.id) }.map {
                AutomixSummary.Member(name: $0.name, $0.automixing, gain: engine.share($0.id))
            })
    }

    /// What is told of a strip's automix: of one that shares out, or takes part where somebody does; that it
    /// does no more is told too.
    /// - Parameter mixes: the buses that have an automix.
    func automixControls(_ place: StripPlace, _ mixes: Set<StripID>) -> [AutomixControl] {
        let strip = session[place]
        let (isBus, isMember) = toldSoFar.automix(of: strip, among: mixes)
        return isBus || isMember ? AutomixControl.allCases.filter { $0.isOfBus ? isBus : isMember } : []
    }
}
