import CRealtime
import CVector
import Realtime
import Synchronization

/// Peak and RMS of the channels of a strip: measured on the audio thread, read by anyone.
struct Meter {
    /// What other threads read of a channel, and the sum of its slots: the audio thread's own, which touches
    /// both at once.
    struct Shared: ~Copyable {
        // Levels are never negative, and the bits of such floats are in the order of the numbers.
        let peak = Atomic<UInt32>(0)
        let meanSquare = Atomic<UInt32>(0)
        fileprivate var sum = 0.0
    }

    /// Slots in which a sample of any channel was above full scale, since the meter was last read.
    struct Overs: ~Copyable {
        let count = Atomic<UInt32>(0)
    }

    /// The memory of a meter, beside what every block touches.
    struct Memory {
        let shared: UnsafeMutablePointer<Shared>
        let overs: UnsafeMutablePointer<Overs>
        /// The mean squares of 30 slots of 10 ms, of all channels one slot after another: the mean square
        /// over 300 ms is the mean of a channel's.
        let slots: UnsafeMutablePointer<Float>
        /// What is measured of the third channel and of those behind it.
        let further: UnsafeMutablePointer<Level>
        let channels: Int

        init(channels: Int) {
            self.channels = channels
            shared = LockedMemory.allocate(Shared.self, channels)
            overs = LockedMemory.allocate(Overs.self, 1)
            overs.initialize(to: Overs())
            slots = LockedMemory.allocate(Float.self, channels * Meter.slots)
            slots.initialize(repeating: 0, count: channels * Meter.slots)
            further = LockedMemory.allocate(Level.self, channels)
            further.initialize(repeating: Level(), count: channels)
            for channel in 0..<channels { (shared + channel).initialize(to: Shared()) }
        }

        func deallocate() {
            shared.deinitialize(count: channels)
            LockedMemory.free(shared, channels)
            overs.deinitialize(count: 1)
            LockedMemory.free(overs, 1)
            LockedMemory.free(slots, channels * Meter.slots)
            LockedMemory.free(further, channels)
        }
    }

    // What every block touches stands first.
    private var filled: Int32 = 0
    /// How many frames the slot that is being measured takes at least.
    private var slotEnd: Int32
    private var first = Level()
    private var second = Level()
    private let slotFrames: Int32
    private var slot: Int32 = 0
    private let memory: Memory
    fileprivate static var slots: Int { 30 }

    /// - Parameter phase: any number: those of meters in a row differ. Their slots end in different blocks,
    ///   so that no block pays for all.
    init(_ memory: Memory, sampleRate: Int32, phase: Int) {
        self.memory = memory
        slotFrames = max(1, sampleRate / 100)
        slotEnd = max(1, slotFrames * Int32(phase & 7 + 1) / 8)
    }

    /// Adds a block: the peaks and sums of squares of all channels. Audio thread only; wait-free.
    @_noLocks
    mutating func add(_ levels: UnsafePointer<Level>, count: Int) {
        first.add(levels[0])
        if memory.channels > 1 { second.add(levels[1]) }
        if memory.channels > 2 {
            for channel in 2..<memory.channels { memory.further[channel].add(levels[channel]) }
        }
        filled += Int32(count)
        if filled >= slotEnd { endSlot() } else if filled + Int32(count) >= slotEnd { fetchAhead() }
    }

    /// The slot ends with the next block, where blocks are shorter than a slot: what is touched then lies in
    /// no cache.
    @_noLocks
    private func fetchAhead() {
        rt_prefetch(memory.slots + Int(slot) * memory.channels)
        rt_prefetch(memory.shared)
    }

    @_noLocks
    private mutating func endSlot() {
        // A block longer than a slot counts as that many equal slots, up to a whole window.
        let ended = min(Int32(Self.slots), max(1, filled / slotFrames))
        var peak = max(first.peak, second.peak)
        end(0, first, ended)
        if memory.channels > 1 { end(1, second, ended) }
        if memory.channels > 2 {
            for channel in 2..<memory.channels {
                end(channel, memory.further[channel], ended)
                peak = max(peak, memory.further[channel].peak)
                memory.further[channel] = Level()
            }
        }
        if peak > 1 { memory.overs.pointee.count.wrappingAdd(1, ordering: .relaxed) }
        slot = (slot + ended) % Int32(Self.slots)
        (filled, slotEnd, first, second) = (0, slotFrames, Level(), Level())
    }

    /// Every 10 ms: what others read is written seldom, for it has to be fetched from their caches.
    @_noLocks
    private mutating func end(_ channel: Int, _ level: Level, _ ended: Int32) {
        // What is no number would stay for a whole window.
        let mean = level.squares.isFinite ? level.squares / Float(filled) : 0
        let shared = memory.shared + channel
        var place = Int(slot)
        for _ in 0..<ended {
            let held = memory.slots + place * memory.channels + channel
            shared.pointee.sum += Double(mean) - Double(held.pointee)
            held.pointee = mean
            place += 1
            // What rounding has left in the sum stays no longer than a window.
            if place == Self.slots { (place, shared.pointee.sum) = (0, memory.sum(channel)) }
        }
        if level.peak.bitPattern > shared.pointee.peak.load(ordering: .relaxed) {
            shared.pointee.peak.store(level.peak.bitPattern, ordering: .relaxed)
        }
        let meanSquare = Float(max(0, shared.pointee.sum) / Double(Self.slots))
        shared.pointee.meanSquare.store(meanSquare.bitPattern, ordering: .relaxed)
    }
}

/// What a block of a channel measured.
typealias Level = CVector.Level

extension Level {
    @_noLocks
    mutating func add(_ other: Level) {
        peak = max(peak, other.peak)
        squares += other.squares
    }
}

extension Meter.Memory {
    /// Of a channel's slots.
    @_noLocks
    fileprivate func sum(_ channel: Int) -> Double {
        var sum = 0.0
        for slot in 0..<Meter.slots { sum += Double(slots[slot * channels + channel]) }
        return sum
    }

    /// The loudest channel's RMS; leaves the peaks as they are. Any thread.
    var rms: Float {
        let bits = (0..<channels).map { shared[$0].meanSquare.load(ordering: .relaxed) }.max() ?? 0
        return Float(bitPattern: bits).squareRoot()
    }

    /// Reads the meter and starts its peaks anew. Any thread.
    func read() -> MeterReading {
        var reading = MeterReading(channels: channels)
        for channel in 0..<channels {
            reading.peaks[channel] = Float(bitPattern: shared[channel].peak.exchange(0, ordering: .relaxed))
            reading.rms[channel] = Float(bitPattern: shared[channel].meanSquare.load(ordering: .relaxed))
                .squareRoot()
        }
        reading.overs = Int(overs.pointee.count.exchange(0, ordering: .relaxed))
        return reading
    }
}
