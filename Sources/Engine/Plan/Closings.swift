import Realtime

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
