/// What one thread tells another, in order: orders for the audio thread, and marks from it. Wait-free at both
/// ends; a full queue refuses, nothing is overwritten. Elements are copied, and own nothing.
///
/// A copy is a handle to the same queue: give one to each side. `destroy` it once, when neither side is left.
///
/// What the audio thread does becomes a part of what calls it, in every build, and the compiler checks it for
/// locks there: of elements of any type it knows nothing.
public struct Queue<Element>: @unchecked Sendable {
    // Safe to share: a slot is passed by the release of its index.
    @usableFromInline let places: QueuePlaces
    @usableFromInline let slots: UnsafeMutablePointer<Element>
    private let capacity: Int
    private let isLocked: Bool

    /// - Parameters:
    ///   - capacity: a power of two.
    ///   - isLocked: the audio thread must never wait for a page of it. Else it is memory as any.
    public init(capacity: Int, isLocked: Bool = true) {
        (self.capacity, self.isLocked) = (capacity, isLocked)
        places = QueuePlaces(capacity: capacity)
        slots = LockedMemory.allocate(Element.self, capacity, isLocked: isLocked)
    }

    public func destroy() {
        places.destroy()
        LockedMemory.free(slots, capacity, isLocked: isLocked)
    }

    // MARK: - The sending thread

    /// - Returns: false if there was no room.
    @discardableResult @_transparent
    public func put(_ element: Element) -> Bool {
        guard let place = places.free() else { return false }
        (slots + place).initialize(to: element)
        places.put()
        return true
    }

    /// Whether there is room for so many.
    @_transparent
    public func hasRoom(for count: Int) -> Bool { places.areFree(count) }

    /// Holds back what `body` puts, so that the receiver finds all of it at once.
    public func putTogether<Result>(_ body: () -> Result) -> Result {
        places.hold()
        defer { places.letGo() }
        return body()
    }

    /// How many have been put so far, and how many of them the receiver has taken.
    public var sent: Int { places.sent }
    public var taken: Int { places.taken }

    // MARK: - The receiving thread

    /// The next element, left where it is.
    @_transparent
    public func peek() -> Element? {
        guard let place = places.next() else { return nil }
        return slots[place]
    }

    /// Takes what `peek` showed.
    @_transparent
    public func drop() { places.release() }
}
