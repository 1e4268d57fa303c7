import Remote
import Timeline

/// The parts of strips that subscribers have been told of. Where a strip has lost such a part, that is told
/// too. Control thread.
struct ToldParts {
    private var equalised: Set<StripID> = []
    private var talkers: Set<StripID> = []
    private var withDynamics: [DynamicsKind: Set<StripID>] = [:]
    private var automixBuses: Set<StripID> = []
    private var automixMembers: Set<StripID> = []
    private var written: [StripID: Set<Automation.Control>] = [:]

    /// Whether a strip has an equaliser, or had one that was told.
    mutating func includesEqualiser(of strip: Strip) -> Bool {
        if strip.equaliser != nil { equalised.insert(strip.id) }
        return equalised.contains(strip.id)
    }

    /// Whether a strip has a gate or a compressor, or had one that was told.
    mutating func includes(_ kind: DynamicsKind, of strip: Strip) -> Bool {
        if strip.has(kind) { withDynamics[kind, default: []].insert(strip.id) }
        return withDynamics[kind]?.contains(strip.id) ?? false
    }

    /// Whether a strip talks back, or did when that was told.
    mutating func includesTalkback(of strip: Strip) -> Bool {
        if strip.sends.contains(where: \.isTalkback) { talkers.insert(strip.id) }
        return talkers.contains(strip.id)
    }

    /// Whether a strip is a bus with an automix, or goes to one, or did when that was told.
    /// - Parameter mixes: the buses with an automix.
    mutating func automix(
        of strip: Strip, among mixes: Set<StripID>
    ) -> (isBus: Bool, isMember: Bool) {
        if mixes.contains(strip.id) { automixBuses.insert(strip.id) }
        if case .bus(let id) = strip.output, mixes.contains(id) { automixMembers.insert(strip.id) }
        return (automixBuses.contains(strip.id), automixMembers.contains(strip.id))
    }

    /// The controls of a strip or a send whose write mode is another than `read`, or was when that was told;
    /// nil: none ever was.
    mutating func writtenControls(of id: StripID, _ modes: WriteModes) -> Set<Automation.Control>? {
        if !modes.isEmpty { written[id, default: []].formUnion(modes.controls) }
        return written[id]
    }
}
