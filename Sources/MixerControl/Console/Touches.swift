import Realtime
import Remote
import Timeline

/// Faders that a finger is on: nobody but its owner moves them.
///
/// A touch ends when its owner says so, closes its connection, or has not been heard of for as long as a
/// subscription lasts.
struct Touches {
    private struct Touch {
        let owner: ClientID
        var endsAt: UInt64
    }

    private var touches: [StripID: Touch] = [:]

    private static let lease: UInt64 = 10_000_000_000

    /// - Returns: false if another has it.
    mutating func begin(_ strip: StripID, _ owner: ClientID) -> Bool {
        if isHeld(strip, against: owner) { return false }
        touches[strip] = Touch(owner: owner, endsAt: monotonicNanoseconds() + Self.lease)
        return true
    }

    mutating func end(_ strip: StripID) { touches[strip] = nil }

    func isTouched(_ strip: StripID) -> Bool { touches[strip] != nil }

    /// Whether someone else than `peer` has it.
    func isHeld(_ strip: StripID, against peer: ClientID?) -> Bool {
        touches[strip].map { $0.owner != peer } ?? false
    }

    /// What is held by others than `peer`.
    func held(against peer: ClientID?) -> [StripID] { touches.filter { $0.value.owner != peer }.map(\.key) }

    /// `peer` has been heard of.
    mutating func renew(_ peer: ClientID) {
        for (strip, touch) in touches where touch.owner == peer {
            touches[strip]?.endsAt = monotonicNanoseconds() + Self.lease
        }
    }

    /// When the next of them ends by itself.
    var dueAt: UInt64? { touches.values.map(\.endsAt).min() }

    /// Ends those whose owner is gone.
    mutating func expire(isThere: (ClientID) -> Bool) {
        if touches.isEmpty { return }
        let now = monotonicNanoseconds()
        touches = touches.filter { $0.value.endsAt > now && isThere($0.value.owner) }
    }
}
