import Realtime
import Remote
import Timeline

/// A control of a strip or of a send that the timeline moves.
package struct Lane: Hashable, Sendable {
    /// The strip or the send.
    package let owner: StripID
    package let control: Automation.Control

    package init(owner: StripID, control: Automation.Control) {
        (self.owner, self.control) = (owner, control)
    }
}

/// Controls that a hand is on; nobody but its owner moves them.
///
/// A touch ends when its owner says so, closes its connection, or has not been heard of for as long as a
/// subscription lasts.
package struct Touches {
    private struct Touch {
        let owner: ClientID
        var endsAt: UInt64
    }

    private var touches: [Lane: Touch] = [:]

    private static let lease: UInt64 = 10_000_000_000

    /// - Returns: false if another has it.
    mutating func begin(_ lane: Lane, _ owner: ClientID) -> Bool {
        if isHeld(lane, against: owner) { return false }
        touches[lane] = Touch(owner: owner, endsAt: monotonicNanoseconds() + Self.lease)
        return true
    }

    package mutating func end(_ lane: Lane) { touches[lane] = nil }

    func isTouched(_ lane: Lane) -> Bool { touches[lane] != nil }

    /// Whether someone else than `peer` has it.
    package func isHeld(_ lane: Lane, against peer: ClientID?) -> Bool {
        touches[lane].map { $0.owner != peer } ?? false
    }

    /// The same of the fader of a strip or a send.
    func isHeld(_ id: StripID, against peer: ClientID?) -> Bool {
        isHeld(Lane(owner: id, control: .volume), against: peer)
    }

    /// The faders that are held by others than `peer`.
    func heldFaders(against peer: ClientID?) -> [StripID] {
        touches.filter { $0.key.control == .volume && $0.value.owner != peer }.map(\.key.owner)
    }

    /// `peer` has been heard of.
    package mutating func renew(_ peer: ClientID) {
        for (lane, touch) in touches where touch.owner == peer {
            touches[lane]?.endsAt = monotonicNanoseconds() + Self.lease
        }
    }

    /// When the next of them ends by itself.
    package var dueAt: UInt64? { touches.values.map(\.endsAt).min() }

    /// Ends those whose owner is gone.
    package mutating func expire(isThere: (ClientID) -> Bool) {
        if touches.isEmpty { return }
        let now = monotonicNanoseconds()
        touches = touches.filter { $0.value.endsAt > now && isThere($0.value.owner) }
    }
}
