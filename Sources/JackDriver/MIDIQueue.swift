import Realtime

/// Some MIDI messages on their way between the audio thread and the control thread, each with the number of
/// its pair of ports. Wait-free at both ends; a full queue refuses, nothing is overwritten.
///
/// A copy is a handle to the same queue: `destroy` it once, when neither side is left.
struct MIDIQueue: @unchecked Sendable {
    // Safe to share: a slot is passed by the release of its index.
    private let places: QueuePlaces
    /// For each slot the number of the pair, how many bytes there are, and these.
    private let slots: UnsafeMutablePointer<UInt8>

    private static var capacity: Int { 1024 }
    private static var stride: Int { 128 }
    /// Longer messages than surfaces send and take are left out.
    static var longest: Int { stride - 2 }

    init() {
        places = QueuePlaces(capacity: Self.capacity)
        slots = LockedMemory.allocate(UInt8.self, Self.capacity * Self.stride)
    }

    func destroy() {
        places.destroy()
        LockedMemory.free(slots, Self.capacity * Self.stride)
    }

    /// The sending thread. Wait-free.
    /// - Returns: false if there was no room.
    @_noLocks
    func put(pair: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard count > 0, count <= Self.longest, let place = places.free() else { return false }
        let slot = slots + place * Self.stride
        slot[0] = UInt8(truncatingIfNeeded: pair)
        slot[1] = UInt8(truncatingIfNeeded: count)
        for index in 0..<count { slot[2 + index] = bytes[index] }
        places.put()
        return true
    }

    /// The sending thread: all that was put has been taken.
    var isEmpty: Bool { places.sent == places.taken }

    /// The receiving thread: the next message, where it lies until it is taken. Wait-free.
    @_noLocks
    func next() -> (pair: Int, bytes: UnsafePointer<UInt8>, count: Int)? {
        guard let place = places.next() else { return nil }
        let slot = slots + place * Self.stride
        return (Int(slot[0]), UnsafePointer(slot + 2), Int(slot[1]))
    }

    /// The receiving thread. Wait-free.
    @_noLocks
    func release() { places.release() }
}
