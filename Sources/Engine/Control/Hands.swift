import Timeline

/// What hands hold for the moment: it is heard, and no part of a session.
public struct Hands: Equatable, Sendable {
    /// Those that a hand lowers, of those that have a duck by hand.
    public var ducked: Set<StripID> = []
    /// Those whose talkback is open.
    public var talking: Set<StripID> = []
    /// What inputs have recorded is heard in place of what comes in.
    public var isSoundcheck = false

    /// None does anything.
    public init() {}

    /// What is there no more to be held is let go, and stays so if it comes back.
    mutating func keep(to session: Session) {
        if !ducked.isEmpty { ducked.formIntersection(session.handDucks.keys) }
        if !talking.isEmpty {
            talking.formIntersection(
                session.tracks.filter { $0.sends.contains(where: \.isTalkback) }.map(\.id))
        }
    }
}
