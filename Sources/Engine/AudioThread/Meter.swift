import CRealtime
import CVector
import Realtime
import Synchronization

/// Peak and RMS of the channels of a strip: measured on the audio thread, read by anyone.
struct Meter {
    /// What other threads read of a channel.
    struct Shared: ~Copyable {
        // Levels are never negative, and the bits of such floats are in the order of the numbers.
        let peak = Atomic<UInt32>(0)
        let meanSquare = Atomic<UInt32>(0)
    }

    /// Slots in which a sample of any channel was above full scale, since the meter was last read.
    struct Overs: ~Copyable {
        let count = Atomic<UInt32>(0)
    }

    /// Of a channel 30 slots of 10 ms: the mean square over 300 ms is the mean of theirs. Two places stay
    /// empty, so that they add up eight at a time.
    typealias Slots = SIMD32<Float>

    /// The memory of a meter, beside what every block touches.
    struct Memory {
        let shared: UnsafeMutablePointer<Shared>
        let overs: UnsafeMutablePointer<Overs>
        let slots: UnsafeMutablePointer<Slots>
        /// What is measured of the third channel and of those behind it.
        let further: UnsafeMutablePointer<Level>
        let channels: Int

        init(channels: Int) {
            self.channels = channels
            shared = LockedMemory.allocate(Shared.self, channels)
            overs = LockedMemory.allocate(Overs.self, 1)
            overs.initialize(to: Overs())
            slots = LockedMemory.allocate(Slots.self, channels)
            slots.initialize(repeating: .zero, count: channels)
            further = LockedMemory.allocate(Level.self, channels)
            further.initialize(repeating: Level(), count: channels)
            for channel in 0..<channels { (shared + channel).initialize(to: Shared()) }
        }

        func deallocate() {
            shared.deinitialize(count: channels)
            LockedMemory.free(shared, channels)
            overs.deinitialize(count: 1)
            LockedMemory.free(overs, 1)
            LockedMemory.free(slots, channels)
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
    private static var slots: Int32 { 30 }

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
        for channel in 0..<memory.channels {
            let slots = UnsafeRawPointer(memory.slots + channel)
            rt_prefetch(slots)
            rt_prefetch(slots + 64)
        }
        rt_prefetch(memory.shared)
    }

    @_noLocks
    private mutating func endSlot() {
        // A block longer than a slot counts as that many equal slots, up to a whole window.
        let ended = min(Self.slots, max(1, filled / slotFrames))
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
        slot = (slot + ended) % Self.slots
        (filled, slotEnd, first, second) = (0, slotFrames, Level(), Level())
    }

    /// Every 10 ms: what others read is written seldom, for it has to be fetched from their caches.
    @_noLocks
    private mutating func end(_ channel: Int, _ level: Level, _ ended: Int32) {
        // What is no number would stay for a whole window.
        let mean = level.squares.isFinite ? level.squares / Float(filled) : 0
        var place = slot
        for _ in 0..<ended {
            memory.slots[channel][Int(place)] = mean
            place = place + 1 == Self.slots ? 0 : place + 1
        }
        let shared = memory.shared + channel
        if level.peak.bitPattern > shared.pointee.peak.load(ordering: .relaxed) {
            shared.pointee.peak.store(level.peak.bitPattern, ordering: .relaxed)
        }
        shared.pointee.meanSquare.store(
            (memory.slots[channel].sum() / Float(Self.slots)).bitPattern, ordering: .relaxed)
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

/// A meter as read: linear levels, one for each channel of its strip.
public struct MeterReading: Equatable, Sendable {
    /// The highest absolute sample since the meter was last read.
    public var peaks: [Float]
    /// Root mean square over the last 300 ms.
    public var rms: [Float]
    /// How often it was above full scale since the meter was last read: at the most once in 10 ms, or in a
    /// period where that is longer.
    public var overs = 0

    /// Silence on so many channels.
    public init(channels: Int) {
        (peaks, rms) = (Array(repeating: 0, count: channels), Array(repeating: 0, count: channels))
    }
}

extension Meter.Memory {
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
