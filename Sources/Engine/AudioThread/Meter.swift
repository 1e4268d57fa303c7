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

    private let shared: UnsafeMutablePointer<Shared>
    private let slotFrames: Int
    private var filled = 0
    private var slot = 0
    private var sumLeft: Float = 0
    private var sumRight: Float = 0
    private var peakLeft: Float = 0
    private var peakRight: Float = 0
    // 30 slots of 10 ms: the mean square over 300 ms is the mean of theirs.
    private var slotsLeft = InlineArray<30, Float>(repeating: 0)
    private var slotsRight = InlineArray<30, Float>(repeating: 0)

    init(shared: UnsafeMutablePointer<Shared>, sampleRate: Int32) {
        self.shared = shared
        slotFrames = max(1, Int(sampleRate) / 100)
    }

    /// Adds a block: its peaks and sums of squares. Audio thread only; wait-free.
    @_noLocks
    mutating func add(_ levels: Levels, count: Int) {
        peakLeft = max(peakLeft, levels.peakLeft)
        peakRight = max(peakRight, levels.peakRight)
        sumLeft += levels.squaresLeft
        sumRight += levels.squaresRight
        filled += count
        if filled < slotFrames { return }
        // A block longer than a slot counts as that many equal slots, up to a whole window.
        let slots = min(30, filled / slotFrames)
        let (meanLeft, meanRight) = (sumLeft / Float(filled), sumRight / Float(filled))
        for _ in 0..<slots {
            slotsLeft[slot] = meanLeft
            slotsRight[slot] = meanRight
            slot = (slot + 1) % 30
        }
        publish()
        (filled, sumLeft, sumRight, peakLeft, peakRight) = (0, 0, 0, 0, 0)
    }

    /// Every 10 ms: what others read is written seldom, for it has to be fetched from their caches.
    @_noLocks
    private mutating func publish() {
        if peakLeft.bitPattern > shared.pointee.peakLeft.load(ordering: .relaxed) { shared.pointee.peakLeft.store(peakLeft.bitPattern, ordering: .relaxed) }
        if peakRight.bitPattern > shared.pointee.peakRight.load(ordering: .relaxed) { shared.pointee.peakRight.store(peakRight.bitPattern, ordering: .relaxed) }
        var left: Float = 0
        var right: Float = 0
        for i in 0..<30 {
            left += slotsLeft[i]
            right += slotsRight[i]
        }
        shared.pointee.meanSquareLeft.store((left / 30).bitPattern, ordering: .relaxed)
        shared.pointee.meanSquareRight.store((right / 30).bitPattern, ordering: .relaxed)
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
