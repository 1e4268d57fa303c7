import Synchronization

/// Peak and RMS of two channels: measured on the audio thread, read by anyone.
struct Meter {
    /// What other threads read.
    struct Shared: ~Copyable {
        // Levels are never negative, and the bits of such floats are in the order of the numbers.
        let peakLeft = Atomic<UInt32>(0)
        let peakRight = Atomic<UInt32>(0)
        let meanSquareLeft = Atomic<UInt32>(0)
        let meanSquareRight = Atomic<UInt32>(0)
    }

    // What every block touches stands first.
    private var filled: Int32 = 0
    /// How many frames the slot that is being measured takes at least.
    private var slotEnd: Int32
    private var sumLeft: Float = 0
    private var sumRight: Float = 0
    private var peakLeft: Float = 0
    private var peakRight: Float = 0
    private let slotFrames: Int32
    private var slot: Int32 = 0
    private let shared: UnsafeMutablePointer<Shared>
    // 30 slots of 10 ms: the mean square over 300 ms is the mean of theirs. Two places stay empty, so that they add up eight at a time.
    private var slotsLeft = SIMD32<Float>.zero
    private var slotsRight = SIMD32<Float>.zero
    private static var slots: Int32 { 30 }

    /// - Parameter phase: any number: those of meters in a row differ. Their slots end in different blocks, so that no block pays for all.
    init(shared: UnsafeMutablePointer<Shared>, sampleRate: Int32, phase: Int) {
        self.shared = shared
        slotFrames = max(1, sampleRate / 100)
        slotEnd = max(1, slotFrames * Int32(phase & 7 + 1) / 8)
    }

    /// Adds a block: its peaks and sums of squares. Audio thread only; wait-free.
    @_noLocks
    mutating func add(_ levels: Levels, count: Int) {
        peakLeft = max(peakLeft, levels.peakLeft)
        peakRight = max(peakRight, levels.peakRight)
        sumLeft += levels.squaresLeft
        sumRight += levels.squaresRight
        filled += Int32(count)
        if filled >= slotEnd { endSlot() }
    }

    @_noLocks
    private mutating func endSlot() {
        // A block longer than a slot counts as that many equal slots, up to a whole window.
        let slots = min(Self.slots, max(1, filled / slotFrames))
        // What is no number would stay for a whole window.
        let (meanLeft, meanRight) = (sumLeft.isFinite ? sumLeft / Float(filled) : 0, sumRight.isFinite ? sumRight / Float(filled) : 0)
        for _ in 0..<slots {
            slotsLeft[Int(slot)] = meanLeft
            slotsRight[Int(slot)] = meanRight
            slot = slot + 1 == Self.slots ? 0 : slot + 1
        }
        publish()
        (filled, slotEnd, sumLeft, sumRight, peakLeft, peakRight) = (0, slotFrames, 0, 0, 0, 0)
    }

    /// Every 10 ms: what others read is written seldom, for it has to be fetched from their caches.
    @_noLocks
    private mutating func publish() {
        if peakLeft.bitPattern > shared.pointee.peakLeft.load(ordering: .relaxed) { shared.pointee.peakLeft.store(peakLeft.bitPattern, ordering: .relaxed) }
        if peakRight.bitPattern > shared.pointee.peakRight.load(ordering: .relaxed) { shared.pointee.peakRight.store(peakRight.bitPattern, ordering: .relaxed) }
        let slots = Float(Self.slots)
        shared.pointee.meanSquareLeft.store((slotsLeft.sum() / slots).bitPattern, ordering: .relaxed)
        shared.pointee.meanSquareRight.store((slotsRight.sum() / slots).bitPattern, ordering: .relaxed)
    }
}

/// What one block of a strip measured.
struct Levels {
    var peakLeft: Float = 0
    var peakRight: Float = 0
    var squaresLeft: Float = 0
    var squaresRight: Float = 0

    @_noLocks
    init() {}
}

/// A meter as read: linear levels.
public struct MeterReading: Equatable, Sendable {
    /// The highest absolute sample since the meter was last read.
    public var peakLeft: Float = 0
    /// The same of the right side.
    public var peakRight: Float = 0
    /// Root mean square over the last 300 ms.
    public var rmsLeft: Float = 0
    /// The same of the right side.
    public var rmsRight: Float = 0
}
