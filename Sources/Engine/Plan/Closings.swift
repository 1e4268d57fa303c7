import Realtime
import Timeline

/// What closes the sends of one line, in the memory of the audio thread: the mutes themselves are shared with
/// all others that they close. Control thread.
final class Closings {
    let pointer: UnsafeMutablePointer<Envelope>
    let count: Int
    private let mutes: [Envelopes]

    /// nil: nothing closes a send of these.
    init?(_ paths: LinePaths, _ shared: ClosingMutes) {
        guard let send = paths.sends.first(where: { !$0.closings.isEmpty }) else { return nil }
        mutes = send.closings.map(shared.envelopes)
        count = mutes.count
        pointer = LockedMemory.allocate(Envelope.self, count)
        for (index, mute) in mutes.enumerated() { (pointer + index).initialize(to: mute.pointer.pointee) }
    }

    deinit { LockedMemory.free(pointer, count) }
}

/// The mutes that close sends in one plan, each once however many lines hang on it: a DCA may have thousands
/// of members, and a lane thousands of points. Control thread.
final class ClosingMutes {
    private var known: [StripID: Envelopes] = [:]
    /// What they take of memory.
    var bytes: Int { known.values.reduce(0) { $0 + $1.bytes } }

    func envelopes(_ closing: LinePaths.Closing) -> Envelopes {
        if let known = known[closing.owner] { return known }
        let envelopes = Envelopes([closing.mute])
        known[closing.owner] = envelopes
        return envelopes
    }
}
