/// What a hand on a control does to what the timeline says of it.
public enum WriteMode: String, CaseIterable, Sendable {
    /// The timeline is not played: the hand alone counts.
    case off
    /// The timeline is played, and a hand changes nothing of it.
    case read
    /// What a hand does while it touches the control is written; then the control goes back.
    case touch
    /// The same from the first touch until it stops.
    case latch
    /// Where the hand has put the control is written from play to stop.
    case write

    /// What hands do becomes automation.
    public var writes: Bool { self == .touch || self == .latch || self == .write }
}

extension Strip {
    /// Something of its automation, or of its sends', is not played.
    public var hasAutomationOff: Bool {
        !writing.off.isEmpty || sends.contains { !$0.writing.off.isEmpty }
    }
}

extension Session {
    /// The same without the automation that is off: what is heard.
    public var played: Session {
        var played = self
        for place in places {
            for control in self[place].writing.off { played[place][automation: control].clear() }
            for send in self[place].sends where !send.writing.off.isEmpty {
                played.setSend(of: place, to: send.bus) { send in
                    for control in send.writing.off { send[automation: control].clear() }
                }
            }
        }
        return played
    }
}
